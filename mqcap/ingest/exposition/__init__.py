"""Metrics as text, as exporters show them to Prometheus."""
