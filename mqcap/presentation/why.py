"""Why a series grew: its parts from the lake, found by metric and subject."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.attribution import BREAKDOWNS, Attribution, PartKind, attribution
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import split_series_id
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.parts import attributed_series, part_dates
from mqcap.presentation.attribution_text import sources_text
from mqcap.unit_costs.channel_parts import CostOf, costed_part_days, each_text, no_cost

SINCE_DAYS: Final = 30
"""Days of the span where no first day is given (ours)."""
SEARCHED_DAYS: Final = 35
"""Days up to the last one in which the series that have parts are looked for (ours)."""
MEASURED_AS: Final = MappingProxyType(
    {
        "chinit_31bit_used_pct": "chinit_31bit_used_mib",
        "chinit_64bit_used_pct": "chinit_64bit_used_mib",
    }
)
"""Metrics whose parts are those of another: a percentage of what is measured in MiB."""
_NEAR_MAX: Final = 3
_ONE_DAY: Final = timedelta(days=1)
_REMEDY: Final = "`mqcap load` adds records; the day is then aggregated with its parts."


class SeriesGrowth(NamedTuple):
    """The growth of a series with its parts."""

    metric: str
    subject: str
    unit: str
    attribution: Attribution
    each: str = ""
    """What one channel takes, and whose figure it is; empty where parts are no channels."""


def growth_of_series(  # noqa: PLR0913 - the series and the span, all but three keyword-only
    lake: Path,
    metric: str,
    subject: str,
    *,
    since: date | None = None,
    last: date | None = None,
    window_days: int = 7,
    breakdown: PartKind | None = None,
    cost_of: CostOf = no_cost,
) -> SeriesGrowth:
    """Return the parts of the growth of a series since a day.

    Args:
        lake: Folder of the lake.
        metric: Name of a metric, or of one that ``MEASURED_AS`` names.
        subject: Such as ``PLEX1/CSQ1``.
        since: First day; default ``SINCE_DAYS`` before the last one.
        last: Last day; default: the newest one with parts.
        window_days: Days at each end of which the mean is taken.
        breakdown: That to use; default: the one that explains most.
        cost_of: The cost of a channel, where parts are the storage of channels.

    Raises:
        ConfigurationError: no such series has parts, or none at both ends of the span.
    """
    metric = MEASURED_AS.get(metric, metric)
    dates = part_dates(lake)
    if not dates:
        raise ConfigurationError(
            "no parts of any figure are in the lake", found=str(lake), remedy=_REMEDY
        )
    last = last or dates[-1]
    since = since or last - timedelta(days=SINCE_DAYS)
    if since >= last:
        raise ConfigurationError(
            "the span has no length", found=f"{since} to {last}", expected="an earlier first day"
        )
    cost = cost_of(metric, subject, last)
    rows = costed_part_days(lake, metric, subject, since, last, cost)
    answer = attribution(rows, since, last, window_days, breakdown)
    if answer is None:
        _require_known(lake, metric, subject, last)
        raise _without_parts(rows_found=bool(rows), since=since, last=last, breakdown=breakdown)
    return SeriesGrowth(metric, subject, _unit_of(lake, metric), answer, each_text(metric, cost))


def growth_if_known(  # noqa: PLR0913 - as above
    lake: Path,
    metric: str,
    subject: str,
    *,
    since: date,
    last: date,
    window_days: int,
    cost_of: CostOf = no_cost,
) -> SeriesGrowth | None:
    """Return the same, or ``None`` where the lake has no parts of the series at both ends.

    Days between the ends are only read where the first ones were not measured.
    """
    metric = MEASURED_AS.get(metric, metric)
    rest = timedelta(days=window_days - 1)
    cost = cost_of(metric, subject, last)
    rows_between = partial(costed_part_days, lake, metric, subject, cost=cost)
    ends = rows_between(last - rest, last)
    if not ends:
        return None
    ends += rows_between(since, min(since + rest, last - rest - _ONE_DAY))
    answer = attribution(ends, since, last, window_days)
    if answer is None or answer.then_days.first > since:
        answer = attribution(rows_between(since, last), since, last, window_days)
    if answer is None:
        return None
    return SeriesGrowth(metric, subject, _unit_of(lake, metric), answer, each_text(metric, cost))


def begin_of_month_before(day: date) -> date:
    """Return the first day of the month before that of a day: where pages and mails begin."""
    return (day.replace(day=1) - _ONE_DAY).replace(day=1)


def _require_known(lake: Path, metric: str, subject: str, last: date) -> None:
    """Raise ConfigurationError with near names unless the series has parts in the last days."""
    known = attributed_series(lake, last - timedelta(days=SEARCHED_DAYS - 1), last)
    pairs = [split_series_id(identity) for identity in known]
    metrics = sorted({name for name, _ in pairs} | (_aliases(pairs)))
    remedy = _records_needed(metric)
    if metric not in metrics:
        if remedy:
            raise ConfigurationError(f"no parts of {metric}", found=subject, remedy=remedy)
        raise ConfigurationError(
            "no parts of such a metric", found=metric, expected=_near(metric, metrics)
        )
    subjects = sorted({name for owner, name in pairs if owner == metric})
    if subject not in subjects:
        raise ConfigurationError(
            f"no parts of {metric} of such a subject",
            found=subject,
            expected=_near(subject, subjects),
            remedy=remedy,
        )


def _records_needed(metric: str) -> str:
    """Return which records a subject needs to have parts; empty where the metric never has any."""
    sources = sources_text(metric)
    return f"Parts are made of {sources}; a subject without these has none." if sources else ""


def _aliases(pairs: Sequence[tuple[str, str]]) -> set[str]:
    measured = {name for name, _ in pairs}
    return {alias for alias, name in MEASURED_AS.items() if name in measured}


def _without_parts(
    *, rows_found: bool, since: date, last: date, breakdown: PartKind | None
) -> ConfigurationError:
    by = f" by {breakdown}" if breakdown else ""
    kinds = ", ".join(map(str, BREAKDOWNS))
    return ConfigurationError(
        f"no parts{by} at both ends of the span",
        found=f"{since} to {last}, {'some days between' if rows_found else 'no day between'}",
        expected=f"parts by one of {kinds}" if breakdown else "at least two measured days",
        remedy="Choose another first day with --since, or leave out --by.",
    )


def _near(wanted: str, known: Sequence[str]) -> str:
    """Return the names that contain or look like the one asked for."""
    folded = wanted.casefold()
    holding = [name for name in known if folded in name.casefold()] if wanted else []
    by_folded = {name.casefold(): name for name in known}
    alike = [by_folded[name] for name in get_close_matches(folded, by_folded, _NEAR_MAX, 0.4)]
    near = list(dict.fromkeys([*holding, *alike]))[:_NEAR_MAX] or list(known[:_NEAR_MAX])
    return " or ".join(near)


def _unit_of(lake: Path, metric: str) -> str:
    units = {entry["name"]: str(entry["unit"]) for entry in metric_catalogue(lake)}
    return units.get(metric, "")


def as_document(growth: SeriesGrowth) -> dict[str, object]:
    """Return the growth and its parts for JSON; figures in the unit of the metric."""
    answer = growth.attribution
    return {
        "metric": growth.metric,
        "subject": growth.subject,
        "unit": growth.unit,
        **({"each": growth.each} if growth.each else {}),
        "breakdown": str(answer.breakdown),
        "breakdowns": [str(kind) for kind in answer.breakdowns],
        "then_days": [day.isoformat() for day in answer.then_days],
        "now_days": [day.isoformat() for day in answer.now_days],
        "then": answer.then,
        "now": answer.now,
        "parts": [{**part._asdict(), "kind": str(part.kind)} for part in answer.parts],
    }
