"""Accuracy of past forecasts: coverage of prediction intervals, error, probabilities."""

from datetime import date, timedelta
from typing import Final

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.console.ledger import LEAD_DAYS, Ledger, LimitRecord
from mqcap.domain.score import ClassScore, ReliabilityBin
from mqcap.judging.ledger import evaluated_later, read_ledger
from mqcap.judging.scorecard import correction_lines, read_limit_records
from mqcap.presentation.ledger_text import BASIS_WORDS, count_lines
from mqcap.store import scores

TOLERANCE_RATIO: Final = 0.05
"""An interval whose coverage differs by more from the nominal one is too narrow or wide (ours)."""
LEAST_CASES: Final = 20
"""Fewer verified days or statements are not judged: one of them is then more than the tolerance
(ours)."""
TOO_FEW: Final = "too few days"


class AccuracyView(ViewModel):
    """Accuracy of the forecasts made in a window of days."""

    days: int
    metrics: list[ClassScore]
    horizons: list[tuple[int, list[tuple[str, list[ReliabilityBin]]]]]
    """By days ahead and basis: stated probabilities in tenths, the observed frequency of each."""
    ledger: Ledger
    """What the console reported in the window and what was forecast."""
    ledger_lines: list[str]
    limits: list[LimitRecord]
    """Of rules of which something was due, likely or came."""
    correction_lines: list[str]
    """How the site's own outcomes correct the probabilities of the day; empty where unknown."""
    lead_days: int = LEAD_DAYS
    least_cases: int = LEAST_CASES

    def verdict(self, score: ClassScore) -> str:
        """Return how the coverage of the forecasts of a metric compares with the nominal one."""
        return coverage_verdict(score.coverage_ratio, score.interval_width, score.scored_days)


def accuracy_view(context: PageContext, day: date, days: int) -> AccuracyView:
    """Return scores of forecasts made in the last ``days`` days before ``day``, as known on it."""
    engine, first = context.engine, day - timedelta(days=days)
    scored = scores.scores_as_of(engine, first, day)
    bins: dict[int, dict[str, list[ReliabilityBin]]] = {}
    for each in scores.reliability(engine, first, day):
        of_basis = bins.setdefault(each.horizon_days, {})
        of_basis.setdefault(BASIS_WORDS[each.basis], []).append(each)
    later = evaluated_later(engine, first, day)
    ledger = read_ledger(context.settings, engine, first, day)
    records = read_limit_records(engine, ledger, first, day)
    return AccuracyView(
        days=days,
        metrics=scores.class_scores_by_basis(engine, scored, later),
        horizons=[
            (days_ahead, [*of_basis.items()]) for days_ahead, of_basis in sorted(bins.items())
        ],
        ledger=ledger,
        ledger_lines=count_lines(ledger),
        limits=[record for record in records if not record.is_quiet],
        correction_lines=correction_lines(context.settings, engine, day),
    )


def coverage_verdict(coverage_ratio: float, interval_width: float, days: int) -> str:
    """Return how the coverage of a prediction interval compares with its nominal coverage.

    Of fewer than ``LEAST_CASES`` verified days the verdict is ``TOO_FEW``.
    """
    if days < LEAST_CASES:
        return TOO_FEW
    if coverage_ratio < interval_width - TOLERANCE_RATIO:
        return "too narrow"
    return "too wide" if coverage_ratio > interval_width + TOLERANCE_RATIO else "as stated"
