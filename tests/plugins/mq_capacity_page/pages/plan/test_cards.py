"""Cards of plans: their scenario, their resource's findings, their order."""

from __future__ import annotations

from mq_capacity_page.pages.plan.cards import PlanCard, plans_by_key, plans_of_lines, scenario_of
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mqcap.domain.plan import PlanVariant
from tests.plan_factories import plan_change
from tests.plugins import builder

LOGS, TEST_LOGS, FACILITY = builder.plans()


def test_a_card_holds_the_scenario_with_every_setting_of_its_plan() -> None:
    assert PlanCard.of(LOGS).scenario == {
        "subject": "PLEX1/CSQ1",
        "start": LOGS.due_date.isoformat(),
        "logsize": "4095.7",
        "logs": "16",
    }
    assert PlanCard.of(FACILITY).scenario == {
        "subject": "PLEX1/CF01",
        "start": FACILITY.due_date.isoformat(),
        "engines": "2",
    }


def test_what_cannot_be_tried_has_no_scenario() -> None:
    assert scenario_of(LOGS, PlanVariant(), builder.DAY) == {}
    nothing = PlanVariant(changes=(plan_change(settings={}),))
    assert scenario_of(LOGS, nothing, builder.DAY) == {}


def test_a_scenario_has_the_changes_of_other_plans_that_the_plan_counts() -> None:
    counted = plan_change(subject="PLEX1/CSQ1/CHINIT", settings={"adapters": 30})
    counting = LOGS.model_copy(update={"counted": (counted,)})
    assert PlanCard.of(counting).scenario["more"] == (
        "PLEX1/CSQ1 active_log_size_mib=4095.7 active_logs=16"
    )
    assert PlanCard.of(counting).scenario["adapters"] == "30"
    assert scenario_of(counting, PlanVariant(), builder.DAY) == {}


def test_every_finding_of_a_resource_has_its_plan_be_it_in_breach_or_not(
    context: PageContext,
) -> None:
    lines = fleet_lines_on(context, builder.DAY)
    plans = plans_by_key(builder.plans(), lines)
    assert {key: plan.resource for key, plan in plans.items()} == {
        ("LOG-FILL-30MIN", "PLEX1/CSQ1"): LOGS.resource,
        ("LOG-RUNWAY-12H", "PLEX1/CSQ1"): LOGS.resource,
        ("LOG-FILL-30MIN", "PLEX2/TST1"): TEST_LOGS.resource,
        ("CF-BUSY-1", "PLEX1/CF01"): FACILITY.resource,
    }
    assert plans_by_key([], lines) == {}


def test_plans_of_production_come_first(context: PageContext) -> None:
    lines, plans = fleet_lines_on(context, builder.DAY), [LOGS, TEST_LOGS, FACILITY]
    assert plans_of_lines(plans, lines, plans_by_key(plans, lines)) == [
        (LOGS, True),
        (FACILITY, True),
        (TEST_LOGS, False),
    ]


def test_only_plans_of_the_given_findings_are_returned(context: PageContext) -> None:
    lines = fleet_lines_on(context, builder.DAY, "PLEX1/CF01")
    plans = builder.plans()
    assert plans_of_lines(plans, lines, plans_by_key(plans, lines)) == [(FACILITY, True)]
