"""A queue sharing group of three members over three coupling facilities, in memory.

The busy engines, engines and sizes of the facilities are those of the sample estate.
"""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.hours import MeasuredHours, MeasuredSeries, measured_hours
from mqcap.judging.observed import Observed
from mqcap.lake.readers import HourRate
from mqcap.settings import load_settings
from mqcap.store.models import WindowDay
from tests.mqcap.rulebook.builders import new_store, url_of

DAY = date(2026, 11, 21)
LOG = "log_growth_mib_per_s"
CF01, CF02, CF03 = "PLEX1/CF01", "PLEX1/CF02", "PLEX1/CF03"
CSQ1, CSQ2, CSQ4 = "PLEX1/CSQ1", "PLEX1/CSQ2", "PLEX1/CSQ4"
APPL1, APPL2, LOCK = f"{CF01}/QSG1APPL1", f"{CF02}/QSG1APPL2", f"{CF02}/ISGLOCK"
_FACILITY = SubjectKind.coupling_facility
_MEMBER = SubjectKind.queue_manager
_CHINIT = SubjectKind.channel_initiator
_POOL = SubjectKind.buffer_pool
_STRUCTURE = SubjectKind.structure
MEASURED: Mapping[tuple[str, str], tuple[SubjectKind, str, float]] = {
    ("cf_busy_pct", CF01): (_FACILITY, "%", 26.48),
    ("cf_busy_pct", CF02): (_FACILITY, "%", 34.282),
    ("cf_busy_pct", CF03): (_FACILITY, "%", 21.504),
    ("cf_engine_count", CF01): (_FACILITY, "count", 1.0),
    ("cf_engine_count", CF02): (_FACILITY, "count", 3.0),
    ("cf_engine_count", CF03): (_FACILITY, "count", 2.0),
    ("cf_storage_used_pct", CF01): (_FACILITY, "%", 45.0),
    ("cf_storage_used_pct", CF02): (_FACILITY, "%", 45.0),
    ("cf_storage_used_pct", CF03): (_FACILITY, "%", 45.0),
    ("structure_size_mib", APPL1): (_STRUCTURE, "MiB", 4_096.0),
    ("structure_size_mib", APPL2): (_STRUCTURE, "MiB", 8_192.0),
    ("structure_size_mib", LOCK): (_STRUCTURE, "MiB", 100.0),
    ("structure_requests_per_s", APPL2): (_STRUCTURE, "count/s", 300.0),
    ("structure_requests_per_s", LOCK): (_STRUCTURE, "count/s", 100.0),
    ("structure_sync_us", APPL2): (_STRUCTURE, "us", 10.0),
    ("structure_sync_us", LOCK): (_STRUCTURE, "us", 10.0),
    (LOG, CSQ1): (_MEMBER, "MiB/s", 2.0),
    (LOG, CSQ2): (_MEMBER, "MiB/s", 3.0),
    (LOG, CSQ4): (_MEMBER, "MiB/s", 0.5),
    ("channels_current_count", f"{CSQ1}/CHINIT"): (_CHINIT, "count", 3_000.0),
    ("channels_current_count", f"{CSQ2}/CHINIT"): (_CHINIT, "count", 6_000.0),
    ("channels_current_limit_count", f"{CSQ1}/CHINIT"): (_CHINIT, "count", 9_999.0),
    ("chinit_31bit_used_mib", f"{CSQ1}/CHINIT"): (_CHINIT, "MiB", 600.0),
    ("chinit_31bit_used_pct", f"{CSQ1}/CHINIT"): (_CHINIT, "%", 40.0),
    ("chinit_64bit_used_mib", f"{CSQ1}/CHINIT"): (_CHINIT, "MiB", 1_024.0),
    ("chinit_64bit_used_pct", f"{CSQ1}/CHINIT"): (_CHINIT, "%", 50.0),
    ("buffer_pool_used_pct", f"{CSQ1}/BP01"): (_POOL, "%", 40.0),
    ("buffer_pool_used_pct", f"{CSQ2}/BP01"): (_POOL, "%", 60.0),
    ("buffer_pool_buffers_count", f"{CSQ1}/BP01"): (_POOL, "count", 20_000.0),
    ("buffer_pool_buffers_count", f"{CSQ2}/BP01"): (_POOL, "count", 10_000.0),
    ("buffer_pool_used_pct", f"{CSQ2}/BP02"): (_POOL, "%", 60.0),
    ("buffer_pool_buffers_count", f"{CSQ2}/BP02"): (_POOL, "count", 10_000.0),
}
"""One value of each series on its last day: kind, unit, peak."""


