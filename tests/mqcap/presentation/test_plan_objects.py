"""What a plan costs and the objects that it names."""

from datetime import timedelta

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanCost, PlanRule
from mqcap.presentation.plan_objects import plan_object
from mqcap.presentation.summary_words import cost_text
from tests.factories import DAY
from tests.plan_factories import plan


def test_dasd_that_is_needed_until_old_data_sets_are_deleted_is_beside_the_difference() -> None:
    cost = PlanCost(
        cylinders=139_792, dasd_mib=98_291, replaced_cylinders=46_608, replaced_dasd_mib=32_771
    )
    assert cost_text(cost) == (
        "+139,792 cylinders (+98,291 MiB) of DASD, "
        "+186,400 cylinders until the old data sets are deleted"
    )
    freed = PlanCost(cylinders=-8, dasd_mib=-6, replaced_cylinders=8, replaced_dasd_mib=6)
    assert cost_text(freed) == "-8 cylinders (-6 MiB) of DASD"


def test_only_parts_of_a_cost_that_are_not_nothing_are_named() -> None:
    assert cost_text(PlanCost()) == "no cost"
    assert cost_text(PlanCost(real_storage_mib=40, chinit_restarts=1)) == (
        "+40 MiB of real storage, 1 restart of a channel initiator"
    )
    assert cost_text(PlanCost(chinit_31bit_mib=3.96)) == (
        "+3.96 MiB of 31-bit storage of a channel initiator"
    )
    assert cost_text(PlanCost(ipls=1, file_system_mib=112)) == "1 IPL, +112 MiB in file systems"
    assert cost_text(PlanCost(file_system_mib=112, unsized=("+80 % of the data file system",))) == (
        "+112 MiB in file systems, +80 % of the data file system (size not known)"
    )
    assert cost_text(PlanCost(engines=2, queue_manager_restarts=1, work_hours=1.5)) == (
        "2 CF engines, 1 restart of a queue manager, 1.5 h of work"
    )


def test_storage_that_memlimit_allows_is_no_real_storage() -> None:
    text = cost_text(PlanCost(above_bar_mib=1_024, chinit_restarts=1))
    assert text.startswith("+1,024 MiB of virtual storage above the bar (MEMLIMIT), 1 restart")
    assert "real storage" not in text


def rule() -> PlanRule:
    return PlanRule(
        rule_id="LOG-RUNWAY-12H",
        subject="PLEX1/CSQ1",
        title="All active logs, archiving stopped",
        is_mandatory=True,
        before=Severity.act,
        after=Severity.ok,
        before_text="4.1 h of 12 h.",
        after_text="24.3 h of 12 h.",
        kept_until=DAY + timedelta(days=190),
    )


def test_an_object_has_everything_that_the_plan_has_and_the_keys_that_programs_read() -> None:
    made = plan(rules=(rule(),))
    document = plan_object(made).model_dump(mode="json")
    stored = made.model_dump(mode="json")
    for each in (document, stored):
        each["evidence"].pop("rules")
    assert {key: value for key, value in document.items() if key in stored} == stored
    assert (document["feasible"], document["due"]) == (True, str(made.due_date))


def test_a_rule_has_its_id_under_the_key_rule() -> None:
    [document] = plan_object(plan(rules=(rule(),))).model_dump(mode="json")["evidence"]["rules"]
    assert document["rule"] == "LOG-RUNWAY-12H"
    assert "rule_id" not in document
    assert (document["before"], document["after"]) == ("act", "ok")


def test_an_infeasible_plan_says_so() -> None:
    assert plan_object(plan(is_feasible=False)).feasible is False
