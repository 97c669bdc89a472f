"""Rows of what is to be decided, and plans as objects: their words, figures and budget."""

from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction
from mqcap.domain.plan import NotKept, Plan, PlanCost, PlanEnd, PlanRule, PlanTier, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind, plan_object
from mqcap.presentation.summary_rows import DayResults, finding_summary, plan_summaries
from mqcap.presentation.summary_words import WORDS_MAX, cost_text
from sizing.rulebook.registry import all_rules
from tests.factories import DAY, console_state, crossing, finding
from tests.plan_factories import incident, loss, plan, plan_change, plan_rule
from tests.summary_budget import ROW_NUMBERS, ROW_WORDS, count_numbers

RUNWAY = finding(
    rule_id="LOG-RUNWAY-12H", observed=4.13, limit_value=12.0, unit="h",
    direction=Direction.downward, headroom_ratio=-0.656,
)  # fmt: skip
RULES = (plan_rule(),)


def row(of: Plan, *findings: Finding, **facts: object) -> PlanSummary:
    (found,) = plan_summaries(DayResults(DAY, findings, plans=[of], **facts))  # type: ignore[arg-type]
    return found


def row_text(shown: PlanSummary) -> str:
    """The words of a row as every surface prints them."""
    parts = (
        shown.title, shown.problem, shown.now_of_limit, shown.change, shown.due, shown.owner,
        shown.cost,
    )  # fmt: skip
    return "; ".join(filter(None, parts))


def test_a_row_says_what_is_wrong_what_to_do_and_by_when() -> None:
    shown = row(plan(rules=RULES, due_rule="LOG-RUNWAY-12H"), RUNWAY)
    assert row_text(shown) == (
        "CSQ1 active logs; Full too soon if archiving stops; 4.1 h of 12 h; 16 x CYL(5825); "
        "16 Mar 2026; Payments MQ team; +96 GiB DASD, 10 h"
    )
    assert shown.kind is SummaryKind.change
    assert (shown.is_over, shown.lasts) == (True, "until 8 Sep 2026")
    assert shown.used_ratio == 2


def test_a_limit_that_is_passed_later_has_its_three_dates() -> None:
    ahead = RUNWAY.model_copy(update={"breach": False, "observed": 13.3, "headroom_ratio": 0.11})
    crosses = crossing(ahead)
    shown = row(plan(rules=RULES), ahead, crossings=[crosses])
    assert shown.problem == "Falls below its limit about 29 Apr 2026"
    assert (shown.early_date, shown.expected_date, shown.late_date) == (
        crosses.earliest_date, crosses.expected_date, crosses.latest_date,
    )  # fmt: skip
    assert not shown.is_over


def test_what_happened_is_told_with_its_times_and_the_figure_of_the_limit_beside_it() -> None:
    event = incident(rules=RULES, worst_rule="CONSOLE-LOG", summary="archiving failed.")
    ended = console_state(ended_utc=console_state().first_utc + timedelta(minutes=6))
    shown = row(event, RUNWAY, states=[ended])
    assert shown.problem == "Out of active log space 12:00 to 12:06"
    assert (shown.kind, shown.story) == (SummaryKind.incident, "archiving failed.")
    assert shown.now_of_limit == "4.1 h of 12 h"


@pytest.mark.parametrize(
    ("cause", "effect", "told"),
    [
        ("CSQJ115E", "CSQJ111A", "Archiving failed 08:00, logs full 12:00"),
        ("CSQJ128E", "CSQJ110E", "Offload task failed 08:00, last log 12:00"),
    ],
)
def test_of_an_outage_the_cause_is_told_before_its_effect(
    cause: str, effect: str, told: str
) -> None:
    began = console_state().first_utc - timedelta(hours=4)
    stop = console_state(cause, resource_kind=ResourceKind.archive, first_utc=began)
    event = incident(rules=RULES, worst_rule="CONSOLE-LOG", summary="archiving failed.")
    shown = row(event, RUNWAY, states=[console_state(effect), stop])
    assert shown.problem == told
    assert len(told.split()) <= WORDS_MAX


def test_a_cause_to_be_found_is_due_now_and_one_that_has_ended_on_no_day() -> None:
    nothing: dict[str, Any] = {"changes": (), "worst_rule": "CONSOLE-ARCHIVE", "cost": PlanCost()}
    open_plan = incident(**nothing, due_date=DAY)
    assert (row(open_plan).change, row(open_plan).due) == ("find the cause", "now")
    assert row(incident(**nothing, has_ended=True)).due == ""


def test_options_are_the_plan_what_more_buys_and_what_does_instead() -> None:
    tier = PlanTier(
        changes=(plan_change(typed="20 x CYL(5825)"),),
        buys=(PlanEnd(rule_id="LOG-DAY-ACTIVE", level="limit 24 h"),),
    )
    instead = PlanVariant(changes=(plan_change(typed="COMPLOG(RLE)"),), condition="CPU is free")
    shown = row(plan(rules=RULES, tiers=(tier,), options=(instead,)), RUNWAY)
    assert [(option.change, option.note) for option in shown.options] == [
        ("16 x CYL(5825)", "mandatory"),
        ("20 x CYL(5825)", "recommended"),
        ("COMPLOG(RLE)", "if CPU is free"),
    ]


