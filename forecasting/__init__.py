"""Forecasts of daily series and the dates on which they pass a limit.

``forecast_series`` is the forecast of all series, ``crossing_of`` has dates and probabilities of a
limit, ``csv_files.run_files`` both for CSV files (the command ``mqcap forecast-csv``).
"""

from forecasting.crossing import crossing_of, is_in_breach
from forecasting.options import ForecastOptions
from forecasting.run import forecast_series

__all__ = ["ForecastOptions", "crossing_of", "forecast_series", "is_in_breach"]
