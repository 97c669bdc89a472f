"""The daily roll-up of hourly values: the figures of each series on each site date."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa

from mqcap.completeness.days import judge_touched
from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place, QueueFloor
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.subject import SERIES_SEPARATOR, Subject
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.layout import hour_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import read_table
from mqcap.settings import Settings
from mqcap.steps.console_states import record_states
from mqcap.store.database import Store
from mqcap.store.models import SeriesFacts
from mqcap.store.observations import replace_observations, subjects_reaching
from mqcap.store.series import upsert_series

_log = logging.getLogger(__name__)
Reached = Callable[[Mapping[str, float]], set[str]]
"""Subjects of which a stored day has a peak at or above that of its metric."""
_SHARES: Final = ("mq_queue_depth_used_pct", "mq_queue_file_used_pct")
_PUTS: Final = "mq_queue_put_per_s"
_NAMED: Final = 5


def without_low_queues(
    daily: pd.DataFrame, kinds: Mapping[str, str], estate: Estate, reached: Reached
) -> tuple[pd.DataFrame, list[str]]:
    """Return the days without queues that never ``reached`` the floor of their site; sentences."""
    queue_metrics = {name for name, kind in kinds.items() if kind == SubjectKind.distributed_queue}
    is_queue = daily["metric"].isin(queue_metrics)
    of_queues = daily[is_queue]
    sites = of_queues["subject"].map(lambda subject: Subject(subject).sysplex)
    gone: set[str] = set()
    sentences = []
    for place in estate.places:
        own, floor = of_queues[sites == place.site], place.queue_floor
        if floor is not None and (low := _low(own, place, floor, reached)):
            gone |= low
            sentences.append(_sentence(place.site, floor, low))
    return daily[~(is_queue & daily["subject"].isin(gone))], sentences


def _low(own: pd.DataFrame, place: Place, floor: QueueFloor, reached: Reached) -> set[str]:
    """Return the queues of a site that have never reached its floor and are not listed."""
    floors = dict.fromkeys(_SHARES, floor.used_pct) | {_PUTS: floor.put_per_s}
    least = {metric: value for metric, value in floors.items() if value is not None}
    judged = own[own["metric"].isin(least.keys())]
    reaching = judged.loc[judged["peak"] >= judged["metric"].map(least), "subject"]
    low = set(judged["subject"]) - set(reaching)
    listed = {
        subject_of(place.site, qmgr.name, queue.name)
        for qmgr in place.qmgrs
        for queue in qmgr.queues
    }
    low -= listed
    return low - reached(least) if low else low


def _sentence(site: str, floor: QueueFloor, low: set[str]) -> str:
    subjects = sorted(low)
    names = ", ".join(Subject(subject).in_sysplex for subject in subjects[:_NAMED])
    more = len(subjects) - _NAMED
    limits = [
        text
        for value, text in (
            (floor.used_pct, f"{figure(floor.used_pct)} % of MAXDEPTH or of the queue file"),
            (floor.put_per_s, f"{figure(floor.put_per_s)} puts/s"),
        )
        if value is not None
    ]
    owners = {Subject(subject).owner for subject in subjects}
    return (
        f"{site}: {counted(len(subjects), 'queue')} of {counted(len(owners), 'queue manager')} "
        f"never reached queue_floor ({' or '.join(limits)}) and have no series: {names}"
        f"{f' and {more} more' if more > 0 else ''}."
    )


DEVIATION: Final = "log_growth_deviation_pct"


def differing_log_growth(daily: pd.DataFrame, tolerance_pct: float) -> list[str]:
    """Return a sentence per queue manager and day that differs by more than tolerated."""
    differing = daily[(daily["metric"] == DEVIATION) & (daily["mean"].abs() > tolerance_pct)]
    rows = differing.sort_values(["subject", "site_date"]).to_dict(orient="records")
    return [
        f"{row['subject']}, {row['site_date']}: the records show "
        f"{quantity(abs(float(row['mean'])), '%')} {'more' if row['mean'] > 0 else 'less'} log "
        "growth than the log switches on the console (tolerated: "
        f"{quantity(tolerance_pct, '%')}, ingest.log_growth_tolerance_pct). Look for missing "
        "or repeated records, and whether the console log is of that queue manager."
        for row in rows
    ]


_COLUMNS = ["metric", "subject", "hour_utc", "value", "peak", "total", "covered_seconds"]
_NAMES = ["metric", "subject"]
_DECLARED = ("subject_kind", "unit", "description", "forecast", "ceiling", "direction")
_ONE_DAY = timedelta(days=1)


def roll_up(
    settings: Settings, engine: Store, lake: Location, stale: Mapping[date, str | None]
) -> dict[str, int]:
    """Rewrite observations on the hours of UTC dates, and record their digests. Return counts."""
    site_dates = {day + shift for day in stale for shift in (-_ONE_DAY, timedelta(0), _ONE_DAY)}
    hours = _hours(lake, {d + s for d in site_dates for s in (-_ONE_DAY, timedelta(0), _ONE_DAY)})
    zones = settings.zones()
    daily = daily_observations(hours, zones, settings.site.timezone)
    metrics = {entry["name"]: entry for entry in metric_catalogue(lake)}
    names = {entry["lowest_of"]: name for name, entry in metrics.items() if entry.get("lowest_of")}
    lowest = lowest_hours(hours, names, zones, settings.site.timezone)
    if len(lowest):
        daily = pd.concat([daily, lowest], ignore_index=True)
    daily = daily[daily["site_date"].isin(site_dates)]
    kinds = {name: entry["subject_kind"] for name, entry in metrics.items()}
    daily, below = without_low_queues(
        daily, kinds, settings.complete_estate(), partial(subjects_reaching, engine)
    )
    _record_series(metrics, engine, daily)
    for sentence in (
        *below,
        *differing_log_growth(daily, settings.ingest.log_growth_tolerance_pct),
    ):
        _log.warning("%s", sentence)
    states = record_states(settings, engine, lake, site_dates)
    feed_days = judge_touched(settings, engine, site_dates)
    count = replace_observations(engine, site_dates, _observations(daily), stale)
    return {
        "hour_dates": len(stale),
        "site_dates": len(site_dates),
        "observations": count,
        "feed_days": feed_days,
        **states,
    }


def daily_observations(
    hours: pd.DataFrame, zones: Mapping[str, str], default_zone: str
) -> pd.DataFrame:
    """Return one row per series and site date with mean, p95, peak, total and covered hours.

    Of columns of ``metric_hourly``. The mean weighs hours by covered time; p95 is linear of hourly
    means; a day without hours has no row.
    """
    names = {name: pd.CategoricalDtype(sorted(hours[name].unique())) for name in _NAMES}
    hours = hours.astype(names)  # sorting and grouping compare numbers instead of texts
    frames = [
        _of_one_zone(part, zones.get(str(plex), default_zone))
        for plex, part in hours.groupby(
            hours["subject"].map(lambda subject: Subject(subject).sysplex), sort=True, observed=True
        )
    ]
    figures = ["mean", "p95", "peak", "total", "busiest_hour_utc", "covered_hours"]
    empty = pd.DataFrame(columns=["series_id", *_NAMES, "site_date", *figures])
    return pd.concat(frames, ignore_index=True) if frames else empty


def lowest_hours(
    hours: pd.DataFrame, names: Mapping[str, str], zones: Mapping[str, str], default_zone: str
) -> pd.DataFrame:
    """Return the lowest hourly mean of each day as a series; ``names`` by that of the hours."""
    own = hours[hours["metric"].isin(list(names))]
    negated = own.assign(peak=-own["value"], total=float("nan"))
    daily = daily_observations(negated, zones, default_zone)
    if daily.empty:
        return daily
    lowest, metric = -daily["peak"], daily["metric"].map(names)
    identity = metric.str.cat(daily["subject"], sep=SERIES_SEPARATOR)
    return daily.assign(metric=metric, series_id=identity, mean=lowest, p95=lowest, peak=lowest)


def _site_dates(hours_utc: pd.Series, zone: str) -> pd.Series:
    """Return the local date of each hour, by Python's time zones: those of pandas differ."""
    distinct = pd.DatetimeIndex(hours_utc.unique())
    local = distinct.tz_convert(ZoneInfo(zone)).tz_localize(None).normalize()
    return hours_utc.map(pd.Series(local, index=distinct))


