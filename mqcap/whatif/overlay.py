"""Apply a scenario to measured values, forecasts and configuration.

Growth multiplies, added workload adds the same at all hours, CF busy spreads evenly over the
engines (first estimates, ours). A percentage above 100 is what is needed of today's capacity.
"""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from forecasting.lines import ForecastLines, lines_of, with_lines
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, QueueManager
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
from mqcap.whatif.hardware import cost_on, estate_values, hardware_of, settings_of
from mqcap.whatif.learnt_costs import (
    STORAGE,
    busy_of_grown_requests,
    effects_of_messages,
    storage_growth,
)
from mqcap.whatif.messages import messages_of
from mqcap.whatif.parts import AddedWorkload, ScenarioGrowth, ScenarioPart, keys_of, kinds_of
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.sizes import distributed_of, sizes_of
from mqcap.whatif.typed_settings import refuse_without_effect, typed_settings_of
from spark_apps.catalogue import metrics_of_load

T = TypeVar("T")
P = TypeVar("P", bound=ScenarioPart)


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
    """Return the data of a day with one corner of a scenario applied, as though in force always.

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
    """Yield the effects of each part; channels move, as a share of today's, before others come."""
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
    """Yield the effects on the selected series, other copies and the same usage in other units."""
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
    """Return the scenario with ``PLEX1/CF02`` for ``CF02``; unknown names stay.

    A ConfigurationError where several subjects end in a name.
    """
    if not scenario.workload and not scenario.hardware and not scenario.lose:
        return scenario
    subjects = {subject for _, subject in facts.observed.series}
    for plex in facts.estate.sysplexes:
        subjects |= {Subject.of(plex.sysplex, qmgr.name) for qmgr in plex.qmgrs}
        subjects |= {Subject.of(plex.sysplex, facility.name) for facility in plex.cfs}

    def named(part: P, *keys: str) -> P:
        names = {key: getattr(part, key) for key in keys}
        full = {key: _full(name, subjects) for key, name in names.items() if name is not None}
        return part.model_copy(update=full)

    return scenario.model_copy(
        update={
            "workload": tuple(named(part, *_WORKLOAD) for part in scenario.workload),
            "hardware": tuple(named(part, "subject") for part in scenario.hardware),
            "lose": tuple(_full(name, subjects) for name in scenario.lose),
        }
    )


def _full(name: str, subjects: set[str]) -> str:
    if name in subjects:
        return name
    matches = sorted(
        subject for subject in subjects if subject.endswith(f"{SERIES_SEPARATOR}{name}")
    )
    if len(matches) > 1:
        raise ConfigurationError(f"{name} is not unique", expected=f"one of: {' '.join(matches)}")
    return matches[0] if matches else name


_SECTIONS: Final = {
    "cfs": SubjectKind.coupling_facility,
    "linux": SubjectKind.linux_host,
    "hosts": SubjectKind.linux_host,
    "ztpf": SubjectKind.ztpf_system,
}

Entry = dict[str, Any]


def estate_changes(scenario: Scenario) -> list[tuple[str, Entry]]:
    """Return each subject of a scenario with its settings that are keys of the estate file."""
    changes = [(part.subject, part.estate_values) for part in scenario.configuration]
    changes += [(part.subject, estate_values(part)) for part in scenario.hardware]
    return [(subject, values) for subject, values in changes if values]


def estate_under(estate: Estate, changes: Sequence[tuple[str, Entry]]) -> Estate:
    """Return the estate with the settings of ``estate_changes``.

    A ConfigurationError where a setting is out of range, or not of this kind of subject.
    """
    if not changes:
        return estate
    document = estate.model_dump(by_alias=True)
    for subject, values in changes:
        entry = _entry_of(document, subject, set(values))
        if "archive_minutes" not in values:
            _archive_in_step(entry, values)
        entry |= {key: _single(value) for key, value in values.items()}
    try:
        return Estate.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"the scenario sets {first['loc'][-1]} out of range: {first['msg']}",
            found=str(first.get("input")),
        ) from error


def _entry_of(document: Entry, subject: str, keys: set[str]) -> Entry:
    """Return the entry of a subject; one that the estate does not list is found by its keys."""
    root, name, *rest = map(unescaped, Subject(subject).names)
    is_place = any(place["site"] == root for place in document["places"])
    part = _entry(document, *(("places", "site") if is_place else ("sysplexes", "sysplex")), root)
    if is_place or not rest:
        lists = (*_SECTIONS, "qmgrs")
        listed = (of for of in lists if any(entry["name"] == name for entry in part.get(of, ())))
        may_be_qmgr = is_place or {*QueueManager.model_fields, "class"} >= keys
        section = next(listed, "qmgrs" if may_be_qmgr else "cfs")
        others = SubjectKind.distributed_queue_manager if is_place else SubjectKind.queue_manager
        kind = SubjectKind.distributed_queue if rest else _SECTIONS.get(section, others)
        if unknown := sorted(keys - keys_of(kind)):
            raise ConfigurationError(
                f"{subject} is a {kind.replace('_', ' ')} and has no setting {' '.join(unknown)}",
                expected=f"one of: {' '.join(sorted(keys_of(kind)))}",
            )
        entry = _entry(part, section, "name", name)
        return _entry(entry, "queues", "name", rest[0]) if rest else entry
    kinds = kinds_of(subject)
    if SubjectKind.structure in kinds:
        return _entry(_entry(part, "cfs", "name", name), "structures", "name", rest[0])
    manager = _entry(part, "qmgrs", "name", name)
    if kinds == (SubjectKind.buffer_pool,):
        return _entry(manager, "buffer_pools", "number", int(rest[0].removeprefix("BP")))
    return manager


def _archive_in_step(entry: Entry, values: Entry) -> None:
    """Scale the archive time with the size of the log (LOG-COUNT-OVERLAP)."""
    before, minutes = entry.get("active_log_size_mib"), entry.get("archive_minutes")
    size = values.get("active_log_size_mib")
    if before and minutes and size is not None:
        entry["archive_minutes"] = minutes * _single(size) / before


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, tuple | list) and len(value) == 2 else value


def _entry(of: Entry, section: str, key: str, name: object) -> Entry:
    entries = of[section] = list(of.get(section, ()))
    for entry in entries:
        if entry[key] == name:
            return cast("Entry", entry)
    entries.append({key: name})
    return cast("Entry", entries[-1])
