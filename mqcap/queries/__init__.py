"""What pages, reports and commands ask of store and lake, composed of several tables."""
