"""Reports as files.

Writes the daily sheet of one day, on Sundays the weekly report and on the last day of a month the
monthly plan, each as HTML, PDF and XLSX, for the file share and the change board. The capacity
page makes the same reports at once, byte for byte.

**Inputs.** Store: `finding`, `crossing`, `forecast`, `observation_daily`, `feed_day`, `ticket`.

**Outputs.** Files `mqcap-<kind>-<day>.<format>` in the folder `reports.folder` of the settings.

**Which day.** Parameter `day`, else the start of the run's data interval (UTC).

**How to rerun.** Clear the run, or trigger a new one with `day` and `kind`: files are written over
those of the same day, and are the same unless the day was judged anew.

**If it fails.** Nobody is blocked: the page has the reports. A day that is not judged yet is tried
again; then run the daily DAG for it first.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow.sdk import CronDataIntervalTimetable, Param, dag, task
from mqcap_dags.defaults import DAY, DEFAULT_ARGS, MACROS, Tag, day_param

KIND = "{{ params.kind }}"


@task(retries=5, retry_delay=timedelta(minutes=10))
def write(day: str, kind: str) -> list[str]:
    """Write the reports that are due about the day, or the one asked for."""
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
    from mqcap.steps.runner import reports  # noqa: PLC0415 - not while parsing

    return reports(load_settings(), datetime.fromisoformat(day).date(), kind)


@dag(
    dag_id="mqcap_reports",
    description="Daily sheet, weekly report and monthly plan as HTML, PDF and XLSX.",
    schedule=CronDataIntervalTimetable("0 6 * * *", timezone="UTC"),
    start_date=datetime.fromisoformat("2020-01-01T00:00:00+00:00"),
    catchup=False,
    max_active_runs=1,
    default_args=DEFAULT_ARGS,
    params={
        "day": day_param("Day to report on", "the day of the run's data interval"),
        "kind": Param(
            "due",
            type="string",
            enum=["due", "daily", "weekly", "monthly"],
            title="Which report",
            description="due: daily, on Sundays weekly too, on the last of a month monthly too.",
        ),
    },
    user_defined_macros=MACROS,
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    doc_md=__doc__,
)
def reports() -> None:
    """Wire the step; the work is in ``pipeline``."""
    write(DAY, KIND)


reports()
