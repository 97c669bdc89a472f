from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost, total_cost
from mqcap.domain.urgency import following, is_material_change, plan_order
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


IN_40_DAYS = DAY + timedelta(days=40)
WATCH = plan(severity=Severity.watch)
CAUSE = incident(kind="archive", resource="PLEX1/CSQ1/archive", changes=())
ADVISED = plan_rule().model_copy(update={"is_mandatory": False})


@pytest.mark.parametrize(
    "ordered",
    [
        pytest.param(
            [plan(), plan(due_date=IN_40_DAYS), plan(severity=Severity.watch, due_date=DAY)],
            id="the highest severity, then the earliest due day",
        ),
        pytest.param(
            [
                *(plan(worst_headroom_ratio=ratio) for ratio in (-0.5, -0.1, None)),
                plan(is_production=False, due_date=DAY),
            ],
            id="production, then less headroom",
        ),
        pytest.param(
            [
                plan(rules=(plan_rule(),), worst_headroom_ratio=0.1),
                plan(rules=(ADVISED,), worst_headroom_ratio=-0.6),
                plan(rules=(plan_rule(),), due_date=plan().due_date + timedelta(days=1)),
            ],
            id="of one day a limit that breaks something, then a recommended one",
        ),
        pytest.param(
            [incident(due_date=IN_40_DAYS), plan(), incident(severity=Severity.watch), WATCH],
            id="within a severity what happened",
        ),
        pytest.param([incident(has_ended=True), plan()], id="what happened, even if it has ended"),
        pytest.param(
            [
                incident(due_date=IN_40_DAYS),
                incident(kind="archive", resource="PLEX1/CSQ1/archive", due_date=DAY),
                incident(kind="buffer_pool", resource="PLEX1/CSQ1/BP03", due_date=IN_40_DAYS),
            ],
            id="what happened to active logs, though another is due now",
        ),
        pytest.param([CAUSE, incident(), plan()], id="a cause to be found now, then changes"),
        pytest.param(
            [CAUSE, plan(), CAUSE.model_copy(update={"is_over": True}), WATCH],
            id="within a severity the cause of what has ended comes last",
        ),
    ],
)
def test_the_most_urgent_plan_comes_first(ordered: list[Plan]) -> None:
    least_urgent_first = ordered[::-1]
    assert sorted(least_urgent_first, key=plan_order) == ordered


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


def test_the_changes_of_a_plan_are_parts_of_a_scenario() -> None:
    assert plan().scenario_parts == [
        {"subject": "PLEX1/CSQ1", "active_log_size_mib": 4_095.7, "active_logs": 16}
    ]
    assert plan().settings[("PLEX1/CSQ1", "active_logs")] == 16


def test_a_total_is_the_sum_of_each_part() -> None:
    total = total_cost([PlanCost(cylinders=3, weighted=1.5), PlanCost(cylinders=4, work_hours=2)])
    assert total == PlanCost(cylinders=7, work_hours=2, weighted=1.5)
    assert total_cost([]) == PlanCost()


def test_a_plan_judges_its_rules_of_its_subjects_only_and_what_happened_beside_them() -> None:
    made = plan(rules=(plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ1"),))
    assert ("LOG-FILL-30MIN", "PLEX1/CSQ1") in made.judged
    assert ("LOG-FILL-30MIN", "PLEX1/CSQ2") not in made.judged
    assert ("LOG-RUNWAY-12H", "PLEX1/CSQ1") not in made.judged
    named = incident(worst_rule="CONSOLE-LOG", worst_subject="PLEX1/CSQ1")
    assert ("CONSOLE-LOG", "PLEX1/CSQ1") in named.judged
    assert ("CONSOLE-LOG", "PLEX1/CSQ2") not in named.judged


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
