"""Lay a scenario over what was measured, forecast and configured.

Growth multiplies, workload adds the same amount at all hours, an engine of a CF spreads its
busy time evenly (first estimates, ours). Percentages end at 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, QueueManager
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import split_series_id
from mqcap.domain.numbers import figure
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.inputs import Observed
from mqcap.store.models import WindowDay
from mqcap.whatif.channels import channels_of, sharing_of
from mqcap.whatif.effects import Computed, Effect, Outcomes, Shift, not_measured, number
from mqcap.whatif.hardware import cost_on, engines_effect, estate_values, hardware_of, settings_of
from mqcap.whatif.messages import messages_of
from mqcap.whatif.parts import Growth, Workload
from mqcap.whatif.scenario import Scenario

LOAD: Final = frozenset(
    {
        "log_growth_mib_per_s",
        "cf_busy_pct",
        "chinit_31bit_used_mib",
        "chinit_31bit_used_pct",
        "chinit_64bit_used_mib",
        "chinit_64bit_used_pct",
        "channels_current_count",
        "channels_active_count",
        "buffer_pool_used_pct",
        "page_set_used_pct",
        "page_set_used_pages",
        "structure_entries_used_pct",
        "structure_elements_used_pct",
        "structure_requests_per_s",
        "log_task_busy_pct",
        "log_checkpoints_per_h",
        "zhyperlink_busy_pct",
        "chinit_dispatcher_busy_pct",
        "chinit_ssltask_busy_pct",
        "chinit_adapters_used_count",
        "buffer_pool_io_per_s",
        "buffer_pool_read_per_s",
        "buffer_pool_written_per_s",
        "private_queue_messages_per_s",
        "smds_used_pct",
        "smds_buffers_used_pct",
    }
)
"""What grows with the business; sizes, limits and numbers of engines do not."""


class World(NamedTuple):
    """What would be known under a scenario, and the arithmetic that leads there."""

    known: DayFacts
    effects: tuple[Effect, ...]
    computed: tuple[Computed, ...]


def overlay(known: DayFacts, scenario: Scenario) -> World:
    """What would be known if the scenario (one corner of it) were in force.

    Measured days are shifted as though it had been so; forecasts from its start on.

    Raises:
        ConfigurationError: a subject is not known, or a setting is out of range.
    """
    days = known.observed.every_day()
    outcomes = list(_outcomes(known, scenario))
    effects = tuple(effect for outcome in outcomes for effect in outcome.effects)
    shifts = _combined(known, effects)

    def shift_of(metric: str, subject: str) -> Shift:
        return shifts.get((metric, subject), Shift())

    world = known._replace(
        observed=Observed(
            [_day(day, shifts.get((day.metric, day.subject))) for day in days],
            known.observed.last,
            known.observed.window_days,
        ),
        forecasts={
            key: _forecast(made, shift_of(*split_series_id(made.series_id)), scenario)
            for key, made in known.forecasts.items()
        },
        estate=_estate(known.estate, scenario),
    )
    computed = [one for outcome in outcomes for one in outcome.computed]
    return World(world, effects, tuple(_converted(computed, scenario)))


def _outcomes(known: DayFacts, scenario: Scenario) -> Iterator[Outcomes]:
    """What each part does, in the order of the scenario's sections."""
    for growth in scenario.growth:
        yield _growth(growth, known)
    for workload in scenario.workload:
        yield Outcomes(tuple(_plain(workload)))
        yield messages_of(known, workload)
        yield channels_of(known, workload)
    for machine in scenario.hardware:
        yield hardware_of(known, machine)
    for change in scenario.configuration:
        if change.engines is not None:
            engines = engines_effect(known, change.subject, number(change.engines))
            yield Outcomes((engines,))
        yield settings_of(known, change)
        yield sharing_of(known, change)


def _combined(known: DayFacts, effects: tuple[Effect, ...]) -> dict[tuple[str, str], Shift]:
    """One shift for each series; every one of them must be measured."""
    measured = {(day.metric, day.subject) for day in known.observed.every_day()}
    shifts: dict[tuple[str, str], Shift] = {}
    for effect in effects:
        key = (effect.metric, effect.subject)
        if key not in measured:
            raise not_measured(known.observed, *key)
        shifts[key] = shifts.get(key, Shift()).then(effect.shift)
    return shifts


def _day(day: WindowDay, shift: Shift | None) -> WindowDay:
    if shift is None:
        return day
    percent = day.unit == "%"
    return day._replace(
        mean=shift.of(day.mean, percent=percent),
        p95=shift.of(day.p95, percent=percent),
        peak=shift.of(day.peak, percent=percent),
    )


