"""CF busy when the requests of some structures grow: what is not theirs stays as it is.

The part of a structure is its requests times the CF time of one, learnt from the site's data where
that is certain. MP16 has no such figure (it counts messages, which take several requests), so the
other estimate (ours) is by requests times service time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import service_us, structures_in
from mqcap.judging.hours import MeasuredSeries
from mqcap.losses.carried.taken_load import highest
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.effects import SeriesChange, SeriesEffect, facility_of, known_engines
from mqcap.whatif.learnt_costs import find_used, why_not_learnt

REQUESTS: Final = "structure_requests_per_s"
BUSY: Final = "cf_busy_pct"
_KIND: Final = UnitCostKind.cf_us_per_request
_US_PER_S_OF_POINT: Final = 10_000
"""Microseconds a second of one engine that is 1 % busy."""


class _Part(NamedTuple):
    """Share of a facility's busy time that a structure has, with the arithmetic."""

    ratio: float
    lines: tuple[str, ...]


def busy_of_grown_requests(
    facts: DayFacts, selected: Iterable[MeasuredSeries], factor: float
) -> list[SeriesEffect]:
    """Return CF busy of each measured facility whose structures get so many times the requests.

    A facility whose busy is selected itself grows as one and is left out.

    Args:
        facts: What is known of the day.
        selected: The series that grow, as metric and subject.
        factor: Requests under the scenario as a multiple of today's.
    """
    series = set(selected)
    inside: dict[str, list[str]] = defaultdict(list)
    for metric, subject in series:
        if metric == REQUESTS and (BUSY, facility_of(subject)) not in series:
            inside[facility_of(subject)].append(subject)
    return [
        _busy(facts, facility, grown, factor)
        for facility, grown in sorted(inside.items())
        if facts.observed.days(BUSY, facility)
    ]


def _busy(facts: DayFacts, facility: str, grown: list[str], factor: float) -> SeriesEffect:
    parts = [_part(facts, facility, structure) for structure in sorted(grown)]
    known = [part for part in parts if part is not None]
    lines = tuple(line for part in known for line in part.lines)
    if len(known) < len(parts):
        unknown = counted(len(parts) - len(known), "structure")
        lines += (f"the CF time of {unknown} is not known: it is left out",)
    ratio = min(1.0, sum(part.ratio for part in known))
    result = 1 + ratio * (factor - 1)
    share = figure(100 * ratio)
    lines += (f"{share} % of busy x {figure(factor)}, the rest as it is = busy x {figure(result)}",)
    return SeriesEffect(BUSY, facility, SeriesChange(factor=result), lines)


def _part(facts: DayFacts, facility: str, structure: str) -> _Part | None:
    cost = find_used(facts, _KIND, structure)
    engines = known_engines(facts, facility)
    busy = highest(facts, (BUSY, facility), Statistic.peak)
    if cost is not None and engines and busy:
        return _learnt(facts, structure, cost, engines, busy)
    every = service_us(facts.observed, structures_in(facts.observed, facility))
    own = service_us(facts.observed, [structure])
    if not every:
        return None
    line = (
        f"{structure}: requests x service time = {figure(own)} of {figure(every)} us/s of all "
        f"structures of {facility} (first estimate, ours)"
        f"{why_not_learnt(facts, _KIND, structure)}"
    )
    return _Part(own / every, (line,))


def _learnt(facts: DayFacts, structure: str, cost: UnitCost, engines: float, busy: float) -> _Part:
    requests = highest(facts, (REQUESTS, structure), Statistic.peak)
    points = requests * cost.value / (engines * _US_PER_S_OF_POINT)
    line = (
        f"{structure}: {figure(requests)} requests/s x {figure(cost.value)} us / "
        f"({figure(engines)} engines x {figure(_US_PER_S_OF_POINT)}) = {figure(points)} of "
        f"{figure(busy)} % busy"
    )
    return _Part(points / busy, (learnt_line(cost), line))
