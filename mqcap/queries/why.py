"""Why a figure is what it is, and why there is no answer: no such subject, or one without parts."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from mqcap.domain.attribution import (
    DAYS_OF_WEEK,
    Attribution,
    PartDay,
    PartKind,
    Window,
    attribution,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import split_series_id
from mqcap.domain.names.short_names import NEAR_MAX, listed_names, names_within, near_names
from mqcap.domain.subject import Subject
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import Location
from mqcap.lake.readers import attributed_series, measured_subjects, part_dates, part_days
from mqcap.presentation.attribution_text import HOW, window_text
from mqcap.presentation.dates import short_day
from mqcap.settings.analysis import AttributionSettings
from mqcap.unit_costs.channel_cost import CostOf, costed_part_days, each_text, no_cost
from spark_apps.catalogue import made_of

MEASURED_AS: Final = {
    "chinit_31bit_used_pct": "chinit_31bit_used_mib",
    "chinit_64bit_used_pct": "chinit_64bit_used_mib",
}
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

    ``subject`` may be a part of the path that only one subject has. The span is by default from the
    month before the last one to the newest day, the breakdown the one that explains most.

    Raises ConfigurationError when no such series has parts, or none at both ends of the span.
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
) -> SeriesGrowth | None:
    """Return the same, or ``None`` where the lake has no parts of the series at both ends."""
    metric = MEASURED_AS.get(metric, metric)
    rest = timedelta(days=settings.window_days - 1)
    cost = cost_of(metric, subject, last)
    rows_between = partial(costed_part_days, partial(part_days, lake), metric, subject, cost=cost)
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


SEARCHED_DAYS: Final = 35
"""Days up to the last one in which the series that have parts are looked for (ours)."""
_OF_SITES: Final = ("mq_", "tpf_", "host_")
_NOTHING_DIVIDES: Final = (
    "No input of distributed queue managers, hosts and z/TPF systems divides this figure."
)


def known_subject(lake: Location, metric: str, subject: str, last: date) -> str:
    """Return the one subject with parts of a metric whose path is, or has a part, as asked for.

    Raises ConfigurationError without one, or without parts in the last days.
    """
    first = last - timedelta(days=SEARCHED_DAYS - 1)
    pairs = [split_series_id(identity) for identity in attributed_series(lake, first, last)]
    subjects = sorted({name for owner, name in pairs if owner == metric})
    matching = names_within(subject, subjects)
    if len(matching) == 1:
        return matching[0]
    days = f"from {short_day(first)} to {short_day(last)}"
    sources = " or ".join(HOW.get(metric, {}).values())
    remedy = f"Parts: {sources}; a subject without these records has none." if sources else ""
    instead = made_of().get(metric, "")
    if remedy and instead:
        remedy = f"{remedy} {instead}"
    if matching:
        raise ConfigurationError(
            f"several subjects of {metric} have {subject} in their path",
            found=listed_names(matching),
        )
    require_subject(subject, measured_subjects(lake, first, last))
    if subjects:
        raise ConfigurationError(
            f"{subject} has no parts of {metric} {days}",
            found=f"parts of {listed_names(subjects)}",
            expected=" or ".join(near_names(subject, subjects)) if len(subjects) > NEAR_MAX else "",
            remedy=remedy,
        )
    if sources:
        raise ConfigurationError(
            f"no subject has parts of {metric} {days}", found=subject, remedy=remedy
        )
    if metric.startswith(_OF_SITES):
        raise ConfigurationError(
            f"no parts are made of {metric}", found=subject, remedy=instead or _NOTHING_DIVIDES
        )
    metrics = sorted({owner for owner, _ in pairs})
    near = " or ".join(near_names(metric, metrics))
    raise ConfigurationError(
        f"no parts are made of {metric}",
        found=f"parts of {listed_names(metrics)}",
        expected=near or "one of these",
    )


def without_answer(
    metric: str,
    rows: Sequence[PartDay],
    first: date,
    last: date,
    other: Attribution | None,
    breakdown: PartKind | None,
) -> ConfigurationError:
    """Return the error that names what is missing; ``other`` is the answer by another breakdown."""
    span = f"{short_day(first)} to {short_day(last)}"
    days = sorted({row.site_date for row in rows if row.kind == PartKind.whole})
    if other is not None:
        kinds = [str(kind) for kind in other.breakdowns]
        return ConfigurationError(
            f"no parts by {breakdown} at both ends of {span}",
            found=f"parts by {', '.join(kinds)}",
            expected=f"--by {' or '.join(kinds)}",
        )
    if not days:
        return ConfigurationError(
            f"no parts of {metric} from {span}",
            found="no measured day",
            remedy="Choose an earlier first day with --since.",
        )
    known = f"{short_day(days[0])} to {short_day(days[-1])}"
    if len(days) < 2 or len({day.weekday() for day in days}) == len(days):
        later = short_day(days[0] + timedelta(days=DAYS_OF_WEEK))
        return ConfigurationError(
            f"no answer yet: parts of {metric} are known from {short_day(days[0])} on; no day of "
            "the week is at both ends of the span",
            found=known if len(days) > 1 else short_day(days[0]),
            expected="a Friday and an earlier Friday, for example",
            remedy=f"Ask again after {later}, or choose an earlier first day with --since.",
        )
    parts = [
        f"by {kind} {window_text(Window(min(own), max(own)))}"
        for kind in sorted({row.breakdown for row in rows} - {""})
        if (own := [row.site_date for row in rows if row.breakdown == kind])
    ]
    return ConfigurationError(
        f"parts of {metric} are known at one end of the span only",
        found="; ".join(parts) or known,
        expected="the same records at both ends",
        remedy="Choose another first day with --since: a trace was switched on or off between.",
    )


def require_subject(wanted: str, subjects: Iterable[str]) -> None:
    """Raise ConfigurationError where figures are known, but none of a subject with this name."""
    every = list(subjects)
    owners = sorted({Subject(subject).owner for subject in every})
    if not every or names_within(wanted, every):
        return
    names = sorted({*owners, *(name for owner in owners for name in owner.names)})
    near = " or ".join(near_names(wanted, names))
    raise ConfigurationError(
        f"there is no subject {wanted}",
        found=f"figures of {listed_names(owners)}",
        expected=near or "one of these",
    )
