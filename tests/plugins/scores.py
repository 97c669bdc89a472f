"""Scores of two series, for the pages that show how good forecasts were."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from mqcap.domain.metric import Statistic
from mqcap.domain.score import CrossingScore, ForecastScore
from mqcap.store.database import open_store
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.scores import save_scores
from tests.plugins import builder

DAY = builder.DAY


def score(**changed: Any) -> ForecastScore:
    values: dict[str, Any] = {
        "series_id": builder.LOG,
        "statistic": Statistic.peak,
        "cutoff_date": DAY - timedelta(days=20),
        "interval_width": 0.8,
        "scored_to": DAY,
        "scored_days": 20,
        "inside_days": 12,
        "smape_pct": 9.5,
        "mean_error": 0.1,
        "backtest_smape_pct": 6.2,
    }
    return ForecastScore(**values | changed)


def fill(folder: Path) -> None:
    """Fill the store of a folder."""
    engine = builder.empty_store(folder)
    fill_store(engine)
    engine.dispose()


def fill_store(engine: Engine) -> None:
    """Scores of two series, a probability that came true, and a forecast of nine days before."""
    came = CrossingScore(
        rule_id="LOG-FILL-30MIN",
        subject="PLEX1/CSQ1",
        cutoff_date=DAY - timedelta(days=31),
        horizon_days=30,
        probability=0.7,
        came=True,
    )
    save_scores(engine, [score(), score(series_id=builder.CF, inside_days=16)], [came])
    earlier = DAY - timedelta(days=9)
    points = tuple(
        replace(point, site_date=point.site_date - timedelta(days=9), lower=0.0)
        for point in builder.forecast(builder.LOG).points
    )
    made = builder.forecast(builder.LOG, cutoff_date=earlier, points=points)
    replace_forecasts(engine, earlier, [made])


def fill_site(url: str) -> None:
    """Fill the store of an address with an evaluated day and its scores."""
    engine = open_store(url)
    builder.fill(engine)
    fill_store(engine)
    engine.dispose()
