"""Score: hold every forecast and every stated probability against what came since."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from forecasting import is_in_breach
from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState
from mqcap.domain.score import CrossingScore
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.observations import read_observations
from mqcap.store.scores import class_scores, kept_until, reliability, save_scores, score_forecasts
from sizing.rulebook.registry import all_rules

MATURED_WITHIN_DAYS: Final = 14
"""How far back a run looks for probabilities whose time has come: a missed week is made up."""


def score(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Score what was forecast up to ``day``; keeps every score. Returns counts.

    A forecast is scored until its last day is measured, a probability once, when its days are
    over. A rerun writes the same rows.
    """
    first = day - timedelta(days=settings.forecast.horizon_days + MATURED_WITHIN_DAYS)
    forecasts = score_forecasts(engine, first, day)
    promises = list(_matured(engine, day))
    save_scores(engine, forecasts, promises)
    return {"forecasts": len(forecasts), "probabilities": len(promises)}


def report(engine: Store, day: date, days: int = 365) -> list[str]:
    """The record of the last ``days`` in lines: accuracy per class, then reliability."""
    first = day - timedelta(days=days)
    lines = [
        f"{one.metric} {one.statistic}: {one.coverage_ratio:.0%} of {one.scored_days} days in the "
        f"band of {one.interval_width:.0%}, error {one.smape_pct:.1f} % sMAPE "
        f"({one.forecast_count} forecasts)"
        for one in class_scores(engine, kept_until(engine, first, day))
    ]
    lines += [
        f"within {one.horizon_days} days: stated {one.stated:.0%}, came {one.came:.0%} "
        f"of {one.count}"
        for one in reliability(engine, first, day)
    ]
    return lines or ["nothing is scored yet: no forecast is older than its first measured day"]


def _matured(engine: Store, day: date) -> Iterator[CrossingScore]:
    """Probabilities whose last day was one of the last two weeks."""
    strict = {name: one.strict for name, one in all_rules().items()}
    for horizon_days in PROBABILITY_DAYS:
        for late in range(MATURED_WITHIN_DAYS):
            cutoff = day - timedelta(days=horizon_days + late)
            for crossing in read_crossings(engine, cutoff):
                found = _scored(
                    engine, crossing, horizon_days, strict=strict.get(crossing.rule_id, True)
                )
                if found is not None:
                    yield found


def _scored(
    engine: Store, crossing: Crossing, horizon_days: int, *, strict: bool
) -> CrossingScore | None:
    """``None`` for what was already over, not stated, or not measured since."""
    probability = getattr(crossing, f"probability_{horizon_days}_days")
    if probability is None or crossing.state is CrossingState.breached:
        return None
    first = crossing.cutoff_date + timedelta(days=1)
    last = crossing.cutoff_date + timedelta(days=horizon_days)
    values = [
        getattr(one, crossing.statistic)
        for one in read_observations(engine, crossing.series_id, first, last)
    ]
    if not values:
        return None
    came = any(
        is_in_breach(value, crossing.limit_value, direction=crossing.direction, strict=strict)
        for value in values
    )
    return CrossingScore(
        rule_id=crossing.rule_id,
        subject=crossing.subject,
        cutoff_date=crossing.cutoff_date,
        horizon_days=horizon_days,
        probability=probability,
        came=came,
    )
