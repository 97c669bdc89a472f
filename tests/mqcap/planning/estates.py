"""Estates with every kind of resource that a plan can change, under any load and growth."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, SubjectKind, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.observed import Observed
from mqcap.settings import load_settings
from mqcap.store.database import Store
from mqcap.store.models import WindowDay
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, rising

CHINIT = f"{QUEUE_MANAGER}/CHINIT"
POOL = f"{QUEUE_MANAGER}/BP01"
PAGE_SET = f"{QUEUE_MANAGER}/PS03"
CF = "PLEX1/CF01"
STRUCTURES = (f"{CF}/QSG1APPL1", "PLEX1/CF02/QSG1APPL1")
WINDOW_DAYS = 35
RATIOS = {Statistic.peak: 1.0, Statistic.p95: 0.9, Statistic.mean: 0.5}


class Load(NamedTuple):
    """Use of each resource as a share of its limit or size, and its growth a day."""

    log_mib_per_s: float = 0.5
    share: float = 0.6
    growth_per_day: float = 0.001


Measured = tuple[str, str, SubjectKind, str, float]
Forecasts = dict[tuple[str, Statistic], Forecast]


def measured(load: Load) -> Iterator[Measured]:
    """Yield metric, subject, kind, unit and daily peak of each series."""
    manager, chinit = SubjectKind.queue_manager, SubjectKind.channel_initiator
    share = load.share
    yield "log_growth_mib_per_s", QUEUE_MANAGER, manager, "MiB/s", load.log_mib_per_s
    yield "channels_current_count", CHINIT, chinit, "count", 5_000 * share
    yield "channels_current_limit_count", CHINIT, chinit, "count", 5_000.0
    yield "chinit_31bit_used_mib", CHINIT, chinit, "MiB", 1_500 * share
    yield "chinit_31bit_used_pct", CHINIT, chinit, "%", 100 * share
    yield "chinit_64bit_used_mib", CHINIT, chinit, "MiB", 2_048 * share
    yield "chinit_64bit_used_pct", CHINIT, chinit, "%", 100 * share
    yield "chinit_adapters_count", CHINIT, chinit, "count", 8.0
    yield "chinit_adapters_used_count", CHINIT, chinit, "count", float(round(8 * share))
    yield "chinit_dispatchers_count", CHINIT, chinit, "count", 5.0
    yield "chinit_dispatcher_busy_pct", CHINIT, chinit, "%", 100 * share
    yield "smds_used_pct", QUEUE_MANAGER, manager, "%", 100 * share
    yield "buffer_pool_used_pct", POOL, SubjectKind.buffer_pool, "%", 100 * share
    yield "buffer_pool_buffers_count", POOL, SubjectKind.buffer_pool, "count", 50_000.0
    yield "page_set_used_pages", PAGE_SET, SubjectKind.page_set, "pages", 180_000 * share
    yield "page_set_used_pct", PAGE_SET, SubjectKind.page_set, "%", 100 * share
    yield "cf_busy_pct", CF, SubjectKind.coupling_facility, "%", 80 * share
    yield "cf_engine_count", CF, SubjectKind.coupling_facility, "count", 2.0
    for structure in STRUCTURES:
        kind = SubjectKind.structure
        yield "structure_size_mib", structure, kind, "MiB", 512.0
        yield "structure_entries_used_pct", structure, kind, "%", 100 * share
        yield "structure_elements_used_pct", structure, kind, "%", 90 * share
        yield "structure_sync_us", structure, kind, "us", 9.0
        yield "structure_requests_per_s", structure, kind, "count/s", 4_000 * share


FIXED = (
    "_count", "structure_size_mib", "structure_sync_us",
)  # fmt: skip
"""Ends of the names of metrics that do not grow."""


def facts_under(load: Load, engine: Store, **qmgr: Any) -> DayFacts:
    """A window of equal days, and forecasts that grow by the same amount every day."""
    days, forecasts = _days_and_forecasts(measured(load), load.growth_per_day)
    return DayFacts(
        Observed(days, DAY, WINDOW_DAYS), forecasts, _estate(**qmgr), load_settings(), engine
    )


def facts_of_many(loads: Sequence[Load], engine: Store) -> DayFacts:
    """As many queue managers Q001, Q002 and so on, which share facilities and structures."""
    days: list[WindowDay] = []
    forecasts: Forecasts = {}
    for number, load in enumerate(loads, 1):
        own = [
            (metric, subject.replace("CSQ1", f"Q{number:03}"), kind, unit, peak)
            for metric, subject, kind, unit, peak in measured(load)
            if number == 1 or subject.startswith(QUEUE_MANAGER)
        ]
        more, others = _days_and_forecasts(own, load.growth_per_day)
        days += more
        forecasts |= others
    item = _estate()
    [plex] = item.sysplexes
    [manager] = plex.qmgrs
    names = (f"Q{number:03}" for number in range(1, len(loads) + 1))
    managers = tuple(manager.model_copy(update={"name": name}) for name in names)
    estate = Estate(sysplexes=(plex.model_copy(update={"qmgrs": managers}),))
    return DayFacts(Observed(days, DAY, WINDOW_DAYS), forecasts, estate, load_settings(), engine)


def _days_and_forecasts(
    series: Iterable[Measured], growth_per_day: float
) -> tuple[list[WindowDay], Forecasts]:
    days, forecasts = [], {}
    for metric, subject, kind, unit, peak in series:
        days += [
            WindowDay(
                metric, subject, kind, unit, DAY - timedelta(days=back), peak / 2, peak * 0.9, peak
            )
            for back in range(WINDOW_DAYS)
        ]
        growth = 0.0 if metric.endswith(FIXED) else growth_per_day
        for statistic, ratio in RATIOS.items():
            start = peak * ratio
            made: Forecast = rising(
                series_id(metric, subject), start, start * growth, statistic=statistic
            )
            forecasts[made.series_id, statistic] = made
    return days, forecasts


def _estate(**qmgr: Any) -> Estate:
    facts = {
        "name": "CSQ1", "qsg": "QSG1", "active_log_size_mib": 2_048, "active_logs": 6,
        "dual_logging": True, "archive_minutes": 2, "maxarch": 500, "page_set_backup_hours": 168,
        "structure_backup_hours": 24, "restart_target_minutes": 60,
    }  # fmt: skip
    manager = QueueManager.model_validate(facts | qmgr)
    facilities = tuple(
        CouplingFacility(name=name, engines=2, dedicated_engines=2) for name in ("CF01", "CF02")
    )
    return Estate(sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(manager,), cfs=facilities),))
