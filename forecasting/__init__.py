"""Forecasts of daily series and the dates on which they pass a limit.

Entry points: ``forecast_series`` (the forecast of all series, pure: rows in, forecasts out),
``crossing_of`` (dates and probabilities of one limit) and ``csv_files.run_files`` (both for CSV
files, the command ``mqcap forecast-csv``).
"""

from forecasting.crossing import crossing_of, is_in_breach
from forecasting.options import ForecastOptions
from forecasting.run import forecast_series

__all__ = ["ForecastOptions", "crossing_of", "forecast_series", "is_in_breach"]
