"""Wording of a crossing in every channel: since when, its range of dates, or why it has none."""

from typing import NamedTuple

from mqcap.domain.console.states import where_reported
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState, reach_words
from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction
from mqcap.domain.urgency import is_over

NOT_FORECAST = "not forecast"


class CrossingText(NamedTuple):
    """Wording of a crossing: what is printed first, and what explains it."""

    headline: str
    """``over the limit since 2026-01-30``, ``expected 2026-03-01``, ``not within a year``."""
    detail: str = ""
    """``earliest 2026-02-10, latest 2026-05-01``, or the reason of a missing date."""

    def __str__(self) -> str:
        """Return both in one clause."""
        return ", ".join(filter(None, self))


def crossing_text(crossing: Crossing | None, finding: Finding | None = None) -> CrossingText:
    """Return the wording of a crossing; ``None`` for a limit that is compared with no forecast.

    ``finding`` is that of the same rule and subject: it may be in breach without a crossing, and
    says on which side of the limit.
    """
    if finding is not None and finding.is_event:
        return CrossingText(f"reported {where_reported(finding.rule_id)}")
    is_of_loss = finding is not None and finding.is_of_loss
    if is_over(finding, crossing):
        where = f"{side(crossing, finding)} the limit"
        since = "once it is lost" if is_of_loss else since_words(crossing)
        return CrossingText(f"{where} {since}" if since else where)
    if crossing is None:
        return CrossingText("not passed if it were lost today" if is_of_loss else NOT_FORECAST)
    if crossing.state is CrossingState.will_cross:
        return _range(crossing)
    if crossing.state is CrossingState.not_within_horizon:
        return CrossingText(f"not within {reach_words(crossing)}")
    return CrossingText("no date", crossing.reason or "")


def _range(crossing: Crossing) -> CrossingText:
    reach = reach_words(crossing)
    earliest, expected, latest = crossing.dates
    if expected is None:
        return CrossingText(f"earliest {earliest}", f"not expected within {reach}")
    late = f"latest {latest}" if latest else f"perhaps not at all within {reach}"
    return CrossingText(f"expected {expected}", f"earliest {earliest or expected}, {late}")


def since_words(crossing: Crossing | None) -> str:
    """Return ``since 2026-01-30``, or that it was so on the first measured day; else nothing."""
    if crossing is None or crossing.breached_since is None:
        return ""
    if crossing.reason == SINCE_DATA_BEGINS:
        return f"{SINCE_DATA_BEGINS} ({crossing.breached_since})"
    return f"since {crossing.breached_since}"


def side(crossing: Crossing | None, finding: Finding | None) -> str:
    """Return on which side of its limit a breach is: ``over``, ``below`` or ``at``."""
    if finding is not None and finding.headroom_ratio == 0:
        return "at"
    source = finding or crossing
    return "below" if source and source.direction is Direction.downward else "over"
