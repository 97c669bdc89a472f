"""How good past forecasts were: bands against measured days, chances against what came."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from mq_capacity_page.pages.answers import View
from mq_capacity_page.web.context import Site
from mqcap.domain.metric import split_series_id
from mqcap.domain.score import ClassScore, RecentAccuracy, ReliabilityBin, SeriesScore
from mqcap.store import scores

WINDOWS_DAYS: Final = (30, 90, 365)
WORST_SERIES: Final = 15
"""Series listed by name (ours)."""
TOLERANCE_RATIO: Final = 0.05
"""A band that held so much less or more than meant is too narrow or too wide (ours)."""


class ClassLine(View):
    """All forecasts of one metric and statistic."""

    score: ClassScore
    verdict: str


class SeriesLine(View):
    """All forecasts of one series and statistic, and its last measured days."""

    score: SeriesScore
    metric: str
    subject: str
    verdict: str
    record: RecentAccuracy | None


class ScorecardView(View):
    """The record of the forecasts made in a window of days."""

    days: int
    scored_to: date | None
    """``None`` before the first score."""
    classes: list[ClassLine]
    worst: list[SeriesLine]
    horizons: list[tuple[int, list[ReliabilityBin]]]
    """By days ahead: stated chances in tenths, and how often what was stated has come."""


def scorecard_view(site: Site, day: date, days: int) -> ScorecardView:
    """Scores of forecasts made in the last ``days`` days before ``day``, as known on it."""
    first = day - timedelta(days=days)
    scored, known_to = scores.kept_until(site.engine, first, day), scores.scored_to(site.engine)
    if known_to is not None and known_to > day:
        known_to = scores.last_scored(site.engine, scored)
    bins: dict[int, list[ReliabilityBin]] = {}
    for one in scores.reliability(site.engine, first, day):
        bins.setdefault(one.horizon_days, []).append(one)
    return ScorecardView(
        days=days,
        scored_to=known_to,
        classes=[
            ClassLine(score=one, verdict=verdict(one.coverage_ratio, one.interval_width))
            for one in scores.class_scores(site.engine, scored)
        ],
        worst=[
            _series(site, one, day)
            for one in scores.series_scores(site.engine, scored, WORST_SERIES)
        ],
        horizons=sorted(bins.items()),
    )


def verdict(coverage_ratio: float, interval_width: float) -> str:
    """Whether a band held as many days as it was meant to."""
    if coverage_ratio < interval_width - TOLERANCE_RATIO:
        return "too narrow"
    return "too wide" if coverage_ratio > interval_width + TOLERANCE_RATIO else "as meant"


def _series(site: Site, score: SeriesScore, day: date) -> SeriesLine:
    metric, subject = split_series_id(score.series_id)
    return SeriesLine(
        score=score,
        metric=metric,
        subject=subject,
        verdict=verdict(score.coverage_ratio, score.interval_width),
        record=scores.recent_accuracy(site.engine, score.series_id, score.statistic, day),
    )
