"""Progress of long work: what is done, how far it is, and how long it will take."""
