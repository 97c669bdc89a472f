"""Text about one problem, the same in mails and tickets: figures, dates, state and links."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode

from mqcap.domain.crossing import Crossing, CrossingState, reach_words
from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction, Statistic, split_series_id
from mqcap.domain.problem import Problem, ProblemDay, ProblemState
from mqcap.presentation.sentence_numbers import quantity

_LEAST: Final = 0.01
"""No forecast is surer than this; 0 % and 100 % would say so (ours)."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def observation_text(finding: Finding, status: ProblemDay) -> str:
    """Return the measured figure with its statistic, its day, and the busiest hour of a peak."""
    text = named_quantity(finding, finding.observed)
    if finding.observed_when:
        text += f", {finding.observed_when}"
    if finding.statistic is Statistic.peak and status.peak_hour_utc:
        text += f", in the hour from {status.peak_hour_utc:%Y-%m-%d %H:%M} UTC"
    return text


def named_quantity(finding: Finding, value: float | None) -> str:
    """Return a figure, for a data rate with the name of its series: titles often name a time."""
    text, series = quantity(value, finding.unit), finding.series_id or ""
    if value is None or not split_series_id(series)[0].endswith("_mib_per_s"):
        return text
    return f"{series_name(series)} {text}"


def series_name(series_id: str) -> str:
    """Return the name of a series: that of its metric without the unit."""
    name = split_series_id(series_id)[0]
    for ending in ("_pct", "_count", "_mib_per_s", "_mib", "_per_h", "_per_s"):
        name = name.removesuffix(ending)
    words = name.replace("_", " ")
    return f"CF{words.removeprefix('cf')}" if words.startswith("cf ") else words


def crossing_text(crossing: Crossing | None, *, over: bool, of: Finding | None = None) -> str:
    """Return since when the limit is passed, the range of crossing dates, or why there is none."""
    if over:
        since = crossing.breached_since if crossing else None
        where = f"{side_of_limit(of) if of else 'over'} the limit"
        return f"{where} since {since}" if since else where
    if crossing is None:
        return "no forecast is made of this figure"
    if crossing.state is CrossingState.will_cross:
        return _range(crossing)
    if crossing.state is CrossingState.not_within_horizon:
        return f"not within {reach_words(crossing)}"
    return f"no date: {crossing.reason}" if crossing.reason else "no date"


def side_of_limit(finding: Finding) -> str:
    """Return the side of its limit on which a breach is: ``over``, ``below`` or ``at``."""
    if finding.headroom_ratio == 0:
        return "at"
    return "below" if finding.direction is Direction.downward else "over"


_STATES = {
    ProblemState.worsening: "worse",
    ProblemState.lasting: "unchanged",
    ProblemState.improving: "better",
    ProblemState.reopened: "back",
}


def state_text(status: ProblemDay) -> str:
    """Return the state of a problem with its acknowledgement."""
    text = _STATES.get(status.state, str(status.state))
    if status.acknowledgement is None:
        return text
    note = status.acknowledgement.note or str(status.acknowledgement.kind).replace("_", " ")
    return f"{text}: {note}"


def status_text(problem: Problem) -> str:
    """Return the state, and the rule's severity where that of a non-production breach is lower."""
    text, rule = state_text(problem.status), problem.finding.severity
    if not problem.over or problem.severity.rank >= rule.rank:
        return text
    return f"{text}; {rule} if it were production"


def probability_text(status: ProblemDay) -> str:
    """Return the probability of passing the limit; empty when it is passed or not forecast."""
    if status.over or status.probability is None or status.probability_days is None:
        return ""
    share = f"{status.probability:.0%}"
    if status.probability < _LEAST:
        share = f"under {_LEAST:.0%}"
    if status.probability > 1 - _LEAST:
        share = f"over {1 - _LEAST:.0%}"
    return f"{share} within {status.probability_days} days"


def labelled(line: str) -> str:
    """Return a line ``Label: text`` of the text part with its text in the common column."""
    label, _, text = line.partition(": ")
    return f"{label}:".ljust(12) + text


def one_line(text: str) -> str:
    """Return text without control characters, safe in a header or a log line."""
    return _CONTROL.sub(" ", text).strip()


def series_link(page_url: str, problem: Problem) -> str:
    """Return the address of the series' chart on that day, else of the page of its subject."""
    finding = problem.finding
    if finding.series_id is None:
        return _link(page_url, "subject", name=finding.subject, day=str(finding.site_date))
    return _link(page_url, "series", series=finding.series_id, day=str(finding.site_date))


def explanation_link(page_url: str, problem: Problem) -> str:
    """Return the address of the page with every figure of the finding and its source files."""
    finding = problem.finding
    query = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    return _link(page_url, "explain", **query)


def _link(page_url: str, page: str, **query: str) -> str:
    return f"{page_url.rstrip('/')}/{page}?{urlencode(query)}"


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
