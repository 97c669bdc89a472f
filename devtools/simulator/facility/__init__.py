"""Coupling facilities of the simulated estate: structures, records and shared queues."""