def _of_one_zone(hours: pd.DataFrame, zone: str) -> pd.DataFrame:
    frame = hours.assign(
        site_date=_site_dates(hours["hour_utc"], zone),
        weighted=hours["value"] * hours["covered_seconds"],
    ).sort_values(["metric", "subject", "hour_utc"], kind="stable", ignore_index=True)
    groups = frame.groupby(["metric", "subject", "site_date"], sort=True, observed=True)
    daily = groups.agg(
        weighted=("weighted", "sum"),
        covered_seconds=("covered_seconds", "sum"),
        peak=("peak", "max"),
    )
    daily["p95"] = groups["value"].quantile(0.95)
    daily["total"] = groups["total"].sum(min_count=1)
    daily["busiest_hour_utc"] = frame.loc[groups["peak"].idxmax(), "hour_utc"].to_numpy()
    daily["mean"] = daily["weighted"] / daily["covered_seconds"]
    daily["covered_hours"] = daily["covered_seconds"] / SECONDS_PER_HOUR
    daily = daily.drop(columns=["weighted", "covered_seconds"]).reset_index()
    daily["site_date"] = daily["site_date"].dt.date
    daily[_NAMES] = daily[_NAMES].astype(object)
    daily["busiest_hour_utc"] = pd.to_datetime(daily["busiest_hour_utc"], utc=True)
    daily["series_id"] = [
        series_id(m, s) for m, s in zip(daily["metric"], daily["subject"], strict=True)
    ]
    return daily


