"""What pages ask of store and lake, composed of several tables; no words."""
