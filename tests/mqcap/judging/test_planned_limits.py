from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding
from mqcap.judging.inputs import values_of
from mqcap.judging.planned_change import limit_steps, planned_limits
from mqcap.settings import Settings
from mqcap.store.database import Store
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.mqcap.judging.observations import DAY, SUBJECT, judge_all, measured, observed
from tests.mqcap.rulebook.builders import DAY as TODAY
from tests.mqcap.rulebook.builders import QUEUE_MANAGER, days, new_store, observe, settings_of
from tests.sizing.builders import Policy

RULE = all_rules()["LOG-FILL-30MIN"]


def limits(*planned: dict[str, Any]) -> list[tuple[date, float]]:
    """Later limits of a log of 1,800 MiB, 1 MiB/s today, with these planned changes."""
    qmgr = {"name": "CSQ1", "active_log_size_mib": 1_800, "planned": list(planned)}
    estate = Estate.model_validate({"sysplexes": [{"sysplex": "PLEX1", "qmgrs": [qmgr]}]})
    days = observed(measured(0, 0.5))
    finding = judge(RULE, SUBJECT, DAY, values_of(RULE, SUBJECT, days, estate), Policy())
    assert finding.crossing_limit == 1.0
    return planned_limits(RULE, finding, days, estate, Policy(), estate.changes_after(DAY))


def planned(days: int, **values: object) -> dict[str, Any]:
    return {"from": DAY + timedelta(days=days), **values}


def test_a_planned_log_size_steps_the_limit_from_its_day_on() -> None:
    assert limits(planned(10, active_log_size_mib=3_600)) == [(DAY + timedelta(days=10), 2.0)]


def test_steps_are_in_the_order_of_their_days() -> None:
    later = planned(20, active_log_size_mib=900)
    sooner = planned(10, active_log_size_mib=3_600)
    assert limits(later, sooner) == [
        (DAY + timedelta(days=10), 2.0),
        (DAY + timedelta(days=20), 0.5),
    ]


def test_a_planned_change_that_leaves_the_limit_as_it_is_is_no_step() -> None:
    assert limits(planned(10, active_logs=12)) == []
    assert limits(planned(10, active_log_size_mib=1_800)) == []


def test_a_change_of_the_day_itself_or_before_is_no_later_one() -> None:
    assert limits(planned(0, active_logs=12)) == []
    assert limits() == []


def evaluated(folder: Path, *planned: dict[str, Any]) -> tuple[Settings, Store, Finding]:
    engine = new_store(folder)
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(5, 0.5))
    settings = settings_of(folder, active_log_size_mib=1_800, planned=list(planned))
    findings = (verdict.finding for verdict in judge_all(settings, engine, TODAY))
    return settings, engine, next(each for each in findings if each.rule_id == RULE.id)


def test_a_planned_change_gives_the_first_day_and_value_of_the_later_limit(tmp_path: Path) -> None:
    day = TODAY + timedelta(days=30)
    site = evaluated(tmp_path, {"from": day, "active_log_size_mib": 3_600})
    assert limit_steps(*site) == [(day, 2.0)]


def test_without_a_planned_change_there_is_no_step(tmp_path: Path) -> None:
    assert limit_steps(*evaluated(tmp_path)) == []


@pytest.mark.parametrize("unknown", [{"rule_id": "NO-SUCH-RULE"}, {"subject": "PLEX1/CSQ9"}])
def test_unknown_rules_and_subjects_have_no_steps(tmp_path: Path, unknown: dict[str, str]) -> None:
    change = {"from": TODAY + timedelta(days=30), "active_log_size_mib": 3_600}
    settings, engine, finding = evaluated(tmp_path, change)
    assert limit_steps(settings, engine, finding.model_copy(update=unknown)) == []
