"""Addresses of the capacity page that mails and tickets point to."""

from __future__ import annotations

from urllib.parse import urlencode

from mqcap.domain.problem import Problem


def series_link(page_url: str, problem: Problem) -> str:
    """The chart of the problem's series on that day, else the page of its subject."""
    finding = problem.finding
    if finding.series_id is None:
        return _link(page_url, "subject", name=finding.subject, day=str(finding.site_date))
    return _link(page_url, "series", series=finding.series_id, day=str(finding.site_date))


def explanation_link(page_url: str, problem: Problem) -> str:
    """Every figure of the finding with the files of the run behind it."""
    finding = problem.finding
    known = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    return _link(page_url, "explain", **known)


def _link(page_url: str, page: str, **query: str) -> str:
    return f"{page_url.rstrip('/')}/{page}?{urlencode(query)}"
