"""Lay a scenario over what was measured, forecast and configured.

Growth multiplies, workload adds the same amount at all hours, an engine of a CF spreads its
busy time evenly (first estimates, ours). Percentages end at 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from pydantic import ValidationError

from domain.errors import ConfigurationError
from domain.estate import Estate
from domain.forecast import Forecast, ForecastPoint
from domain.metric import split_series_id
from pipeline.inputs import Observed
from pipeline.size import Known
from pipeline.whatif_scenario import Configuration, Growth, Scenario, Workload
from store.window import WindowDay

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
    }
)
"""What grows with the business; sizes, limits and numbers of engines do not."""
CHANNEL_MIB: Final = 90 / 1_024
"""A message channel with 1 KB messages (CHI-FOOTPRINT-MCA)."""
_PERCENT_MAX: Final = 100.0


@dataclass(frozen=True)
class Shift:
    """What happens to the values of one series: first the factor, then the addition."""

    factor: float = 1.0
    addition: float = 0.0

    def of(self, value: float, *, percent: bool) -> float:
        """The value under the scenario."""
        if self == Shift():
            return value
        shifted = max(value * self.factor + self.addition, 0.0)
        return min(shifted, _PERCENT_MAX) if percent else shifted

    def then(self, factor: float = 1.0, addition: float = 0.0) -> Shift:
        """This shift and a further one."""
        return Shift(self.factor * factor, self.addition * factor + addition)


def overlay(known: Known, scenario: Scenario) -> Known:
    """What would be known if the scenario (one corner of it) were in force.

    Measured days are shifted as though it had been so; forecasts from its start on.

    Raises:
        ConfigurationError: a subject is not known, or a setting is out of range.
    """
    days = known.observed.every_day()
    shifts = _shifts(known, scenario, {(day.metric, day.subject) for day in days})

    def shift_of(metric: str, subject: str) -> Shift:
        return shifts.get((metric, subject), Shift())

    return known._replace(
        observed=Observed(
            [_day(day, shift_of(day.metric, day.subject)) for day in days],
            known.observed.last,
            known.observed.window_days,
        ),
        forecasts={
            key: _forecast(made, shift_of(*split_series_id(made.series_id)), scenario)
            for key, made in known.forecasts.items()
        },
        estate=_estate(known.estate, scenario),
    )


def _day(day: WindowDay, shift: Shift) -> WindowDay:
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

    return made.model_copy(update={"points": tuple(point(one) for one in made.points)})


_Series = set[tuple[str, str]]


def _shifts(known: Known, scenario: Scenario, series: _Series) -> dict[tuple[str, str], Shift]:
    shifts: dict[tuple[str, str], Shift] = {}

    def add(metric: str, subject: str, **change: float) -> None:
        shifts[metric, subject] = shifts.get((metric, subject), Shift()).then(**change)

    for growth in scenario.growth:
        for metric, subject in _grown(growth, series):
            add(metric, subject, factor=1 + _number(growth.pct) / 100)
    for change in scenario.configuration:
        if change.engines is not None:
            before = _engines(known, change.subject)
            add("cf_busy_pct", change.subject, factor=before / _number(change.engines))
    for workload in scenario.workload:
        for metric, amount in _added(known, workload):
            _must_be_known(metric, workload.subject, series)
            add(metric, workload.subject, addition=amount)
    return shifts


def _grown(growth: Growth, series: _Series) -> list[tuple[str, str]]:
    """The chosen series, and the twins that say the same in MiB or pages."""
    wanted = LOAD if not growth.metrics else {m for name in growth.metrics for m in _twins(name)}
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
    return found


def _twins(metric: str) -> set[str]:
    stem = metric.rsplit("_", 1)[0]
    if not stem.endswith("_used"):
        return {metric}
    return {metric, *(f"{stem}_{unit}" for unit in ("pct", "mib", "pages"))} & LOAD


def _added(known: Known, workload: Workload) -> Iterator[tuple[str, float]]:
    if workload.log_mib_per_s is not None:
        yield "log_growth_mib_per_s", _number(workload.log_mib_per_s)
    if workload.cf_busy_points is not None:
        yield "cf_busy_pct", _number(workload.cf_busy_points)
    if workload.channels is not None:
        channels = _number(workload.channels)
        yield "channels_current_count", channels
        yield from _storage(known, workload.subject, channels * CHANNEL_MIB)


def _storage(known: Known, subject: str, mib: float) -> Iterator[tuple[str, float]]:
    """31-bit storage of more channels, in MiB and in points of the percentage."""
    used = {
        day.site_date: day.peak for day in known.observed.days("chinit_31bit_used_mib", subject)
    }
    share = known.observed.days("chinit_31bit_used_pct", subject)
    both = [(used[day.site_date], day.peak) for day in share if day.site_date in used and day.peak]
    if both and both[-1][0]:
        yield "chinit_31bit_used_mib", mib
        yield "chinit_31bit_used_pct", mib * both[-1][1] / both[-1][0]


def _engines(known: Known, subject: str) -> float:
    """Engines of today: as configured, else as last measured."""
    sysplex, name = subject.split("/")
    for plex in known.estate.sysplexes:
        for facility in plex.cfs:
            if (plex.sysplex, facility.name) == (sysplex, name) and facility.engines:
                return facility.engines
    days = known.observed.days("cf_engine_count", subject)
    if not days:
        raise ConfigurationError(
            f"the engines of {subject} are not known",
            expected="a measured coupling facility",
            remedy="Set engines of this CF in the estate.",
        )
    return days[-1].peak


def _must_be_known(metric: str, subject: str, series: _Series) -> None:
    if (metric, subject) not in series:
        known = " ".join(sorted(one for name, one in series if name == metric)) or "none"
        raise ConfigurationError(
            f"{metric} of {subject} is not measured", expected=f"one of: {known}"
        )


def _estate(estate: Estate, scenario: Scenario) -> Estate:
    if not scenario.configuration:
        return estate
    document = estate.model_dump(by_alias=True)
    for change in scenario.configuration:
        _configure(document, change)
    try:
        return Estate.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"the scenario sets {first['loc'][-1]} out of range: {first['msg']}",
            found=str(first.get("input")),
        ) from error


def _configure(document: dict[str, Any], change: Configuration) -> None:
    sysplex, name = change.subject.split("/")
    section = "qmgrs" if change.engines is None else "cfs"
    plexes = list(document["sysplexes"])
    plex = _entry(plexes, "sysplex", sysplex)
    entries = list(plex.get(section, ()))
    entry = _entry(entries, "name", name)
    _archive_in_step(entry, change)
    entry.update(change.model_dump(exclude={"subject"}, exclude_none=True))
    plex[section] = entries
    document["sysplexes"] = plexes


def _archive_in_step(entry: dict[str, Any], change: Configuration) -> None:
    """A larger log takes longer to archive in proportion (LOG-COUNT-OVERLAP)."""
    before, minutes = entry.get("active_log_size_mib"), entry.get("archive_minutes")
    if before and minutes and change.active_log_size_mib is not None:
        entry["archive_minutes"] = minutes * _number(change.active_log_size_mib) / before


def _entry(entries: list[dict[str, Any]], key: str, name: str) -> dict[str, Any]:
    """The entry of that name; a new one when the estate does not list it."""
    for entry in entries:
        if entry[key] == name:
            return entry
    entries.append({key: name})
    return entries[-1]


def _number(amount: float | tuple[float, float]) -> float:
    """A corner of a scenario has single numbers only."""
    return amount[0] if isinstance(amount, tuple) else amount
