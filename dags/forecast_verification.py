"""Weekly score of the forecasts.

Holds every forecast that was shown, and every stated probability of a crossing, against what was
measured since, and keeps the result: share of days in the band, error, and how often what was
said to come with 70 % did come.

**Inputs.** Store: `forecast`, `forecast_point`, `crossing`, `observation_daily`.

**Outputs.** Store: `forecast_score`, `crossing_score`. The task's log has the record per metric.

**How to rerun.** Clear the run, or trigger a new one with `day`: scores are written over those of
the same forecasts. A missed week is made up by the next run.

**If it fails.** Nobody is blocked: forecasts and mails go on, only their record is a week old.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from __future__ import annotations

from datetime import datetime

from airflow.sdk import Asset, CronDataIntervalTimetable, dag, task
from mqcap_dags.defaults import DEFAULT_ARGS, LAST_DAY, MACROS, Tag, day_param

SCORES = Asset("mqcap_forecast_score")


@task(outlets=[SCORES])
def score(day: str) -> dict[str, int]:
    """Score forecasts and probabilities up to the day."""
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
    from mqcap.steps import runner  # noqa: PLC0415 - not while parsing

    return runner.score(load_settings(), datetime.fromisoformat(day).date())


@task
def record(day: str) -> list[str]:
    """Say the record of the last year, per metric and per stated probability."""
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
    from mqcap.steps import runner  # noqa: PLC0415 - not while parsing

    return runner.record(load_settings(), datetime.fromisoformat(day).date())


@dag(
    dag_id="mqcap_weekly_backtest",
    description="Scores of all forecasts shown, against what came.",
    schedule=CronDataIntervalTimetable("0 6 * * 0", timezone="UTC"),
    start_date=datetime.fromisoformat("2020-01-01T00:00:00+00:00"),
    catchup=False,
    max_active_runs=1,
    default_args=DEFAULT_ARGS,
    params={
        "day": day_param("Last UTC day to score", "the day before the run"),
    },
    user_defined_macros=MACROS,
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    doc_md=__doc__,
)
def weekly_backtest() -> None:
    """Wire the steps; the work is in ``pipeline``."""
    score(LAST_DAY) >> record(LAST_DAY)


weekly_backtest()
