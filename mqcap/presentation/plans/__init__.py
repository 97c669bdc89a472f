"""Plans for people: the same words in mail, command line, page and reports."""
