"""Housekeeping of lake and store.

Removes from store and lake what is older than `store.retention` says, counted back from the newest
day with observations; then looks whether schema, rows and outbox of the store are sound. Nothing
goes that a run of a day in the active window needs.

**Inputs.** Store and lake; `store.retention` of the settings.

**Outputs.** The counts of what was removed, in the task's log and in `mqcap evidence`.

**How to rerun.** Clear the run or trigger a new one: what is gone is gone, and nothing else goes.
`mqcap store prune --dry-run` only counts.

**If it fails.** Nobody is blocked. A removal that was killed is completed by the next run. Where
the store is not sound, the message of `check_store` says what to do.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from airflow.sdk import CronDataIntervalTimetable, dag, task
from mqcap_dags.defaults import DEFAULT_ARGS, MACROS, Tag


@task
def prune() -> dict[str, Any]:
    """Remove what is older than the retention says."""
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
    from mqcap.steps import runner  # noqa: PLC0415 - not while parsing

    settings = load_settings()
    newest = runner.last_day(settings)
    return runner.prune(settings, newest) if newest else {}


@task
def check_store() -> None:
    """Whether schema, rows and outbox are sound."""
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
    from mqcap.steps import runner  # noqa: PLC0415 - not while parsing

    runner.check_store(load_settings())


@dag(
    dag_id="mqcap_housekeeping",
    description="Removes what is older than the retention says, and checks the store.",
    schedule=CronDataIntervalTimetable("0 12 * * 0", timezone="UTC"),
    start_date=datetime.fromisoformat("2020-01-01T00:00:00+00:00"),
    catchup=False,
    max_active_runs=1,
    default_args=DEFAULT_ARGS,
    user_defined_macros=MACROS,
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    doc_md=__doc__,
)
def housekeeping() -> None:
    """Wire the steps; the work is in ``pipeline``."""
    prune() >> check_store()


housekeeping()
