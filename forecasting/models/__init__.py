"""Forecast models: a module each with a constant ``MODEL``, loaded by name."""
