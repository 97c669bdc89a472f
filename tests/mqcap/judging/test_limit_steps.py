from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from mqcap.domain.finding import Finding
from mqcap.judging.evaluate import judge_all
from mqcap.judging.limit_steps import limit_steps
from mqcap.settings import Settings
from mqcap.store.database import Store
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, days, new_store, observe, settings_of


def evaluated(folder: Path, *planned: dict[str, Any]) -> tuple[Settings, Store, Finding]:
    engine = new_store(folder)
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(5, 0.5))
    settings = settings_of(folder, active_log_size_mib=1_800, planned=list(planned))
    verdicts = judge_all(settings, engine, DAY)
    findings = [verdict.finding for verdict in verdicts]
    return (
        settings,
        engine,
        next(finding for finding in findings if finding.rule_id == "LOG-FILL-30MIN"),
    )


def test_a_planned_change_gives_the_first_day_and_value_of_the_later_limit(tmp_path: Path) -> None:
    day = DAY + timedelta(days=30)
    site = evaluated(tmp_path, {"from": day, "active_log_size_mib": 3_600})
    assert limit_steps(*site) == [(day, 2.0)]


def test_without_a_planned_change_there_is_no_step(tmp_path: Path) -> None:
    assert limit_steps(*evaluated(tmp_path)) == []


def test_a_rule_of_an_older_release_has_no_steps(tmp_path: Path) -> None:
    change = {"from": DAY + timedelta(days=30), "active_log_size_mib": 3_600}
    settings, engine, finding = evaluated(tmp_path, change)
    unknown = finding.model_copy(update={"rule_id": "NO-SUCH-RULE"})
    assert limit_steps(settings, engine, unknown) == []


def test_a_subject_that_the_estate_does_not_list_has_no_steps(tmp_path: Path) -> None:
    change = {"from": DAY + timedelta(days=30), "active_log_size_mib": 3_600}
    settings, engine, finding = evaluated(tmp_path, change)
    other = finding.model_copy(update={"subject": "PLEX1/CSQ9"})
    assert limit_steps(settings, engine, other) == []
