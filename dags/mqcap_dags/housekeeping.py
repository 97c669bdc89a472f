"""Housekeeping of lake and store.

Deletes from store and lake what is older than `store.retention`, counted back from the newest day
with observations; then checks schema, rows and outbox of the store. Data that a run of a day in the
active window needs are never deleted.

**Inputs.** Store and lake; `store.retention` of the settings.

**Outputs.** The numbers of deleted rows and files, in the task log and in `mqcap audit-record`.

**How to rerun.** Clear the run or trigger a new one; a second run finds nothing more to delete.
`mqcap store prune --dry-run` only counts.

**If it fails.** Nothing else is blocked. The next run completes an interrupted deletion. Where the
store is inconsistent, the message of `check_store` names the remedy.

**Whom to call.** The team *mq-capacity*, next working day; the runbook is `docs/runbook.md`.
"""

from typing import Any

from airflow.sdk import dag, task
from mqcap_dags.defaults import SCHEDULED, Tag, fails_at_once, utc


@task
@fails_at_once
def prune() -> dict[str, Any]:
    """Delete from store and lake what is older than the retention."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    settings = load_settings()
    newest = runner.last_day(settings)
    return runner.prune(settings, newest) if newest else {}


@task
@fails_at_once
def check_store() -> None:
    """Check schema, rows and outbox of the store; fail with the remedy if one is inconsistent."""
    from mqcap.settings import load_settings
    from mqcap.steps import runner

    runner.check_store(load_settings())


@dag(
    dag_id="mqcap_housekeeping",
    schedule=utc("0 12 * * 0"),
    description="Deletes what is older than the retention, then checks the store.",
    tags=[Tag.capacity, Tag.mq, Tag.tier_2],
    doc_md=__doc__,
    **SCHEDULED,
)
def housekeeping() -> None:
    """Wire the steps of ``mqcap.steps.runner``."""
    prune() >> check_store()


DAG = housekeeping()
