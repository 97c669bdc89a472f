"""Charts of emails."""
