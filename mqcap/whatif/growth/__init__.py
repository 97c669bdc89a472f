"""Growth of requests and of messages in what-if, and what follows them."""
