"""Text about one problem, the same in emails and tickets: figures, dates, state and links."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode

from mqcap.domain.finding import Finding
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.domain.numbers import probability
from mqcap.domain.problem import Problem, ProblemDay, ProblemState
from mqcap.presentation.dates import instant
from mqcap.presentation.display_units import STORED_RATE
from mqcap.presentation.labels import metric_label
from mqcap.presentation.quantities import quantity
from mqcap.settings import AlertSettings

CHART_WORDS: Final = "chart"
FINDING_WORDS: Final = "finding and problem history"
LOSSES_WORDS: Final = "every survivor, today and ahead"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def observation_text(finding: Finding, status: ProblemDay) -> str:
    """Return the measured figure with its statistic, its day, and the busiest hour of a peak."""
    text = named_quantity(finding, finding.observed)
    if finding.observed_when:
        text += f", {finding.observed_when}"
    if finding.statistic is Statistic.peak and status.peak_hour_utc:
        text += f", in the hour from {instant(status.peak_hour_utc, finding.subject)}"
    return text


def named_quantity(finding: Finding, value: float | None) -> str:
    """Return a value of a finding with its unit, and a rate with the metric's label before it.

    A title about time would leave the reader to guess what flows.
    """
    text = quantity(value, finding.unit).full
    if value is None or finding.series_id is None or finding.unit != STORED_RATE:
        return text
    return f"{metric_label(split_series_id(finding.series_id)[0])} {text}"


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


def probability_text(status: ProblemDay) -> str:
    """Return the probability of passing the limit; empty when it is passed or not forecast."""
    if status.over or status.probability is None or status.probability_days is None:
        return ""
    return f"{probability(status.probability)} within {status.probability_days} days"


def one_line(text: str) -> str:
    """Return text without control characters, safe in a header or a log line."""
    return _CONTROL.sub(" ", text).strip()


def series_link(page_url: str, problem: Problem) -> str:
    """Return the address of the chart that shows limit and date, else of the finding's page.

    That is the chart of the statistic with which the limit is compared; of a loss the page of all
    losses. A finding without a series has no chart of its own.
    """
    finding = problem.finding
    if finding.is_of_loss:
        return f"{_link(page_url, 'losses', day=str(finding.site_date))}#{finding.subject}"
    if finding.series_id is None:
        return _finding_link(page_url, "finding", finding)
    query = {"series": finding.series_id, "day": str(finding.site_date)}
    if finding.statistic is not None:
        query["statistic"] = finding.statistic.value
    return _link(page_url, "series", **query)


def explanation_link(page_url: str, problem: Problem) -> str:
    """Return the address of the page with every figure of the finding and its source files."""
    return _finding_link(page_url, "explain", problem.finding)


def series_link_words(problem: Problem) -> str:
    """Return what ``series_link`` leads to: a chart with limit and date where it has both."""
    finding, crossing = problem.finding, problem.crossing
    if finding.is_of_loss:
        return LOSSES_WORDS
    if finding.series_id is None:
        return FINDING_WORDS
    if crossing is None:
        return CHART_WORDS
    is_dated = crossing.breached_since or crossing.expected_date or crossing.earliest_date
    return f"{CHART_WORDS} with limit{' and date' if is_dated else ''}"


def link_lines(problem: Problem, page_url: str) -> list[str]:
    """Return the addresses of chart and explanation, one line each; none without an address."""
    if not page_url:
        return []
    if problem.finding.is_of_loss:
        words = "Every survivor"
    else:
        words = "Chart and forecast" if problem.finding.series_id else FINDING_WORDS.capitalize()
    return [
        f"{words}: {series_link(page_url, problem)}",
        f"Figures and files of the run: {explanation_link(page_url, problem)}",
    ]


def closing_text(alerts: AlertSettings) -> str:
    """Return when a ticket is closed."""
    return f"This ticket is closed after {alerts.clear_days} consecutive complete days in order."


def _finding_link(page_url: str, page: str, finding: Finding) -> str:
    query = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    return _link(page_url, page, **query)


def _link(page_url: str, page: str, **query: str) -> str:
    return f"{page_url.rstrip('/')}/{page}?{urlencode(query)}"
