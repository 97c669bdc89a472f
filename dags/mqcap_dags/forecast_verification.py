"""Weekly forecast verification.

Compares every published forecast, and every stated probability of a threshold crossing, with the
values observed since, and stores the result: coverage of the prediction interval, error, and how
often events came true that were stated with a given probability (reliability). It is no back-test:
nothing is forecast again.

**Inputs.** Store: `forecast`, `forecast_point`, `crossing`, `observation_daily`.

**Outputs.** Store: `forecast_score`, `crossing_score`. The log of the task `record` shows the
accuracy per metric.

**How to rerun.** Clear the run, or trigger one with the configuration `{"day": "2026-11-20"}`, the
last day to verify: scores replace those of the same forecasts. The next run makes up for a missed
week.

**If it fails.** Nothing else is blocked: forecasts and emails go on; the accuracy shown is a week
old.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from datetime import datetime

from airflow.sdk import Asset, dag, task
from mqcap_dags.defaults import SCHEDULED, Tag, fails_at_once, utc
from mqcap_dags.params import LAST_DAY

SCORES = Asset("mqcap_forecast_score")


@task(outlets=[SCORES])
@fails_at_once
def score(day: str) -> dict[str, int]:
    """Verify forecasts and probabilities up to the day, and store the scores."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    return runner.score(load_settings(), datetime.fromisoformat(day).date())


@task
@fails_at_once
def record(day: str) -> list[str]:
    """Log the accuracy of the last year, per metric and per stated probability."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    return runner.record(load_settings(), datetime.fromisoformat(day).date())


@dag(
    dag_id="mqcap_forecast_verification",
    schedule=utc("0 6 * * 0"),
    description="Verifies published forecasts against observed values.",
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    doc_md=__doc__,
    **SCHEDULED,
)
def forecast_verification() -> None:
    """Wire the steps of ``mqcap.steps.runner``."""
    score(LAST_DAY) >> record(LAST_DAY)


DAG = forecast_verification()
