"""Forecasts of daily series and the dates on which they pass a limit."""

from forecasting.crossing import crossing_of, is_beyond
from forecasting.options import ForecastOptions
from forecasting.run import forecast_series

__all__ = ["ForecastOptions", "crossing_of", "forecast_series", "is_beyond"]
