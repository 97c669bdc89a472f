"""Fill the inputs of a rule from observations and estate, as its fields declare their sources."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from operator import attrgetter
from statistics import fmean, median
from typing import Any, Final, NamedTuple

from mqcap.domain.console.states import open_on, states_on
from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import entries_of, unit_of
from mqcap.domain.finding import InputValue
from mqcap.domain.input_source import (
    ConsoleSource,
    EstateSource,
    LearntSource,
    MeasuredDaySource,
    MeasuredHoursSource,
    MeasuredWindowSource,
    RecordSource,
    RulebookSource,
    WindowFigure,
)
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.subject import Subject
from mqcap.judging.observed import KnownInputs, Observed
from mqcap.store.models import WindowDay
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import (
    FromConsole,
    FromEstate,
    FromHours,
    FromLearnt,
    FromMetric,
    FromRecords,
    FromRulebook,
    Over,
    ValueSource,
)

MQ_VERSION_FACT: Final = "mq_version"


def values_of(
    rule: Rule, subject: str, observed: Observed, estate: Estate
) -> tuple[InputValue, ...]:
    """Return the inputs that have a value, with sources; found once for equal arguments."""
    known = observed.inputs.get((rule.id, subject))
    if known is not None and known.rule is rule and known.estate is estate:
        return known.values
    place = _Place(rule, subject, observed, estate)
    found = (
        _first_value(name, sources, place)
        for name, sources in value_sources_of(rule.inputs).items()
    )
    values = tuple(value for value in found if value is not None)
    observed.inputs[rule.id, subject] = KnownInputs(rule, estate, values)
    return values


class _Place(NamedTuple):
    rule: Rule
    subject: str
    observed: Observed
    estate: Estate


def _first_value(name: str, sources: tuple[ValueSource, ...], place: _Place) -> InputValue | None:
    """Return the value of the first source that has one, with the typed one that it replaces."""
    for number, source in enumerate(sources):
        read = _READERS.get(type(source))
        value = read(name, source, place) if read else None
        if value is None:
            continue
        if isinstance(source, FromMetric):
            for other in sources[number + 1 :]:
                typed = _configured(name, other, place) if isinstance(other, FromEstate) else None
                if typed is not None:
                    return value.model_copy(update={"instead_of": typed.origin})
        return value
    return None


def _measured(name: str, source: FromMetric, place: _Place) -> InputValue | None:
    whose, observed = place.subject, place.observed
    if source.of:
        named = _configured(source.of, FromEstate(source.of), place)
        if named is None:
            return None
        whose = Subject.of(Subject(whose).whole, str(named.value))
    measured = observed.measured(source.metric, whose)
    if measured is None:
        return None
    direction = place.rule.series_direction
    key = (name, source, direction, observed.last, observed.window_days)
    if key not in measured.inputs:
        measured.inputs[key] = _figure(name, source, whose, direction, observed)
    return measured.inputs[key]


def _figure(
    name: str, source: FromMetric, subject: str, direction: Direction, observed: Observed
) -> InputValue | None:
    days = observed.days(source.metric, subject, source.days)
    end = observed.last - timedelta(days=source.but_last)
    days = [day for day in days if day.site_date <= end]
    if not days:
        return None
    unit = days[-1].unit
    if source.over in {Over.worst, Over.highest}:
        side = direction if source.over is Over.worst else Direction.upward
        day = worst_of(days, source.statistic, side)
        origin = MeasuredDaySource(
            metric=source.metric,
            subject=subject,
            statistic=source.statistic,
            site_date=day.site_date,
            window_days=source.days or observed.window_days,
            limit_ratio=day.limit_ratio,
        )
        return InputValue(name=name, value=day.value(source.statistic), unit=unit, origin=origin)
    window = MeasuredWindowSource(
        metric=source.metric,
        subject=subject,
        figure=_WINDOW_FIGURES[source.over],
        statistic=None if source.over is Over.days else source.statistic,
        first_date=days[0].site_date,
        last_date=days[-1].site_date,
    )
    if source.over is Over.days:
        return InputValue(name=name, value=len(days), unit="days", origin=window)
    figures = [day.value(source.statistic) for day in days]
    value = median(figures) if source.over is Over.usual else fmean(figures)
    return InputValue(name=name, value=value, unit=unit, origin=window)


_WINDOW_FIGURES: Final = {
    Over.usual: WindowFigure.median,
    Over.mean: WindowFigure.mean,
    Over.days: WindowFigure.day_count,
}


def worst_of(days: Sequence[WindowDay], statistic: Statistic, direction: Direction) -> WindowDay:
    """Return the last day with the highest (downward limits: lowest) value of days in order."""
    figures = list(map(attrgetter(statistic), reversed(days)))
    worst = max(figures) if direction is Direction.upward else min(figures)
    return days[-1 - figures.index(worst)]


def _busiest(name: str, source: FromHours, place: _Place) -> InputValue | None:
    measured = place.observed.hours.get((source.metric, place.subject))
    if measured is None:
        return None
    origin = MeasuredHoursSource(
        metric=source.metric,
        subject=place.subject,
        first_date=measured.first_date,
        last_date=measured.last_date,
        hour_count=measured.hour_count,
        starts=measured.starts,
    )
    return InputValue(name=name, value=measured.curve, origin=origin)


def _stated(name: str, source: FromRecords, place: _Place) -> InputValue | None:
    manager = Subject(place.subject).owner
    stated = place.observed.versions.get(manager) if source.fact == MQ_VERSION_FACT else None
    if not stated:
        return None
    origin = RecordSource(subject=manager, fact=source.fact)
    return InputValue(name=name, value=stated, origin=origin)


def _reported(name: str, _: FromConsole, place: _Place) -> InputValue | None:
    """Return the number of states of the day with a message; ``None`` for a silent window."""
    states = states_on(place.observed.states, place.rule.traits.resource, place.subject)
    if not states:
        return None
    today = open_on(states, place.observed.last)
    shown = today[0] if today else states[-1]
    origin = ConsoleSource(
        message_id=shown.message_id,
        at_utc=shown.first_utc,
        file_name=shown.file_name,
        line_number=shown.line_number,
    )
    return InputValue(name=name, value=len(today), unit="states", origin=origin)


def _learnt(name: str, source: FromLearnt, place: _Place) -> InputValue | None:
    costs = place.observed.unit_costs
    cost = costs.find_used(source.cost, place.subject) if costs else None
    if cost is None:
        return None
    origin = LearntSource(
        cost=cost.kind,
        subject=place.subject,
        lower=cost.lower,
        upper=cost.upper,
        sample_text=cost.sample_text,
    )
    return InputValue(name=name, value=cost.value, unit=cost.unit, origin=origin)


def _configured(name: str, source: FromEstate, place: _Place) -> InputValue | None:
    kind = place.rule.traits.subject_kind
    for entry, where in entries_of(place.subject, kind, place.estate):
        value = getattr(entry, source.key, None)
        if value is None:
            continue
        origin = EstateSource(place=where, key=source.key)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        return InputValue(name=name, value=value, unit=unit_of(entry, source.key), origin=origin)
    return None


def _of_document(name: str, source: FromRulebook, _: _Place) -> InputValue:
    origin = RulebookSource(document=source.document, key=source.key)
    return InputValue(name=name, value=source.value, unit=source.unit, origin=origin)


_READERS: Final[dict[type[ValueSource], Callable[[str, Any, _Place], InputValue | None]]] = {
    FromMetric: _measured,
    FromHours: _busiest,
    FromEstate: _configured,
    FromRecords: _stated,
    FromConsole: _reported,
    FromLearnt: _learnt,
    FromRulebook: _of_document,
}
"""What only a person or a loss can state is read from nowhere here."""
