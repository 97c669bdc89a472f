"""A small site, and its files as the product's own readers read them."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site.site_figures import SiteFigures, site_figures
from devtools.simulator.site.site_spec import (
    FileSystemUse,
    Producer,
    SiteHost,
    SiteQueue,
    SiteQueueManager,
    SiteSpec,
    SiteZtpf,
)
from mqcap.ingest.registry import source_for
from tests.devtools.simulator.builders import steady

LAST: Final = date(2026, 10, 25)
"""The Sunday on which clocks go back in Berlin: 25 hours."""
FIRST: Final = LAST - timedelta(days=8)


def span(first: date = FIRST, last: date = LAST) -> SimulatedPeriod:
    return SimulatedPeriod(first, last, last, seed=3, interval_minutes=60)


def qmgr_spec(**changed: Any) -> SiteQueueManager:
    """Return a queue manager of which every figure is known."""
    made = SiteQueueManager(
        name="PAY.QM",
        host="ham-mq1",
        primary_files=6,
        secondary_files=2,
        max_channels=300,
        log_primary_pct=steady(40),
        log_fs_pct=FileSystemUse(at_anchor=50, day_noise_ratio=0, hour_noise_ratio=0),
        data_fs_pct=FileSystemUse(at_anchor=62.5, day_noise_ratio=0, hour_noise_ratio=0),
        connections=steady(200),
        puts_per_s=steady(100),
        log_write_latency_us=steady(300),
        queues=(SiteQueue(name="APP/IN", max_depth=1_000, depth_pct=steady(130), put_ratio=0.25),),
    )
    return made.model_copy(update=changed)


def container_spec(**changed: Any) -> SiteQueueManager:
    return qmgr_spec(name="qm_web", seen_by=Producer.container, queues=(), **changed)


def site_spec(**changed: Any) -> SiteSpec:
    """Return a site with two queue managers on one host, and a z/TPF system."""
    made = SiteSpec(
        name="HAMBURG",
        timezone="Europe/Berlin",
        step_minutes=30,
        history_days=9,
        hosts=(SiteHost(name="ham-mq1", cpu_busy_pct=steady(60), ram_free_pct=40),),
        qmgrs=(qmgr_spec(), container_spec()),
        ztpf=(
            SiteZtpf(
                name="TPF1",
                mqm_blocks=100_000,
                mqm_used_pct=steady(70),
                sweeps_per_day=steady(48),
                queues=("RES.IN", "TKT.OUT"),
            ),
        ),
    )
    return made.model_copy(update=changed)


def figures(site: SiteSpec | None = None, period: SimulatedPeriod | None = None) -> SiteFigures:
    """Return the figures of the first queue manager."""
    return site_figures(site or site_spec(), period or span())[0]


def rows_of(path: Path, zones: Mapping[str, str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return what the product reads from a file, by dataset; nothing of it may be left out."""
    reading = source_for(path, zones).read(path, "0" * 64)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, table in reading.tables():
        rows[name].extend(table.to_pylist())
    assert reading.summary().problems == ()
    return rows
