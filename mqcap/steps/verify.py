"""Verify every forecast and every stated probability against the values observed since."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState, stated_probability
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.numbers import percent, probability
from mqcap.domain.score import CrossingScore
from mqcap.judging.ledger import evaluated_later, has_passed, read_ledger
from mqcap.presentation.ledger_text import basis_label, ledger_lines
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.observations import read_figures
from mqcap.store.scores import (
    class_scores_by_basis,
    reliability,
    save_scores,
    score_forecasts,
    scores_as_of,
)

MATURED_WITHIN_DAYS: Final = 14
"""Days back over which a run looks for probabilities whose time is over: a missed week included."""


def score(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Score forecasts and probabilities over by ``day`` and save the scores. Returns counts."""
    first = day - timedelta(days=settings.forecast.horizon_days + MATURED_WITHIN_DAYS)
    forecasts = score_forecasts(engine, first, day)
    probabilities = list(_matured(engine, day))
    save_scores(engine, forecasts, probabilities)
    return {"forecasts": len(forecasts), "probabilities": len(probabilities)}


def accuracy_lines(settings: Settings, engine: Store, day: date, days: int = 365) -> list[str]:
    """Return the accuracy of the last ``days`` in lines: per metric, then reliability."""
    first = day - timedelta(days=days)
    scored, later = scores_as_of(engine, first, day), evaluated_later(engine, first, day)
    lines = [
        f"{basis_label(score.basis)}{score.metric} {score.statistic}: "
        f"{percent(score.coverage_ratio)} of {score.scored_days} days in the "
        f"{percent(score.interval_width)} prediction interval, "
        f"error {percent(score.smape_pct / 100)} sMAPE ({score.forecast_count} forecasts)"
        for score in class_scores_by_basis(engine, scored, later)
    ]
    lines += [
        f"{basis_label(row.basis)}within {row.horizon_days} days: "
        f"stated {probability(row.stated)}, came true {percent(row.came)} of {row.count}"
        for row in reliability(engine, first, day)
    ]
    lines += ledger_lines(read_ledger(settings, engine, first, day))
    return lines or ["no forecast has been verified yet: none is older than its first observed day"]


def matured_scores(
    engine: Store, crossings: Iterable[Crossing], day: date, basis: ForecastBasis
) -> Iterator[CrossingScore]:
    """Yield the scores of all probabilities of crossings whose last day is ``day`` or before."""
    for crossing in crossings:
        for horizon_days in PROBABILITY_DAYS:
            if crossing.cutoff_date + timedelta(days=horizon_days) <= day:
                yield from _scored(engine, crossing, horizon_days, basis)


def _matured(engine: Store, day: date) -> Iterator[CrossingScore]:
    """Yield scores of probabilities over in the last two weeks; hold-out if judged later."""
    longest = timedelta(days=max(PROBABILITY_DAYS) + MATURED_WITHIN_DAYS)
    later = evaluated_later(engine, day - longest, day)
    made = [(days, late) for days in PROBABILITY_DAYS for late in range(MATURED_WITHIN_DAYS)]
    for horizon_days, late in tracked(made, "verify probabilities", "days"):
        cutoff = day - timedelta(days=horizon_days + late)
        basis = ForecastBasis.hold_out if cutoff in later else ForecastBasis.live
        for crossing in read_crossings(engine, cutoff):
            yield from _scored(engine, crossing, horizon_days, basis)
        for crossing in read_crossings(engine, cutoff, ForecastBasis.hold_out):
            yield from _scored(engine, crossing, horizon_days, ForecastBasis.hold_out)


def _scored(
    engine: Store, crossing: Crossing, horizon_days: int, basis: ForecastBasis
) -> Iterator[CrossingScore]:
    """Yield the score; none if already in breach, without a probability, or not observed since."""
    probability = stated_probability(crossing, horizon_days)
    if probability is None or crossing.state is CrossingState.breached:
        return
    first = crossing.cutoff_date + timedelta(days=1)
    last = crossing.cutoff_date + timedelta(days=horizon_days)
    days = read_figures(engine, crossing.series_id, crossing.statistic, first, last)
    if not days:
        return
    limit, direction = crossing.limit_value, crossing.direction
    came = any(has_passed(crossing.rule_id, figure, limit, direction) for _, figure in days)
    yield CrossingScore(
        rule_id=crossing.rule_id,
        subject=crossing.subject,
        cutoff_date=crossing.cutoff_date,
        horizon_days=horizon_days,
        probability=probability,
        came=came,
        basis=basis,
    )