def facility(
    name: str, engines: int, storage_mib: float | None = 16_384, **configured: object
) -> object:
    """A coupling facility of the estate with dedicated engines."""
    facts: dict[str, object] = {"name": name, "engines": engines, "dedicated_engines": engines}
    facts |= {"storage_mib": storage_mib}
    return CouplingFacility.model_validate(facts | configured)


def member(name: str, **configured: object) -> QueueManager:
    """A member of the group with eight logs of 2 GiB."""
    facts: dict[str, object] = {
        "name": name,
        "qsg": "QSG1",
        "active_log_size_mib": 2_048,
        "active_logs": 8,
    }
    return QueueManager.model_validate(facts | configured)


def estate(
    cfs: tuple[object, ...] = (facility("CF01", 1), facility("CF02", 3), facility("CF03", 2)),
    qmgrs: tuple[QueueManager, ...] = (member("CSQ1"), member("CSQ2")),
) -> Estate:
    """The sysplex with these facilities and members."""
    return Estate.model_validate(
        {"sysplexes": [Sysplex.model_validate({"sysplex": "PLEX1", "cfs": cfs, "qmgrs": qmgrs})]}
    )


def hours(*rates: tuple[float, float] | None) -> MeasuredHours:
    """Hours of the day from midnight on, mean and peak; ``None``: not measured."""
    first = datetime.combine(DAY, time(), ZoneInfo("UTC"))
    known = {
        first + timedelta(hours=number): HourRate(*rate)
        for number, rate in enumerate(rates)
        if rate is not None
    }
    return measured_hours(known, DAY, DAY)


HOURS: Mapping[MeasuredSeries, MeasuredHours] = {
    (LOG, CSQ1): hours((1.0, 2.0), (0.5, 1.0), (0.5, 0.5), *[(1.0, 2.0), (0.5, 1.0)] * 6),
    (LOG, CSQ2): hours((0.5, 0.5), (2.0, 3.0), None, *[(0.5, 0.5), (2.0, 3.0)] * 6),
}
"""The peak of CSQ1 is in the first hour, that of CSQ2 in the second; 12 in a row are of both."""


def facts_of(
    folder: Path,
    *,
    configured: Estate | None = None,
    changed: Mapping[tuple[str, str], float] | None = None,
    by_hour: Mapping[MeasuredSeries, MeasuredHours] = HOURS,
    forecasts: tuple[Forecast, ...] = (),
) -> DayFacts:
    """What is known of the day; ``changed`` replaces peaks."""
    values = changed or {}
    days = [
        WindowDay(metric, subject, kind, unit, DAY, value / 2, value * 0.9, value)
        for (metric, subject), (kind, unit, peak) in MEASURED.items()
        for value in [values.get((metric, subject), peak)]
    ]
    return DayFacts(
        Observed(days, DAY, 35, by_hour),
        {(forecast.series_id, forecast.statistic): forecast for forecast in forecasts},
        configured or estate(),
        load_settings(lake=str(folder / "lake"), store={"url": url_of(folder)}),
        new_store(folder),
    )


def peak_of(facts: DayFacts, metric: str, subject: str) -> float:
    """The highest peak of a series."""
    return max(day.peak for day in facts.observed.days(metric, subject))


def has(facts: DayFacts, metric: str, subject: str) -> bool:
    """Whether a series is forecast."""
    return any(key[0] == series_id(metric, subject) for key in facts.forecasts)