def test_a_loss_is_a_row_about_its_worst_survivor() -> None:
    (shown,) = plan_summaries(DayResults(DAY, losses=[loss()]))
    assert (shown.kind, shown.title) == (SummaryKind.loss, "Loss of CF02")
    assert shown.problem == "CF03 over its limit of CF busy"
    assert shown.now_of_limit == "73 % of 60 %"


def test_a_figure_that_would_read_like_its_limit_keeps_its_digits() -> None:
    near = finding(observed=79.62, limit_value=80.0, unit="%", breach=False, headroom_ratio=0.005)
    shown = row(plan(worst_rule=near.rule_id, rules=(plan_rule(near.rule_id),)), near)
    assert shown.now_of_limit == "79.62 % of 80 %"


LONG = "Move 2,300 of the 5,388 channels of CARD.STORE.SVRCONN and of nine other definitions, " * 3


@pytest.mark.parametrize(
    ("days", "due"), [((5, 20), "now"), ((60, 90), "17 Apr 2026"), ((60, None), None)]
)
def test_a_finding_without_a_plan_is_due_before_its_limit_and_no_row_for_single_days(
    days: tuple[int, int | None], due: str | None
) -> None:
    near = finding(
        rule_id="LNX-NET", subject="HAMBURG/MQX1", severity=Severity.watch, breach=False,
        headroom_ratio=0.11, changes=(),
    )  # fmt: skip
    early, expected = (DAY + timedelta(days=day) if day else None for day in days)
    crosses = crossing(near, earliest_date=early, expected_date=expected)
    rows = plan_summaries(DayResults(DAY, [near], [crosses]))
    assert [row.due for row in rows] == ([due] if due else [])


def test_a_recommended_limit_for_which_nothing_is_bought_is_no_row_and_no_change() -> None:
    over = RUNWAY.model_copy(
        update={"rule_id": "LOG-DAY-ACTIVE", "severity": Severity.watch, "changes": ()}
    )
    breached = crossing(over, state=CrossingState.breached)
    assert plan_summaries(DayResults(DAY, [over], [breached])) == []
    assert finding_summary(over, None).change == ""


def test_a_mandatory_limit_is_a_row_without_an_amount_too_once_it_will_be_passed() -> None:
    assert len(plan_summaries(DayResults(DAY, [RUNWAY]))) == 1
    soon = RUNWAY.model_copy(update={"severity": Severity.watch, "breach": False, "changes": ()})
    crosses = crossing(soon, expected_date=DAY + timedelta(days=60))
    assert len(plan_summaries(DayResults(DAY, [soon], [crosses]))) == 1


def test_what_no_setting_keeps_is_told_with_its_day() -> None:
    from_june = NotKept(
        rule_id="CHI-MAXCHL", subject="S", fails_from=date(2026, 6, 1), why="spread the channels"
    )
    shown = row(plan(rules=RULES, not_kept=(from_june,)), RUNWAY)
    assert shown.check_first[-1] == "From 1 Jun 2026 on: spread the channels."


@pytest.mark.parametrize("is_over", [True, False])
def test_no_rule_makes_a_row_longer_than_its_budget_or_names_itself(is_over: bool) -> None:
    cost = PlanCost(
        cylinders=215_516, dasd_mib=151_535, real_storage_mib=1_640.6, above_bar_mib=1_024,
        cf_storage_mib=300, engines=2, chinit_restarts=1, work_hours=232.5,
    )  # fmt: skip
    changes = tuple(plan_change(typed="", text=LONG, subject=f"PLEX1/CSQ{n}") for n in range(4))
    for rule_id in all_rules():
        judged = finding(
            rule_id=rule_id, observed=123_456.78, limit_value=98_765.4, breach=is_over,
            headroom_ratio=-0.25 if is_over else 0.1,
        )  # fmt: skip
        state = CrossingState.breached if is_over else CrossingState.will_cross
        crosses = crossing(judged, state=state, breached_since=DAY if is_over else None)
        of = plan(
            changes=changes, cost=cost, rules=(plan_rule(rule_id),), due_rule=rule_id,
            label="CSQ1 31-bit storage of the channel initiator and more words",
        )  # fmt: skip
        text = row_text(row(of, judged, crossings=[crosses]))
        assert len(text.split()) <= ROW_WORDS, text
        assert count_numbers(text) <= ROW_NUMBERS, text
        assert rule_id not in text


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


def rule_of_plan() -> PlanRule:
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
    made = plan(rules=(rule_of_plan(),))
    document = plan_object(made).model_dump(mode="json")
    stored = made.model_dump(mode="json")
    for each in (document, stored):
        each["evidence"].pop("rules")
    assert {key: value for key, value in document.items() if key in stored} == stored
    assert (document["feasible"], document["due"]) == (True, str(made.due_date))


def test_a_rule_has_its_id_under_the_key_rule() -> None:
    [document] = plan_object(plan(rules=(rule_of_plan(),))).model_dump(mode="json")["evidence"][
        "rules"
    ]
    assert document["rule"] == "LOG-RUNWAY-12H"
    assert "rule_id" not in document
    assert (document["before"], document["after"]) == ("act", "ok")


def test_an_infeasible_plan_says_so() -> None:
    assert plan_object(plan(is_feasible=False)).feasible is False
