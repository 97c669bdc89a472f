"""How good and how fast the forecasts are on public data: ``python -m benchmarks.forecast``."""
