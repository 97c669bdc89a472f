"""Forecast models: a module each."""
