"""Daily capacity run.

Lands the dumps of one day, decodes and aggregates them, forecasts every series, evaluates the
rules of MP16, plans the changes of each resource, and notifies of new and worsened problems. What
runs on Spark is one application with one session, the task `measure_and_forecast`: its log has a
line for each of its steps, and the store a record.

**Inputs.** SMF dumps and console logs in the inbox (`ingest.inbox`) and at the addresses of
`ingest.inputs`; earlier days in the lake and the store.

**Outputs.** Lake: `landing`, `section_*`, `console_event`, `quarantine`, `metric_hourly`,
`metric_interval`, `metric_part`. Store: `source_file`, `series`, `observation_daily`, `forecast`,
`finding`, `crossing`, `plan`, `loss`, `problem`, `ticket`. At most one email per recipient list,
and one ticket per resource. Assets for DAGs that follow: `mqcap_dags.assets`.

**Which day.** The start of the run's data interval (UTC); a run that is triggered by hand takes the
interval before its logical date, or the day of its configuration: `{"day": "2026-11-20"}`.

**How to rerun.** Clear the run: each step is idempotent and rewrites exactly the data of that day,
so that a rerun changes nothing unless the input changed. For a range of days use *Backfill*; it
stores its notifications and sends none.

**If it fails.** Nothing else is blocked: dumps stay in the inbox and the next run takes them. After
three days without a run, forecasts and emails are stale. An input or setting that must be corrected
fails its task at once and is named in the message; an unreachable service is tried four times.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from datetime import datetime, timedelta
from typing import Any

from airflow.providers.standard.sensors.date_time import DateTimeSensor
from airflow.sdk import dag, task
from mqcap_dags.assets import FINDINGS, FORECASTS, METRICS, OBSERVATIONS, PROBLEMS, SECTIONS
from mqcap_dags.defaults import SCHEDULED, Pool, Tag, fails_at_once, settings_for_delivery, utc
from mqcap_dags.params import DAY, WAIT_UNTIL, daily_params, is_replay
from mqcap_dags.spark import spark_app


@task
@fails_at_once
def land(day: str) -> dict[str, int]:
    """Copy new input files into the lake, each under its SHA-256."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    return runner.land(load_settings(), _date(day))


@task(outlets=[FINDINGS])
@fails_at_once
def size(day: str) -> dict[str, int]:
    """Evaluate the rules and date the threshold crossings of the forecasts."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    return runner.size(load_settings(), _date(day))


@task(pool=Pool.delivery.value, outlets=[PROBLEMS])
@fails_at_once
def alert(day: str, dag_run: Any = None, params: Any = None) -> dict[str, int]:
    """Notify of new and worsened problems once; a replay stores the notifications only."""
    from mqcap.steps import runner

    settings, smtp = settings_for_delivery()
    return runner.alert(settings, _date(day), replay=is_replay(dag_run, params), smtp=smtp)


def _date(day: str) -> Any:
    return datetime.fromisoformat(day).date()


@dag(
    dag_id="mqcap_daily",
    schedule=utc("0 0 * * *"),
    description="From the SMF dumps of one day to forecasts, findings, an email and tickets.",
    tags=[Tag.capacity, Tag.mq, Tag.smf, Tag.tier_2],
    params=daily_params(),
    doc_md=__doc__,
    **SCHEDULED,
)
def daily_capacity() -> None:
    """Wire the steps of ``mqcap.steps``: order, pools and assets."""
    wait = DateTimeSensor(
        task_id="wait_for_data",
        target_time=WAIT_UNTIL,
        mode="reschedule",
        poke_interval=timedelta(minutes=5),
        timeout=timedelta(days=2),
        pool="default_pool",
    )
    on_spark = spark_app(
        "measure_and_forecast", outlets=[SECTIONS, METRICS, OBSERVATIONS, FORECASTS]
    )
    wait >> land(DAY) >> on_spark >> size(DAY) >> alert(DAY)


DAG = daily_capacity()
