"""What the console says of resources: messages, and the states that they begin and end."""
