"""What-if of a loss: what survivors take over, and which carries it best."""
