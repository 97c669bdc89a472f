"""Reports as files.

Writes the daily report of one day, on Sundays the weekly report too, and on the last day of a month
the monthly plan, each as HTML, PDF and XLSX: for operations and the change advisory board. The
capacity page generates the same reports on request, byte for byte.

**Inputs.** Store: `finding`, `crossing`, `forecast`, `observation_daily`, `feed_day`, `ticket`.

**Outputs.** Files `mqcap-<kind>-<day>.<format>` in the folder `reports.folder` of the settings.

**Which day.** The start of the run's data interval (UTC), or the day of the run's configuration:
`{"day": "2026-11-20"}`.

**How to rerun.** Clear the run, or trigger a new one with `kind`: files replace those of the same
day, and are identical unless that day was evaluated again, or the earlier day that they compare
with.

**If it fails.** Nothing else is blocked: the page has the reports. The task is retried while the
day has no findings yet; if it fails for good, run the daily DAG for that day first.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from datetime import datetime, timedelta

from airflow.sdk import Param, dag, task
from mqcap_dags.defaults import SCHEDULED, Tag, fails_at_once, utc
from mqcap_dags.params import DAY

KIND = "{{ params.kind }}"


@task(retries=5, retry_delay=timedelta(minutes=10))
@fails_at_once
def write(day: str, kind: str) -> list[str]:
    """Write the reports due for the day, or the one that the parameter ``kind`` names."""
    from mqcap.settings import load_settings
    from mqcap.steps.runner import reports

    return reports(load_settings(), datetime.fromisoformat(day).date(), kind)


@dag(
    dag_id="mqcap_reports",
    schedule=utc("0 6 * * *"),
    description="Daily report, weekly report and monthly plan as HTML, PDF and XLSX.",
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    params={
        "kind": Param(
            "due",
            type="string",
            enum=["due", "daily", "weekly", "monthly"],
            title="Which report",
            description="due: daily; on Sundays weekly too; at the end of a month monthly too.",
        ),
    },
    doc_md=__doc__,
    **SCHEDULED,
)
def reports() -> None:
    """Wire the step of ``mqcap.steps.runner``."""
    write(DAY, KIND)


DAG = reports()
