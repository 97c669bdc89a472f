"""One module per forecast model, each with a constant ``MODEL``; found by name."""
