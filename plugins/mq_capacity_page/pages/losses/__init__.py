"""Page of the losses of coupling facilities and members, as matrices lost by survivor."""
