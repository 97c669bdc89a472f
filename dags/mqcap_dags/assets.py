"""Datasets that the DAGs make, as assets of Airflow on which other DAGs can be scheduled.

The place of a dataset is a part of its identity: ``lake`` or ``store``, whatever folder, object
store or database these are. An event follows each task that ends well, whether it found new data or
not, and carries no data.
"""

from typing import Final

from airflow.sdk import Asset

SECTIONS: Final = Asset("mqcap://lake/section")
METRICS: Final = Asset("mqcap://lake/metric_hourly")
OBSERVATIONS: Final = Asset("mqcap://store/observation_daily")
FORECASTS: Final = Asset("mqcap://store/forecast")
FINDINGS: Final = Asset("mqcap://store/finding")
PROBLEMS: Final = Asset("mqcap://store/problem")
