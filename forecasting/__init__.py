"""Forecasts of daily series and the dates on which they pass a limit.

Entry points: ``forecast_series`` (the daily forecast of the product), ``crossing_of`` (dates and
probabilities of one limit) and ``batch_csv.run_files`` (the command ``mqcap forecast`` for CSV
files of any series, with an engine of its own; it is not the daily forecast).
"""

from forecasting.crossing import crossing_of, is_in_breach
from forecasting.options import ForecastOptions
from forecasting.run import forecast_series

__all__ = ["ForecastOptions", "crossing_of", "forecast_series", "is_in_breach"]
