"""Samples of queue managers on z/OS beside SMF, from files through ``mqcap load`` to series."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
import pytest

from devtools.simulator import SimulationResult, generate
from devtools.simulator.events import LostRecords
from devtools.simulator.spec import EstateSpec, MonitorKind, small_spec
from mqcap.domain.datasets import METRIC_HOURLY
from tests.end_to_end.estate import LAST_DAY, LoadedEstate, mqcap

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

LOST: Final = LostRecords(day_offset=-1, start_local="10:00", minutes=60)
LOST_UTC: Final = datetime(LAST_DAY.year, LAST_DAY.month, LAST_DAY.day - 1, 8, tzinfo=UTC)
"""10:00 in Copenhagen in summer."""


def sampled_spec() -> EstateSpec:
    """Return two sampled queue managers, both without an hour of SMF."""
    spec = small_spec()
    plex = spec.sysplexes[0]
    qmgrs = tuple(
        qmgr.model_copy(update={"sampled_by": kind, "lost_records": (LOST,)})
        for qmgr, kind in zip(plex.qmgrs, MonitorKind, strict=True)
    )
    changed = plex.model_copy(update={"qmgrs": qmgrs})
    return spec.model_copy(update={"sysplexes": (changed,), "daily_dump_days": 2})


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    folder = tmp_path_factory.mktemp("sampled") / "sample"
    first = LAST_DAY - timedelta(days=1)
    return generate(sampled_spec(), folder, first_date=first, last_date=LAST_DAY)


def test_samples_are_series_in_the_hour_that_smf_lacks_and_the_load_tells_that_smf_counts(
    simulated: SimulationResult,
) -> None:
    estate = LoadedEstate(simulated.folder.parent, simulated.truth, ())
    files = [*simulated.dumps, *simulated.monitor_files]
    printed = mqcap(estate.environment(), "load", *map(str, files))
    first = simulated.monitor_files[0].name
    assert f"{first} and 3 other files: SMF was loaded for 3 of the 3 UTC dates" in printed
    assert "error" not in printed
    assert _hours(estate.folder / "lake") == {
        ("odp_buffer_pool_used_pct", "PLEXA/MQA1/BP00"): {LOST_UTC},
        ("odp_buffer_pool_used_pct", "PLEXA/MQA2/BP00"): {LOST_UTC},
        ("odp_page_set_used_pct", "PLEXA/MQA1/PS00"): {LOST_UTC},
        ("odp_page_set_used_pct", "PLEXA/MQA1/PS03"): {LOST_UTC},
        ("odp_page_set_used_pct", "PLEXA/MQA2/PS00"): {LOST_UTC},
        ("odp_channels_used_pct", "PLEXA/MQA1"): {LOST_UTC},
    }


def _hours(lake: Path) -> dict[tuple[str, str], set[datetime]]:
    """Return the hours of each series that SMF has too."""
    found: dict[tuple[str, str], set[datetime]] = {}
    for row in pq.read_table(lake / METRIC_HOURLY.name, partitioning=None).to_pylist():
        metric = row["metric"]
        if metric.startswith("odp_") and not metric.endswith(("log_used_pct", "_count")):
            hours = found.setdefault((metric, row["subject"]), set())
            hours.add(row["hour_utc"].astimezone(UTC))
    return found
