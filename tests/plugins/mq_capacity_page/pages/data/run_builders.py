"""A run as Airflow's database has it."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

START: Final = datetime(2026, 1, 31, tzinfo=UTC)


def dag_run(**changed: Any) -> SimpleNamespace:
    """The daily run of 31 January, which took two minutes."""
    known: dict[str, Any] = {
        "dag_id": "mqcap_daily",
        "run_id": "scheduled__2026-01-31",
        "run_type": "scheduled",
        "state": "success",
        "start_date": START,
        "end_date": START.replace(minute=2),
        "conf": {},
        "data_interval_start": START,
    }
    return SimpleNamespace(**known | changed)
