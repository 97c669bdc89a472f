from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost, total_cost
from mqcap.domain.plan_order import following, is_material_change, plan_order
from tests.factories import DAY
from tests.plan_factories import incident, not_kept, plan, plan_change, plan_rule


@pytest.mark.parametrize(
    ("changed", "is_material"),
    [
        ({}, False),
        ({"summary": "other words."}, False),
        ({"site_date": DAY + timedelta(days=1)}, False),
        ({"due_date": DAY + timedelta(days=14 + 7)}, False),
        ({"due_date": DAY + timedelta(days=14 + 8)}, True),
        ({"due_date": DAY + timedelta(days=14 - 8)}, True),
        ({"severity": Severity.watch}, True),
        ({"is_feasible": False}, True),
        ({"changes": ()}, True),
        ({"changes": (plan_change(settings={"active_logs": 17}),)}, True),
        ({"changes": (plan_change(text="Other words."),)}, False),
    ],
)
def test_values_severity_feasibility_and_a_week_of_the_due_day_are_material(
    changed: dict[str, Any], is_material: bool
) -> None:
    assert is_material_change(plan(), plan(**changed)) is is_material


def test_the_highest_severity_then_the_earliest_due_day_comes_first() -> None:
    watch = plan(severity=Severity.watch, due_date=DAY)
    late = plan(due_date=DAY + timedelta(days=40))
    assert sorted([watch, late, plan()], key=plan_order) == [plan(), late, watch]


def test_production_comes_first_and_less_headroom_before_more() -> None:
    test = plan(is_production=False, due_date=DAY)
    near, far = (plan(worst_headroom_ratio=ratio) for ratio in (-0.5, -0.1))
    unknown = plan(worst_headroom_ratio=None)
    assert sorted([test, unknown, far, near], key=plan_order) == [near, far, unknown, test]


def test_of_one_day_a_limit_that_breaks_something_comes_before_a_recommended_one() -> None:
    advised = plan_rule().model_copy(update={"is_mandatory": False})
    recommended = plan(rules=(advised,), worst_headroom_ratio=-0.6)
    mandatory = plan(rules=(plan_rule(),), worst_headroom_ratio=0.1)
    later = plan(rules=(plan_rule(),), due_date=plan().due_date + timedelta(days=1))
    assert sorted([later, recommended, mandatory], key=plan_order) == [
        mandatory,
        recommended,
        later,
    ]


def test_what_happened_comes_first_within_its_severity() -> None:
    happened = incident(due_date=DAY + timedelta(days=40))
    watch = incident(severity=Severity.watch)
    assert sorted([watch, plan(), happened], key=plan_order) == [happened, plan(), watch]
    late = DAY + timedelta(days=40)
    pool = incident(kind="buffer_pool", resource="PLEX1/CSQ1/BP03", due_date=late)
    assert sorted([pool, happened], key=plan_order) == [happened, pool]


def test_a_cause_to_be_found_now_comes_before_changes_with_a_due_day() -> None:
    now = incident(kind="archive", resource="PLEX1/CSQ1/archive", changes=())
    logs = incident()
    assert now.is_cause_alone
    assert sorted([plan(), logs, now], key=plan_order) == [now, logs, plan()]


def test_the_cause_of_what_has_ended_comes_last_within_its_severity() -> None:
    now = incident(kind="archive", resource="PLEX1/CSQ1/archive", changes=())
    ended = now.model_copy(update={"is_over": True})
    watch = plan(severity=Severity.watch)
    assert sorted([ended, watch, plan(), now], key=plan_order) == [now, plan(), ended, watch]
    with_changes = incident(has_ended=True)
    assert sorted([plan(), with_changes], key=plan_order) == [with_changes, plan()]


def test_what_happened_to_active_logs_comes_before_what_happened_and_is_due_now() -> None:
    archive = incident(kind="archive", resource="PLEX1/CSQ1/archive", due_date=DAY)
    logs = incident()
    assert sorted([archive, logs], key=plan_order) == [logs, archive]


@pytest.mark.parametrize(
    ("changed", "alone"),
    [
        ({}, True),
        ({"changes": (plan_change(),)}, False),
        ({"is_feasible": False, "not_kept": (not_kept("CONSOLE-LOG"),)}, True),
        ({"is_feasible": False, "not_kept": (not_kept("LOG-MAXARCH"),)}, False),
        ({"is_feasible": False, "missing": ("active_logs",)}, True),
    ],
)
def test_the_cause_alone_is_asked_for_where_no_setting_has_to_change(
    changed: dict[str, Any], alone: bool
) -> None:
    made = incident(**({"changes": (), "worst_rule": "CONSOLE-LOG"} | changed))
    assert made.is_cause_alone is alone


def test_a_plan_is_about_what_happened_beside_its_rules() -> None:
    named = incident(worst_rule="CONSOLE-LOG", worst_subject="PLEX1/CSQ1")
    assert ("CONSOLE-LOG", "PLEX1/CSQ1") in named.judged
    assert ("CONSOLE-LOG", "PLEX1/CSQ2") not in named.judged


def test_the_changes_of_a_plan_are_parts_of_a_scenario() -> None:
    assert plan().scenario_parts == [
        {"subject": "PLEX1/CSQ1", "active_log_size_mib": 4_095.7, "active_logs": 16}
    ]
    assert plan().settings[("PLEX1/CSQ1", "active_logs")] == 16


def test_a_total_is_the_sum_of_each_part() -> None:
    total = total_cost([PlanCost(cylinders=3, weighted=1.5), PlanCost(cylinders=4, work_hours=2)])
    assert total == PlanCost(cylinders=7, work_hours=2, weighted=1.5)
    assert total_cost([]) == PlanCost()


def test_a_plan_judges_its_rules_of_its_subjects_only() -> None:
    made = plan(rules=(plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ1"),))
    assert ("LOG-FILL-30MIN", "PLEX1/CSQ1") in made.judged
    assert ("LOG-FILL-30MIN", "PLEX1/CSQ2") not in made.judged
    assert ("LOG-RUNWAY-12H", "PLEX1/CSQ1") not in made.judged


def due_on(days: int, earliest: int = 0) -> Plan:
    due, first = DAY + timedelta(days=days), DAY + timedelta(days=earliest)
    return plan(due_date=due, earliest_date=first)


def test_many_small_moves_of_the_due_day_are_one_material_change() -> None:
    course = [following(due_on(60), None)]
    for days in (57, 54, 51, 48):
        course.append(following(due_on(days), course[-1]))
    assert [item.dates.changed_on for item in course] == [None, None, None, DAY, DAY]
    assert course[-1].dates.noted_due_date == DAY + timedelta(days=51)


def test_a_plan_that_is_due_at_once_day_after_day_does_not_change() -> None:
    first = following(due_on(0), None)
    later = due_on(20).dated(site_date=DAY + timedelta(days=20))
    assert not is_material_change(first, later)
    assert is_material_change(first, due_on(90))
