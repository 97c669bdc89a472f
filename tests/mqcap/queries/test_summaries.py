"""Rows of a day as the store has them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from mqcap.queries.summaries import kept_summaries_on, plan_summaries_on
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.models import StepRun
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import save_acknowledgements
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, acknowledgement, finding
from tests.plan_factories import loss, plan, plan_rule


def test_a_day_has_a_row_for_each_plan_and_each_loss_with_its_figure(engine: Store) -> None:
    judged = finding(rule_id="LOG-RUNWAY-12H", observed=4.13, limit_value=12.0, unit="h")
    replace_findings(engine, DAY, [judged])
    replace_plans(engine, DAY, [plan(rules=(plan_rule(),))])
    replace_losses(engine, DAY, [loss()])
    rows = plan_summaries_on(engine, DAY, Settings())
    assert [(row.title, row.now_of_limit) for row in rows] == [
        ("CSQ1 active logs", "4.1 h of 12 h"),
        ("Loss of CF02", "73 % of 60 %"),
    ]


def test_what_is_acknowledged_comes_last_and_says_by_whom(engine: Store) -> None:
    other = plan(
        resource="PLEX1/CSQ2/active_log", label="CSQ2 active logs", worst_subject="PLEX1/CSQ2"
    )
    replace_plans(engine, DAY, [plan(), other])
    key = "LOG-RUNWAY-12H/PLEX1/CSQ1"
    noted = acknowledgement(key, who="anna", noted_date=DAY, until_date=date(2026, 4, 1))
    save_acknowledgements(engine, [noted])
    rows = plan_summaries_on(engine, DAY, Settings())
    assert [each.title for each in rows] == ["CSQ2 active logs", "CSQ1 active logs"]
    assert rows[1].acknowledged == "acknowledged by anna until 1 Apr 2026"


def test_pages_keep_rows_until_a_step_ends_and_see_acknowledgements_at_once(engine: Store) -> None:
    def ended(minute: int) -> None:
        at = datetime(2026, 3, 3, 1, minute, tzinfo=UTC)
        save_step_run(
            engine, StepRun(step="size", ended_at_utc=at, site_date=DAY, versions={}, counts={})
        )

    def shown() -> list[tuple[str, bool]]:
        rows = kept_summaries_on(engine, DAY, Settings())
        return [(row.title, bool(row.acknowledged)) for row in rows]

    replace_plans(engine, DAY, [plan()])
    ended(1)
    assert shown() == [("CSQ1 active logs", False)]
    replace_plans(engine, DAY, [plan(label="Renamed")])
    key = "LOG-RUNWAY-12H/PLEX1/CSQ1"
    save_acknowledgements(
        engine, [acknowledgement(key, noted_date=DAY, until_date=date(2026, 4, 1))]
    )
    assert shown() == [("CSQ1 active logs", True)]
    ended(2)
    assert shown() == [("Renamed", True)]
