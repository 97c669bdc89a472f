"""The figure of a rule for other values of its series: hours that logs last, by their rate."""

import math
from dataclasses import dataclass
from typing import Final

from mqcap.domain.finding import Finding
from mqcap.domain.input_source import MeasuredSource
from mqcap.domain.metric import Direction

_POWERS: Final = (0.5, 2.0)
"""Outside of these the two known points are no time that a load shortens (ours)."""


@dataclass(frozen=True)
class StatedFigure:
    """A time that a rate shortens: ``limit`` at the rate ``series_limit``, and less above it."""

    limit: float
    unit: str
    series_limit: float
    power: float
    """1 where half of the rate lasts twice as long. The shape of the day makes it another one, so
    that the measured rate gives exactly the figure of the finding."""

    def of(self, value: float | None) -> float | None:
        """Return the time that a value of the series gives; ``None`` for none, or no load."""
        if value is None or value <= 0:
            return None
        return float(self.limit * (self.series_limit / value) ** self.power)


def stated_figure(finding: Finding) -> StatedFigure | None:
    """Return how a rule's time follows from the load of its series; ``None`` where it does not."""
    limit, at = finding.limit_value, finding.series_limit
    is_time = (
        finding.direction is Direction.downward and finding.crossing_direction is Direction.upward
    )
    if not limit or not at or not is_time:
        return None
    values = (
        float(shown.value)
        for shown in finding.inputs
        if isinstance(shown.origin, MeasuredSource)
        and shown.origin.series_id == finding.series_id
        and isinstance(shown.value, int | float)
    )
    measured, power = next(values, 0.0), 1.0
    if finding.observed and measured > 0 and not math.isclose(measured, at):
        power = math.log(finding.observed / limit) / math.log(at / measured)
    is_known = _POWERS[0] <= power <= _POWERS[1]
    return StatedFigure(limit, finding.unit, at, power if is_known else 1.0)
