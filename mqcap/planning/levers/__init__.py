"""Settings of each kind of resource that a plan can change; one module per kind."""
