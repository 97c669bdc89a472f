"""Measured days and records from which costs are learnt."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.metric import SubjectKind
from mqcap.store.database import Store
from mqcap.unit_costs.learning_data import LearningData
from tests.mqcap.rulebook.builders import DAY, new_store, observe, settings_of

MANAGER = "PLEX1/CSQ1"
CHINIT = f"{MANAGER}/CHINIT"
CF = "PLEX1/CF01"


def data_in(folder: Path, **unit_costs: Any) -> LearningData:
    """An empty store and lake, with these settings of unit costs."""
    settings = settings_of(folder)
    if unit_costs:
        options = settings.unit_costs.model_copy(update=unit_costs)
        settings = settings.model_copy(update={"unit_costs": options})
    return LearningData(settings, new_store(folder), DAY)


def measured(
    engine: Store, metric: str, subject: str, value_of: Callable[[int], float], count: int = 120
) -> None:
    """Peaks of the last days, oldest first."""
    days = {DAY - timedelta(days=count - 1 - place): value_of(place) for place in range(count)}
    observe(engine, metric, subject, days, kind=SubjectKind.channel_initiator, unit="")


def channels(place: int) -> float:
    """Channels that swing by the month and grow."""
    return 1_000.0 + 40 * (place % 30) + 5 * place


def write_rows(
    lake: Path, dataset: str, rows: Iterable[Mapping[str, Any]], received: date = DAY
) -> None:
    """Write rows of one delivered file."""
    folder = lake / dataset / f"received_date={received}"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{len(list(folder.iterdir())):064d}.parquet"
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), folder / name)


def record(hours_back: int, **fields: Any) -> dict[str, Any]:
    """A section of an hourly record of CSQ1 on SYS1."""
    end = datetime(DAY.year, DAY.month, DAY.day, 20, tzinfo=UTC) - timedelta(hours=hours_back)
    return {
        "smfid": "SYS1",
        "qmgr": "CSQ1",
        "interval_end_utc": end,
        "record_hash": hours_back,
        "section_index": 0,
        **fields,
    }
