"""Rolling origins: what the rules would have forecast on earlier days of a loaded history.

The first run of a site has no forecast that could be compared with its history. They are kept apart
from live ones, as hold-out.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.datasets import HOLD_OUT_RESULT, HOLD_OUT_TRAINING
from mqcap.domain.forecast import ForecastBasis
from mqcap.judging.evaluate import facts_of_day, judge_facts
from mqcap.lake.files import remove
from mqcap.lake.forecast_results import results_of
from mqcap.lake.layout import COMPLETE, cutoff_partition, partitions
from mqcap.lake.location import open_lake
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from mqcap.steps.forecast import export_training
from mqcap.steps.verify import matured_scores
from mqcap.store.crossings import cutoff_dates, replace_hold_out
from mqcap.store.database import Store
from mqcap.store.observations import first_observed
from mqcap.store.scores import save_scores

APART_DAYS: Final = 30
"""Days between rolling origins: the shortest time of a stated probability."""
_NEAR: Final = timedelta(days=APART_DAYS // 2)
"""An origin that has a day with crossings so near is not forecast again (ours)."""


def export_origins(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Write the training data of each rolling origin that is due. Returns counts."""
    origins = list(_due(settings, engine, day))
    for origin in origins:
        export_training(settings, engine, origin, HOLD_OUT_TRAINING.name)
    return {"hold_out_days": len(origins)} if origins else {}


def store_hold_out(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Store crossings and scores of origins that were forecast, remove their data; counts."""
    lake = open_lake(settings.lake)
    crossing_count = score_count = 0
    with exclusive(settings, LakePart.forecast):
        for origin, folder in partitions(lake, HOLD_OUT_RESULT.name).items():
            if not (folder / COMPLETE).is_file():
                continue
            forecasts = {(one.series_id, one.statistic): one for one in results_of(folder)}
            facts = facts_of_day(settings, engine, origin)._replace(forecasts=forecasts)
            made = [verdict.crossing for verdict in judge_facts(facts)]
            crossings = [crossing for crossing in made if crossing is not None]
            scores = matured_scores(engine, crossings, day, ForecastBasis.hold_out)
            crossing_count += replace_hold_out(engine, origin, crossings)
            score_count += save_scores(engine, (), list(scores))
            remove(cutoff_partition(lake, HOLD_OUT_TRAINING.name, origin))
            remove(folder)
    if not crossing_count:
        return {}
    return {"hold_out_crossings": crossing_count, "hold_out_scores": score_count}


def _due(settings: Settings, engine: Store, day: date) -> Iterator[date]:
    """Yield the origins with history enough, near which no day has crossings."""
    options = settings.forecast
    first = first_observed(engine)
    if first is None:
        return
    for number in range(1, options.hold_out_origins + 1):
        origin = day - timedelta(days=number * APART_DAYS)
        if (origin - first).days + 1 < options.min_history_days:
            return
        near = (origin - _NEAR, min(origin + _NEAR, day - timedelta(days=1)))
        kept = (ForecastBasis.live, ForecastBasis.hold_out)
        if not any(cutoff_dates(engine, *near, basis) for basis in kept):
            yield origin
