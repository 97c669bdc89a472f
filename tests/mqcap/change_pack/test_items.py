from __future__ import annotations

from datetime import timedelta

from mqcap.change_pack.items import item_of_finding, items_of_plans
from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from tests.mqcap.change_pack.builders import change, finding, plan_of
from tests.mqcap.rulebook.builders import DAY
from tests.plan_factories import plan_rule

RECOMMENDED = PlanVariant()
SMALLER = PlanVariant(changes=(change("PLEX1/CSQ2", active_logs=9),), cost=PlanCost(cylinders=5))


def test_plans_follow_each_other_by_due_day_and_mandatory_ones_come_first() -> None:
    logs = change("PLEX1/CSQ1", active_logs=9)
    plans = [
        plan_of(logs, label="later", due_date=DAY + timedelta(days=60)),
        plan_of(logs, label="recommended", due_date=DAY, mandatory_only=RECOMMENDED),
        plan_of(logs, label="watch", due_date=DAY, severity=Severity.watch),
        plan_of(logs, label="act", due_date=DAY),
    ]
    items = items_of_plans(plans, [], mandatory_only=False)
    assert [item.heading for item in items] == ["act", "watch", "recommended", "later"]


def test_mandatory_changes_alone_take_their_own_cost_and_leave_the_rest_out() -> None:
    plans = [
        plan_of(change("PLEX1/CSQ1", active_logs=9), mandatory_only=RECOMMENDED),
        plan_of(change("PLEX1/CSQ2", active_logs=12), mandatory_only=SMALLER),
    ]
    [item] = items_of_plans(plans, [], mandatory_only=True)
    assert item.variant == SMALLER
    assert "mandatory changes alone: Change it [active_logs 9]." in item.reasons[1]
    assert item.reasons[2].startswith("Takes +5 cylinders")


def test_an_infeasible_plan_without_changes_has_the_statements_of_its_findings() -> None:
    outbuff = finding("LOG-OUTBUFF-WTB", "PLEX1/CSQ1", TypedAmount.of(TypedKind.outbuff_kb, 4_000))
    rules = (plan_rule("LOG-OUTBUFF-WTB", "PLEX1/CSQ1"),)
    [item] = items_of_plans(
        [plan_of(rules=rules, is_feasible=False)], [outbuff], mandatory_only=False
    )
    assert item.topics == ["outbuff_kb"]
    [waiting] = items_of_plans([plan_of(rules=rules)], [outbuff], mandatory_only=False)
    assert waiting.topics == []
    calm = outbuff.model_copy(update={"severity": Severity.ok})
    [item] = items_of_plans([plan_of(rules=rules, is_feasible=False)], [calm], mandatory_only=False)
    assert item.topics == []


def test_side_effects_are_named_once_each_with_one_full_stop() -> None:
    effects = ("storage is needed.", "storage is needed.", "channels stop")
    changes = [
        change("PLEX1/CSQ1", maxarch=800 + number).model_copy(update={"side_effects": effect})
        for number, effect in enumerate(effects)
    ]
    [item] = items_of_plans([plan_of(*changes)], [], mandatory_only=False)
    assert item.reasons[-2:] == ("Side effects: storage is needed.", "Side effects: channels stop.")


def test_a_finding_without_a_plan_has_its_changes_else_its_advice() -> None:
    made = item_of_finding(
        finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900))
    )
    assert made.topics == ["maxchl"]
    assert made.reasons[1:] == (
        'source: MP16 (14), "A section"',
        "change: Change it. [MAXCHL(900)]",
    )
    assert made.due is None
    advised = item_of_finding(finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"))
    assert advised.reasons[-1] == "Do something else."


def test_an_item_concerns_active_logs_and_each_other_topic_of_its_changes() -> None:
    changes = (change("PLEX1/CSQ1", active_logs=9), change("PLEX1/CSQ1", maxarch=800))
    [item] = items_of_plans([plan_of(*changes)], [], mandatory_only=False)
    assert item.topics == ["logs", "maxarch"]


def test_the_cause_of_what_happened_is_to_be_found_now_and_nothing_to_do_has_no_day() -> None:
    archive = plan_of(label="archive", is_event=True, is_feasible=False, due_date=DAY)
    nothing = plan_of(label="logs", due_date=DAY)
    later = plan_of(change("PLEX1/CSQ1", active_logs=9), due_date=DAY + timedelta(days=9))
    items = items_of_plans([nothing, later, archive], [], mandatory_only=False)
    owner = f", {archive.owner}"
    assert items[0].entry == f"now{owner}: archive: find the cause now"
    assert items[-1].entry == f"no day{owner}: logs: nothing to do"
    ended = archive.model_copy(update={"event_has_ended": True})
    [item] = items_of_plans([ended], [], mandatory_only=False)
    assert item.entry == f"ended{owner}: archive: find the cause"
    assert [item.due for item in items] == [DAY, later.due_date, None]
