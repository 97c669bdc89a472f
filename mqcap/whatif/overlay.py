"""Apply a scenario to measured values, forecasts and configuration.

Growth multiplies (storage of a channel initiator: the part of its channels; CF busy with requests
of structures: their part), added workload adds the same amount at all hours, CF busy spreads evenly
over the engines (first estimates, ours). A percentage above 100 is what is needed of the capacity
of now.
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from typing import Final, NamedTuple, TypeVar

from forecasting.lines import ForecastLines, lines_of, with_lines
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import SubjectKind, split_series_id
from mqcap.domain.numbers import figure
from mqcap.domain.subject import SERIES_SEPARATOR, Subject
from mqcap.judging.deferred import DeferredMapping
from mqcap.judging.evaluate import DayFacts, ForecastKey
from mqcap.judging.hours import MeasuredHours, MeasuredSeries
from mqcap.judging.known import Same
from mqcap.judging.observed import MeasuredDays
from mqcap.lake.readers import HourRate
from mqcap.losses.carried.lose import LossOverlay, loss_of
from mqcap.store.models import WindowDay
from mqcap.unit_costs.chinit_storage import CHANNELS
from mqcap.whatif.channels import channels_of, moved_channels_of, sharing_of
from mqcap.whatif.configured import estate_changes, estate_under
from mqcap.whatif.distributed import distributed_of
from mqcap.whatif.effects import (
    DerivedFigure,
    Outcomes,
    SeriesChange,
    SeriesEffect,
    combined,
    copies_of,
    effect,
    not_measured,
    number,
)
from mqcap.whatif.growth_of_load import busy_of_grown_requests, effects_of_messages
from mqcap.whatif.hardware import cost_on, hardware_of, settings_of
from mqcap.whatif.learnt_costs import STORAGE, storage_growth
from mqcap.whatif.messages import messages_of
from mqcap.whatif.parts import AddedWorkload, ScenarioGrowth
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.sizes import sizes_of
from mqcap.whatif.typed_settings import refuse_without_effect, typed_settings_of
from spark_apps.catalogue import metrics_of_load

T = TypeVar("T")


class Overlay(NamedTuple):
    """Measurements, forecasts and configuration under a scenario, with the effects behind them."""

    facts: DayFacts
    effects: tuple[SeriesEffect, ...]
    computed: tuple[DerivedFigure, ...]
    unlost: DayFacts
    """The same with nothing lost."""
    losses: tuple[LossOverlay, ...] = ()
    """What is lost, in the order of the scenario; ``facts`` are those after all of them."""


def overlay(facts: DayFacts, scenario: Scenario) -> Overlay:
    """Return the data of a day with one corner of a scenario applied.

    Measured days and forecasts change as though the scenario were in force on all of them; only
    dates are counted from its start on (``comparison``).

    A ConfigurationError where a subject is not measured, a setting is out of range or changes no
    result, or more channels move away than there are.
    """
    scenario = with_full_names(facts, scenario)
    refuse_without_effect(scenario)
    observed = facts.observed
    outcomes = list(_outcomes(facts, scenario))
    effects = [outcome for outcome in outcomes if isinstance(outcome, SeriesEffect)]
    figures = [outcome for outcome in outcomes if isinstance(outcome, DerivedFigure)]
    computed = list(_converted(figures, scenario))
    changes = combined(effects)
    for series in changes:
        if series not in observed.series:
            raise not_measured(observed, *series)
    days = {
        series: partial(changed_days, facts, series, change) for series, change in changes.items()
    }
    hours = {
        series: partial(_changed_hours, facts, series, change)
        for series, change in changes.items()
        if series in observed.hours
    }
    forecasts = {
        key: partial(changed_forecast, facts, key, change)
        for key in facts.forecasts
        if (change := changes.get(split_series_id(key[0]))) is not None
    }
    estate = estate_changes(scenario)
    unlost = applied = facts._replace(
        observed=observed.replaced(days, hours),
        forecasts=DeferredMapping(facts.forecasts, forecasts),
        estate=facts.once(
            ("estate", Same(facts.estate), repr(estate)), lambda: estate_under(facts.estate, estate)
        ),
    )
    losses = []
    for lost in scenario.lose:
        loss = loss_of(applied, lost)
        losses.append(loss)
        applied = loss.facts
        effects += loss.effects
        computed += loss.computed
    return Overlay(applied, tuple(effects), tuple(computed), unlost, tuple(losses))


def _outcomes(facts: DayFacts, scenario: Scenario) -> Outcomes:
    """Yield the effects of each part, in the order of the scenario's sections.

    Channels move before others are added, since a share of those of today moves.
    """
    for growth in scenario.growth:
        yield from _growth(growth, facts)
    yield from moved_channels_of(facts, scenario.configuration)
    for workload in scenario.workload:
        yield from _amounts(workload)
        yield from messages_of(facts, workload)
        yield from channels_of(facts, workload)
    for machine in scenario.hardware:
        yield from hardware_of(facts, machine)
    for change in scenario.configuration:
        yield from settings_of(facts, change)
        yield from sizes_of(facts, change)
        yield from distributed_of(facts, change)
        yield from typed_settings_of(facts, change)
        yield from sharing_of(facts, change)


def _growth(growth: ScenarioGrowth, facts: DayFacts) -> Iterator[SeriesEffect]:
    """Yield the effects on the selected series, and on the same usage in other units.

    With a structure the other copies of it are selected.
    """
    factor = 1 + number(growth.pct) / 100
    wanted = set().union(*map(_in_all_units, growth.metrics)) or metrics_of_load()
    series, observed = facts.observed.series, facts.observed
    subjects = {
        subject
        for subject in {subject for _, subject in series}
        if any(fnmatchcase(subject, pattern) for pattern in growth.subjects)
    }
    structures = subjects & observed.subjects(SubjectKind.structure)
    subjects = subjects.union(*(copies_of(observed, structure) for structure in structures))
    selected = [
        (metric, subject)
        for metric, subject in sorted(series)
        if metric in wanted and subject in subjects
    ]
    if not selected:
        raise ConfigurationError(
            "growth selects no measured series",
            found=f"subjects {' '.join(growth.subjects)}, metrics {' '.join(growth.metrics)}",
            expected="subjects and metrics of the last days, such as PLEX1/CSQ1",
        )
    line = f"x (1 + {figure(number(growth.pct))} / 100) = x {figure(factor)}"
    for metric, subject in selected:
        if metric in STORAGE:
            yield storage_growth(facts, metric, subject, factor)
        else:
            yield effect(metric, subject, line, factor=factor)
    yield from busy_of_grown_requests(facts, selected, factor)
    yield from effects_of_messages(facts, selected, factor)


def _in_all_units(name: str) -> set[str]:
    if name == CHANNELS:
        return {name, *STORAGE}
    usage, load = name.rpartition("_")[0], metrics_of_load()
    if name not in load:
        return {name}
    return {name for name in load if name.rpartition("_")[0] == usage}


def _amounts(workload: AddedWorkload) -> Iterator[SeriesEffect]:
    for metric, amount, unit in (
        ("log_growth_mib_per_s", workload.log_mib_per_s, "MiB/s"),
        ("cf_busy_pct", workload.cf_busy_points, "points"),
    ):
        if amount is not None:
            line = f"+ {figure(number(amount))} {unit}, as stated in the scenario"
            yield effect(metric, workload.subject, line, addition=number(amount))


def _converted(computed: list[DerivedFigure], scenario: Scenario) -> Iterator[DerivedFigure]:
    """Yield the figures, CPU converted where the scenario has a ratio for the sysplex."""
    ratios: dict[str, float] = {
        machine.subject: number(machine.lspr_ratio)
        for machine in scenario.hardware
        if machine.lspr_ratio is not None and not machine.subject.in_sysplex
    }
    for derived in computed:
        ratio = ratios.get(Subject(derived.subject).sysplex)
        yield cost_on(ratio, derived) if ratio is not None and derived.unit == "ms/s" else derived


def changed_days(facts: DayFacts, series: MeasuredSeries, change: SeriesChange) -> MeasuredDays:
    """Return the measured days of a series under a change; no day where nothing is measured."""
    measured = facts.observed.measured(*series) or MeasuredDays(())

    def changed(day: WindowDay) -> WindowDay:
        return day.with_figures(*map(change.changed, (day.mean, day.p95, day.peak)))

    return _once(facts, measured, change, lambda: measured.changed(changed))


def _changed_hours(facts: DayFacts, series: MeasuredSeries, change: SeriesChange) -> MeasuredHours:
    """Return the busiest hours under a change; a change of slope is of no series read by hour."""
    hours = facts.observed.hours[series]

    def changed() -> MeasuredHours:
        factor, addition = change.factor * change.rescale, change.addition * change.rescale
        rates = {
            hour: HourRate(change.of(rate.mean), change.of(rate.peak))
            for hour, rate in hours.by_hour.items()
        }
        return hours._replace(curve=hours.curve.grown(factor, addition), by_hour=rates)

    return _once(facts, hours, change, changed)


def changed_forecast(facts: DayFacts, key: ForecastKey, change: SeriesChange) -> Forecast:
    """Return a forecast under a change."""
    forecast = facts.forecasts[key]

    def changed() -> Forecast:
        days, *lines = lines_of(forecast)
        return with_lines(forecast, ForecastLines(days, *map(change.of_each, lines)))

    return _once(facts, forecast, change, changed)


def _once(facts: DayFacts, of: T, change: SeriesChange, changed: Callable[[], T]) -> T:
    """Return a thing under a change, made once for all states; itself where nothing changes."""
    if change.changes_nothing:
        return of
    return facts.once(("changed", Same(of), change), changed)


_WORKLOAD: Final = ("subject", "structure", "duplexed_in", "page_set")


def with_full_names(facts: DayFacts, scenario: Scenario) -> Scenario:
    """Return the scenario with ``PLEX1/CF02`` for ``CF02`` in its workload, hardware and losses.

    A name that no subject ends in stays as it is.

    A ConfigurationError where several subjects end in a name.
    """
    if not scenario.workload and not scenario.hardware and not scenario.lose:
        return scenario
    subjects = _subjects(facts)
    workload = tuple(
        part.model_copy(
            update={
                key: _full(name, subjects)
                for key in _WORKLOAD
                if (name := getattr(part, key)) is not None
            }
        )
        for part in scenario.workload
    )
    hardware = tuple(
        part.model_copy(update={"subject": _full(part.subject, subjects)})
        for part in scenario.hardware
    )
    lose = tuple(_full(name, subjects) for name in scenario.lose)
    return scenario.model_copy(update={"workload": workload, "hardware": hardware, "lose": lose})


def _subjects(facts: DayFacts) -> set[str]:
    configured = {
        Subject.of(plex.sysplex, name)
        for plex in facts.estate.sysplexes
        for name in (*(qmgr.name for qmgr in plex.qmgrs), *(part.name for part in plex.cfs))
    }
    return configured | {subject for _, subject in facts.observed.series}


def _full(name: str, subjects: set[str]) -> str:
    if name in subjects:
        return name
    matches = sorted(
        subject for subject in subjects if subject.endswith(f"{SERIES_SEPARATOR}{name}")
    )
    if len(matches) > 1:
        raise ConfigurationError(f"{name} is not unique", expected=f"one of: {' '.join(matches)}")
    return matches[0] if matches else name