def _forecast(made: Forecast, shift: Shift, scenario: Scenario) -> Forecast:
    if shift == Shift():
        return made
    percent = made.series_id.split("/", 1)[0].endswith("_pct")

    def point(one: ForecastPoint) -> ForecastPoint:
        if scenario.start is not None and one.site_date < scenario.start:
            return one
        lines = {name: getattr(one, name) for name in ("expected", "lower", "upper")}
        return one.model_copy(
            update={name: shift.of(value, percent=percent) for name, value in lines.items()}
        )

    return made.model_copy(
        update={
            "points": tuple(point(one) for one in made.points),
            "after_horizon": tuple(point(one) for one in made.after_horizon),
        }
    )


def _growth(growth: Growth, known: DayFacts) -> Outcomes:
    """The chosen series, and the twins that say the same in MiB or pages."""
    factor = 1 + number(growth.pct) / 100
    wanted = LOAD if not growth.metrics else {m for name in growth.metrics for m in _twins(name)}
    series = {(day.metric, day.subject) for day in known.observed.every_day()}
    found = [
        (metric, subject)
        for metric, subject in sorted(series)
        if metric in wanted and any(fnmatchcase(subject, one) for one in growth.subjects)
    ]
    if not found:
        raise ConfigurationError(
            "growth touches no measured series",
            found=f"subjects {' '.join(growth.subjects)}, metrics {' '.join(growth.metrics)}",
            expected="subjects and metrics of the last days, such as PLEX1/CSQ1",
        )
    line = f"x (1 + {figure(number(growth.pct))} / 100) = x {figure(factor)}"
    shift = Shift(factor=factor)
    return Outcomes(tuple(Effect(metric, subject, shift, (line,)) for metric, subject in found))


def _twins(name: str) -> set[str]:
    stem = name.rsplit("_", 1)[0]
    if not stem.endswith("_used"):
        return {name}
    return {name, *(f"{stem}_{unit}" for unit in ("pct", "mib", "pages"))} & LOAD


def _plain(workload: Workload) -> Iterator[Effect]:
    """Load that is given in the unit of its series."""
    given = {
        "log_growth_mib_per_s": (workload.log_mib_per_s, "MiB/s"),
        "cf_busy_pct": (workload.cf_busy_points, "points"),
    }
    for metric, (amount, unit) in given.items():
        if amount is not None:
            line = f"+ {figure(number(amount))} {unit}, as the scenario says"
            yield Effect(metric, workload.subject, Shift(addition=number(amount)), (line,))


def _converted(computed: list[Computed], scenario: Scenario) -> Iterator[Computed]:
    """CPU figures on the machines to come, where a ratio is given for the sysplex."""
    ratios = {
        one.subject: number(one.lspr_ratio)
        for one in scenario.hardware
        if one.lspr_ratio is not None and "/" not in one.subject
    }
    for one in computed:
        ratio = ratios.get(one.subject.split("/", 1)[0])
        yield cost_on(ratio, one) if ratio is not None and one.unit == "ms/s" else one


def _estate(estate: Estate, scenario: Scenario) -> Estate:
    changes = [(one.subject, one.estate_values) for one in scenario.configuration]
    changes += [(one.subject, estate_values(one)) for one in scenario.hardware]
    changes = [(subject, values) for subject, values in changes if values]
    if not changes:
        return estate
    document = estate.model_dump(by_alias=True)
    for subject, values in changes:
        _configure(document, subject, values)
    try:
        return Estate.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"the scenario sets {first['loc'][-1]} out of range: {first['msg']}",
            found=str(first.get("input")),
        ) from error


def _configure(document: dict[str, Any], subject: str, values: dict[str, Any]) -> None:
    sysplex, name = subject.split("/")
    plexes = list(document["sysplexes"])
    plex = _entry(plexes, "sysplex", sysplex)
    is_facility = any(one["name"] == name for one in plex.get("cfs", ()))
    of_manager = {*QueueManager.model_fields, "class"} >= set(values)
    section = "cfs" if is_facility or not of_manager else "qmgrs"
    entries = list(plex.get(section, ()))
    entry = _entry(entries, "name", name)
    if "archive_minutes" not in values:
        _archive_in_step(entry, values)
    entry.update({key: _single(value) for key, value in values.items()})
    plex[section] = entries
    document["sysplexes"] = plexes


def _archive_in_step(entry: dict[str, Any], values: dict[str, Any]) -> None:
    """A larger log takes longer to archive in proportion (LOG-COUNT-OVERLAP)."""
    before, minutes = entry.get("active_log_size_mib"), entry.get("archive_minutes")
    size = values.get("active_log_size_mib")
    if before and minutes and size is not None:
        entry["archive_minutes"] = minutes * _single(size) / before


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, tuple | list) and len(value) == 2 else value


def _entry(entries: list[dict[str, Any]], key: str, name: str) -> dict[str, Any]:
    """The entry of that name; a new one when the estate does not list it."""
    for entry in entries:
        if entry[key] == name:
            return entry
    entries.append({key: name})
    return entries[-1]
