"""Figures and dates as a reader wants them in a sentence, the same in mail and ticket."""

from __future__ import annotations

import re

from domain.crossing import Crossing, CrossingState, reach_words
from domain.problem import ProblemDay, ProblemState

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def figure(value: float | None) -> str:
    """Three significant digits below 100, one decimal up to 10,000, whole above; with commas."""
    if value is None:
        return "not known"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 100:
        return f"{value:.3g}"
    return f"{value:,.1f}" if abs(value) < 10_000 else f"{value:,.0f}"


def quantity(value: float | None, unit: str) -> str:
    """A figure with its unit; a percentage without a blank."""
    if value is None:
        return "not known"
    return f"{figure(value)}{unit}" if unit == "%" else f"{figure(value)} {unit}".strip()


def when(crossing: Crossing | None, *, over: bool) -> str:
    """The crossing in words: since when, the date range, or why there is none."""
    if over:
        since = crossing.breached_since if crossing else None
        return f"over the limit since {since}" if since else "over the limit"
    if crossing is None:
        return "no forecast is made of this figure"
    if crossing.state is CrossingState.will_cross:
        return _range(crossing)
    if crossing.state is CrossingState.not_within_horizon:
        return f"not within {reach_words(crossing)}"
    return f"no date: {crossing.reason}" if crossing.reason else "no date"


_STATES = {
    ProblemState.worsening: "worse",
    ProblemState.lasting: "unchanged",
    ProblemState.improving: "better",
    ProblemState.reopened: "back",
}


def state_words(life: ProblemDay) -> str:
    """Where a problem stands, with what people have said about it."""
    words = _STATES.get(life.state, str(life.state))
    if life.mark is None:
        return words
    said = life.mark.note or str(life.mark.kind).replace("_", " ")
    return f"{words}: {said}" if life.state is ProblemState.acknowledged else words


def probability_words(life: ProblemDay) -> str:
    """The probability in words; empty for a limit that is passed and without a forecast."""
    if life.over or life.probability is None or life.probability_days is None:
        return ""
    return f"{life.probability:.0%} within {life.probability_days} days"


def one_line(text: str) -> str:
    """Text without control characters, safe in a header or a log line."""
    return _CONTROL.sub(" ", text).strip()


def _range(crossing: Crossing) -> str:
    earliest, expected, latest = (
        crossing.earliest_date,
        crossing.expected_date,
        crossing.latest_date,
    )
    reach = reach_words(crossing)
    late = f"latest {latest}" if latest else f"perhaps not at all within {reach}"
    if expected is None:
        return f"earliest {earliest}; not expected within {reach}"
    return f"expected {expected}, earliest {earliest or expected}, {late}"
