"""Fill the inputs of a rule from observations and estate, as its fields declare their sources."""

from collections.abc import Sequence
from datetime import timedelta
from operator import attrgetter
from statistics import fmean, median
from typing import Final

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
from mqcap.domain.metric import Direction, Statistic, SubjectKind
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
    """Return the inputs that have a value, each with its source; missing ones are left out.

    They are found once for the same days, estate, rule and subject.
    """
    known = observed.inputs.get((rule.id, subject))
    if known is not None and known.rule is rule and known.estate is estate:
        return known.values
    values = _values_of(rule, subject, observed, estate)
    observed.inputs[rule.id, subject] = KnownInputs(rule, estate, values)
    return values


def _values_of(
    rule: Rule, subject: str, observed: Observed, estate: Estate
) -> tuple[InputValue, ...]:
    values = []
    for name, sources in value_sources_of(rule.inputs).items():
        value = _first_value(name, sources, subject, rule, observed, estate)
        if value is not None:
            values.append(value)
    return tuple(values)


def _first_value(
    name: str,
    sources: tuple[ValueSource, ...],
    subject: str,
    rule: Rule,
    observed: Observed,
    estate: Estate,
) -> InputValue | None:
    """Return the value of the first source that has one.

    Where it was measured, a value that the site has typed for it is named beside it.
    """
    for number, source in enumerate(sources):
        value = _value(name, source, subject, rule, observed, estate)
        if value is None:
            continue
        if not isinstance(source, FromMetric):
            return value
        kind = rule.traits.subject_kind
        typed = (
            _configured(name, other, subject, kind, estate)
            for other in sources[number + 1 :]
            if isinstance(other, FromEstate)
        )
        origin = next((other.origin for other in typed if other is not None), None)
        return value if origin is None else value.model_copy(update={"instead_of": origin})
    return None


def _value(
    name: str, source: ValueSource, subject: str, rule: Rule, observed: Observed, estate: Estate
) -> InputValue | None:
    kind = rule.traits.subject_kind
    value: InputValue | None = None
    match source:
        case FromMetric():
            value = _measured(name, source, subject, rule, observed, estate)
        case FromHours():
            value = _busiest(name, source, subject, observed)
        case FromEstate():
            value = _configured(name, source, subject, kind, estate)
        case FromRecords():
            value = _stated(name, source, subject, observed)
        case FromConsole():
            value = _reported(name, subject, rule, observed)
        case FromLearnt():
            value = _learnt(name, source, subject, observed)
        case FromRulebook():
            origin = RulebookSource(document=source.document, key=source.key)
            value = InputValue(name=name, value=source.value, unit=source.unit, origin=origin)
    return value


def _whose(source: FromMetric, subject: str, kind: SubjectKind, estate: Estate) -> str | None:
    """Return the subject itself, or the one beside it that the estate names."""
    if not source.of:
        return subject
    named = _configured(source.of, FromEstate(source.of), subject, kind, estate)
    return Subject.of(Subject(subject).whole, str(named.value)) if named is not None else None


def _measured(
    name: str, source: FromMetric, subject: str, rule: Rule, observed: Observed, estate: Estate
) -> InputValue | None:
    whose = _whose(source, subject, rule.traits.subject_kind, estate)
    measured = observed.measured(source.metric, whose) if whose else None
    if whose is None or measured is None:
        return None
    direction = rule.series_direction
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


def _busiest(name: str, source: FromHours, subject: str, observed: Observed) -> InputValue | None:
    measured = observed.hours.get((source.metric, subject))
    if measured is None:
        return None
    origin = MeasuredHoursSource(
        metric=source.metric,
        subject=subject,
        first_date=measured.first_date,
        last_date=measured.last_date,
        hour_count=measured.hour_count,
        starts=measured.starts,
    )
    return InputValue(name=name, value=measured.curve, origin=origin)


_WINDOW_FIGURES: Final = {
    Over.usual: WindowFigure.median,
    Over.mean: WindowFigure.mean,
    Over.days: WindowFigure.day_count,
}


def worst_of(days: Sequence[WindowDay], statistic: Statistic, direction: Direction) -> WindowDay:
    """Return the day with the highest (downward limits: lowest) value; the last such day.

    Days are in order, the oldest first.
    """
    figures = list(map(attrgetter(statistic), reversed(days)))
    worst = max(figures) if direction is Direction.upward else min(figures)
    return days[-1 - figures.index(worst)]


def _stated(name: str, source: FromRecords, subject: str, observed: Observed) -> InputValue | None:
    """Return a fact of the records: the MQ version is the only one."""
    manager = Subject(subject).owner
    stated = observed.versions.get(manager) if source.fact == MQ_VERSION_FACT else None
    if not stated:
        return None
    origin = RecordSource(subject=manager, fact=source.fact)
    return InputValue(name=name, value=stated, origin=origin)


def _reported(name: str, subject: str, rule: Rule, observed: Observed) -> InputValue | None:
    """Return the number of states of the day, with the message of the gravest or of the last one.

    ``None`` where the console reported none within the window.
    """
    states = states_on(observed.states, rule.traits.resource, subject)
    if not states:
        return None
    today = open_on(states, observed.last)
    shown = today[0] if today else states[-1]
    origin = ConsoleSource(
        message_id=shown.message_id,
        at_utc=shown.first_utc,
        file_name=shown.file_name,
        line_number=shown.line_number,
    )
    return InputValue(name=name, value=len(today), unit="states", origin=origin)


def _learnt(name: str, source: FromLearnt, subject: str, observed: Observed) -> InputValue | None:
    cost = observed.unit_costs.find_used(source.cost, subject) if observed.unit_costs else None
    if cost is None:
        return None
    origin = LearntSource(
        cost=cost.kind,
        subject=subject,
        lower=cost.lower,
        upper=cost.upper,
        sample_text=cost.sample_text,
    )
    return InputValue(name=name, value=cost.value, unit=cost.unit, origin=origin)


def _configured(
    name: str, source: FromEstate, subject: str, kind: SubjectKind, estate: Estate
) -> InputValue | None:
    for entry, place in entries_of(subject, kind, estate):
        value = getattr(entry, source.key, None)
        if value is None:
            continue
        origin = EstateSource(place=place, key=source.key)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        unit = unit_of(entry, source.key)
        return InputValue(name=name, value=value, unit=unit, origin=origin)
    return None
