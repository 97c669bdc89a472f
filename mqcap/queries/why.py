"""Why a series grew: its parts from the lake, found by metric and subject."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.attribution import Attribution, PartDay, PartKind, attribution
from mqcap.domain.errors import ConfigurationError
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import Location
from mqcap.lake.parts import PartsOf, part_dates, part_days
from mqcap.queries.why_not import known_subject, without_answer
from mqcap.settings.attribution import AttributionSettings
from mqcap.unit_costs.channel_parts import CostOf, costed_part_days, each_text, no_cost

MEASURED_AS: Final = MappingProxyType(
    {
        "chinit_31bit_used_pct": "chinit_31bit_used_mib",
        "chinit_64bit_used_pct": "chinit_64bit_used_mib",
    }
)
"""Metrics whose parts are those of another: a percentage of what is measured in MiB."""
_OURS: Final = AttributionSettings()
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
    lake: Location,
    metric: str,
    subject: str,
    *,
    since: date | None = None,
    last: date | None = None,
    settings: AttributionSettings = _OURS,
    breakdown: PartKind | None = None,
    cost_of: CostOf = no_cost,
) -> SeriesGrowth:
    """Return the parts of the growth of a series since a day.

    Args:
        lake: Folder of the lake.
        metric: Name of a metric, or of one that ``MEASURED_AS`` names.
        subject: Such as ``PLEX1/CSQ1``; a part of the path where only one subject has it.
        since: First day; default: the begin of the month before the last one.
        last: Last day; default: the newest one with parts.
        settings: Days at each end, and the least growth that is shared out.
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
    newest = last or dates[-1]
    if since is not None and since >= newest:
        raise ConfigurationError(
            "the span has no length", found=f"{since} to {newest}", expected="an earlier first day"
        )
    earliest = since or begin_of_month_before(newest - _ONE_DAY)
    if not part_days(lake, metric, subject, earliest, newest):
        subject = known_subject(lake, metric, subject, newest)
    cost = cost_of(metric, subject, newest)
    rows = costed_part_days(partial(part_days, lake), metric, subject, earliest, newest, cost)
    end = last or max((row.site_date for row in rows), default=newest)
    first = since or begin_of_month_before(end)
    answer = _attribution(rows, first, end, settings, breakdown)
    if answer is None:
        raise without_answer(
            metric, rows, first, end, _attribution(rows, first, end, settings), breakdown
        )
    return SeriesGrowth(metric, subject, _unit_of(lake, metric), answer, each_text(metric, cost))


def growth_if_known(  # noqa: PLR0913 - as above
    lake: Location,
    metric: str,
    subject: str,
    *,
    since: date,
    last: date,
    settings: AttributionSettings = _OURS,
    cost_of: CostOf = no_cost,
    parts: PartsOf | None = None,
) -> SeriesGrowth | None:
    """Return the same, or ``None`` where the lake has no parts of the series at both ends.

    Days between the ends are only read where the first ones were not measured. ``parts`` are
    those of the lake, where many series share them.
    """
    metric = MEASURED_AS.get(metric, metric)
    rest = timedelta(days=settings.window_days - 1)
    cost = cost_of(metric, subject, last)
    rows_between = partial(
        costed_part_days, parts or partial(part_days, lake), metric, subject, cost=cost
    )
    ends = rows_between(last - rest, last)
    if not ends:
        return None
    ends += rows_between(since, min(since + rest, last - rest - _ONE_DAY))
    answer = _attribution(ends, since, last, settings)
    if answer is None or answer.then_days.first > since:
        answer = _attribution(rows_between(since, last), since, last, settings)
    if answer is None:
        return None
    return SeriesGrowth(metric, subject, _unit_of(lake, metric), answer, each_text(metric, cost))


def _attribution(
    rows: Iterable[PartDay],
    since: date,
    last: date,
    settings: AttributionSettings,
    breakdown: PartKind | None = None,
) -> Attribution | None:
    least = settings.least_growth_pct / 100
    return attribution(rows, since, last, settings.window_days, breakdown, least)


def begin_of_month_before(day: date) -> date:
    """Return the first day of the month before that of a day: where pages and mails begin."""
    return (day.replace(day=1) - _ONE_DAY).replace(day=1)


def _unit_of(lake: Location, metric: str) -> str:
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