def _hours(lake: Location, hour_dates: Iterable[date]) -> pd.DataFrame:
    tables = []
    for day in sorted(hour_dates):
        tables += [
            read_table(path, _COLUMNS, _NAMES)
            for path in parquet_files(hour_partition(lake, METRIC_HOURLY.name, day))
        ]
    if not tables:
        return pd.DataFrame(columns=_COLUMNS)
    # dates written by different runs may differ in whether a column can be null
    table = pa.concat_tables(tables, promote_options="default").unify_dictionaries()
    hours: pd.DataFrame = table.to_pandas()
    if hours["hour_utc"].dt.tz is None:
        hours["hour_utc"] = hours["hour_utc"].dt.tz_localize("UTC")
    return hours


def _record_series(
    metrics: Mapping[str, Mapping[str, Any]], engine: Store, daily: pd.DataFrame
) -> None:
    series = daily[["series_id", "metric", "subject"]].drop_duplicates().to_dict(orient="records")
    declared = {name: {key: entry[key] for key in _DECLARED} for name, entry in metrics.items()}
    upsert_series(
        engine, [SeriesFacts.model_validate(one | declared[one["metric"]]) for one in series]
    )


def _observations(daily: pd.DataFrame) -> Iterator[dict[str, Any]]:
    total, busiest = daily["total"].astype(object), pd.DatetimeIndex(daily["busiest_hour_utc"])
    plain = daily.drop(columns=[*_NAMES, "total", "busiest_hour_utc"])
    columns = {
        **{str(name): plain[name].tolist() for name in plain},
        "total": total.where(total.notna(), None).tolist(),
        "busiest_hour_utc": busiest.to_pydatetime().tolist(),
    }
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))
