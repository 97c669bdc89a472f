"""Figures and dates as a reader wants them in a sentence, the same in mail and ticket."""

from __future__ import annotations

import re
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState, reach_words
from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction, Statistic, split_series_id
from mqcap.domain.problem import Problem, ProblemDay, ProblemState
from mqcap.presentation.sentence_numbers import quantity

_LEAST: Final = 0.01
"""No forecast is surer than this; 0 % and 100 % would say so (ours)."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def measured(finding: Finding, status: ProblemDay) -> str:
    """What was measured and when: figure, statistic, day, and the busiest hour of a peak."""
    said = named_quantity(finding, finding.observed)
    if finding.observed_when:
        said += f", {finding.observed_when}"
    if finding.statistic is Statistic.peak and status.peak_hour_utc:
        said += f", in the hour from {status.peak_hour_utc:%Y-%m-%d %H:%M} UTC"
    return said


def named_quantity(finding: Finding, value: float | None) -> str:
    """A rate with what flows; a title about time would leave the reader to guess."""
    known, series = quantity(value, finding.unit), finding.series_id or ""
    if value is None or not split_series_id(series)[0].endswith("_mib_per_s"):
        return known
    return f"{series_words(series)} {known}"


def series_words(series_id: str) -> str:
    """What a series measures, by its metric's name without the unit."""
    name = split_series_id(series_id)[0]
    for ending in ("_pct", "_count", "_mib_per_s", "_mib", "_per_h", "_per_s"):
        name = name.removesuffix(ending)
    words = name.replace("_", " ")
    return f"CF{words.removeprefix('cf')}" if words.startswith("cf ") else words


def when(crossing: Crossing | None, *, over: bool, of: Finding | None = None) -> str:
    """The crossing in words: since when, the date range, or why there is none."""
    if over:
        since = crossing.breached_since if crossing else None
        where = f"{beyond(of) if of else 'over'} the limit"
        return f"{where} since {since}" if since else where
    if crossing is None:
        return "no forecast is made of this figure"
    if crossing.state is CrossingState.will_cross:
        return _range(crossing)
    if crossing.state is CrossingState.not_within_horizon:
        return f"not within {reach_words(crossing)}"
    return f"no date: {crossing.reason}" if crossing.reason else "no date"


def beyond(finding: Finding) -> str:
    """On which side of its limit a breach is: some limits are lowest ones, some may not be met."""
    if finding.headroom_ratio == 0:
        return "at"
    return "below" if finding.direction is Direction.downward else "over"


_STATES = {
    ProblemState.worsening: "worse",
    ProblemState.lasting: "unchanged",
    ProblemState.improving: "better",
    ProblemState.reopened: "back",
}


def state_words(status: ProblemDay) -> str:
    """Where a problem stands, with what people have said about it."""
    words = _STATES.get(status.state, str(status.state))
    if status.acknowledgement is None:
        return words
    said = status.acknowledgement.note or str(status.acknowledgement.kind).replace("_", " ")
    return f"{words}: {said}"


def standing(problem: Problem) -> str:
    """The same, and what the rule says where a breach of a lesser system is told as less."""
    words, rule = state_words(problem.status), problem.finding.severity
    if not problem.over or problem.severity.rank >= rule.rank:
        return words
    return f"{words}; {rule} if it were production"


def probability_words(status: ProblemDay) -> str:
    """The probability in words; empty for a limit that is passed and without a forecast."""
    if status.over or status.probability is None or status.probability_days is None:
        return ""
    share = f"{status.probability:.0%}"
    if status.probability < _LEAST:
        share = f"under {_LEAST:.0%}"
    if status.probability > 1 - _LEAST:
        share = f"over {1 - _LEAST:.0%}"
    return f"{share} within {status.probability_days} days"


def labelled(line: str) -> str:
    """A line "Label: text" of the text part, its text in the column of all others."""
    label, _, text = line.partition(": ")
    return f"{label}:".ljust(12) + text


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
