from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import NotKept, PlanCost, PlanRule, PlanVariant
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.text import (
    change_in_brief,
    change_lines,
    changes_text,
    decided_text,
    due_text,
    not_kept_text,
    open_text,
    plan_lines,
    rule_text,
    schedule_text,
    side_effects,
    typed_text,
)
from tests.factories import DAY
from tests.plan_factories import plan, plan_change, plan_rule, work_schedule

SMALLER = PlanVariant(
    changes=(plan_change(typed="11 x CYL(5825)"),),
    cost=PlanCost(cylinders=81_542, dasd_mib=57_334),
    lasts_until=DAY + timedelta(days=185),
)
NOT_KEPT = NotKept(
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", fails_from=DAY, why="compress the log"
)


def test_a_plan_is_at_most_four_lines_with_change_due_day_cost_and_duration() -> None:
    lines = plan_lines(plan(mandatory_only=SMALLER))
    assert len(lines) == 4
    assert lines[0] == (
        "CSQ1 active logs: ACT, the active logs last 4.1 h of 12 h when archiving stops."
    )
    assert "(Payments MQ team)" in lines[1]
    assert "[16 x CYL(5825)]" in lines[1]
    assert "+139,792 cylinders" in lines[2]
    assert "at the 90 % bound" in lines[2]
    assert lines[3].startswith("Mandatory only: 11 x CYL(5825): +81,542 cylinders")


def test_the_rule_that_decides_each_amount_is_named_with_what_it_is_and_whether_it_binds() -> None:
    recommended = plan_rule("LOG-DAY-ACTIVE").model_copy(update={"is_mandatory": False})
    smaller = plan_change(typed="11 x CYL(5825)", decided_by=("LOG-RUNWAY-12H",))
    lines = plan_lines(
        plan(
            changes=(plan_change(decided_by=("LOG-DAY-ACTIVE", "LOG-RUNWAY-12H")),),
            rules=(plan_rule(), recommended),
            mandatory_only=SMALLER.model_copy(update={"changes": (smaller,)}),
        )
    )
    assert lines[1].endswith(
        "[16 x CYL(5825)], decided by LOG-DAY-ACTIVE (recommended) and LOG-RUNWAY-12H (mandatory)."
    )
    assert lines[3].startswith(
        "Mandatory only: 11 x CYL(5825), decided by LOG-RUNWAY-12H (mandatory): +81,542 cylinders"
    )


def test_a_change_whose_deciding_rule_is_not_known_names_none() -> None:
    unknown = plan_change(decided_by=("LOG-DAY-ACTIVE",))
    assert decided_text(plan(rules=(plan_rule(),)), unknown) == ""
    assert decided_text(plan(rules=(plan_rule(),)), plan_change()) == ""


def test_a_plan_that_a_loss_needs_earlier_names_it_with_the_day_of_its_own_rules() -> None:
    found = plan(
        due_date=date(2026, 12, 6),
        own_due_date=date(2026, 12, 27),
        needed_by_loss="PLEX1/CSQ4",
        owner="Cards MQ team",
    )
    assert due_text(found) == (
        "Do by 6 Dec 2026 (Cards MQ team), needed by the loss of PLEX1/CSQ4, else 27 Dec 2026"
    )


@pytest.mark.parametrize(
    ("rule", "words"), [("", ""), ("LOG-RUNWAY-12H", ""), ("LOG-MAXARCH", ", set by LOG-MAXARCH")]
)
def test_a_due_day_names_the_rule_that_sets_it_where_the_summary_is_about_another(
    rule: str, words: str
) -> None:
    assert due_text(plan(due_rule=rule)) == f"Do by 16 Mar 2026 (Payments MQ team){words}"


def test_work_that_is_not_done_by_the_due_day_is_said_with_what_it_takes() -> None:
    late = plan(schedule=work_schedule())
    assert schedule_text(plan()) == ""
    assert "First, by 16 Mar 2026: 8 x CYL(5825) (40 h of work), which keeps" in schedule_text(late)
    assert change_lines(late, with_bound=False)[1].endswith(f"2026. {schedule_text(late)}")


def test_an_alternative_is_named_as_no_part_of_the_plan() -> None:
    lines = change_lines(plan(alternatives=("Move to MQ 9.4.",)))
    assert (
        lines[2]
        == "Not part of the plan, since hours and effect here are not known: Move to MQ 9.4."
    )


def test_a_plan_whose_smaller_way_changes_nothing_says_so() -> None:
    lines = plan_lines(plan(mandatory_only=PlanVariant()))
    assert lines[3] == "Mandatory only: nothing to change; no mandatory rule is due."


def test_the_cause_comes_before_the_changes_and_what_they_are_not_sized_for_after_them() -> None:
    found = plan(cause="find who connects", notes=("A burst is not in the figures",))
    line = plan_lines(found)[1]
    assert "(Payments MQ team): First find who connects. Then: Define 16 active logs" in line
    assert line.endswith("16 x CYL(5825)]. A burst is not in the figures.")
    assert change_in_brief(found) == f"find the cause, then {change_in_brief(plan())}"


def test_mandatory_changes_of_another_day_name_it() -> None:
    fewer = PlanVariant(changes=(plan_change(typed="1 x CYL(5825)"),), needed_by=date(2027, 8, 30))
    lines = plan_lines(plan(mandatory_only=fewer))
    assert lines[3].startswith("Mandatory only by 30 Aug 2027: 1 x CYL(5825)")


def test_an_infeasible_plan_names_rule_day_and_way_out() -> None:
    lines = plan_lines(plan(is_feasible=False, changes=(), not_kept=(NOT_KEPT,)))
    assert "Cannot be kept: LOG-FILL-30MIN fails from" in lines[1]
    assert "compress the log" in lines[1]


def test_unknown_inputs_are_named_with_the_place_to_configure_them() -> None:
    lines = plan_lines(plan(is_feasible=False, changes=(), missing=("active_logs",)))
    assert lines[1] == "No plan can be made for PLEX1/CSQ1: active_logs."


def test_a_plan_without_changes_that_keeps_its_rules_asks_for_nothing() -> None:
    assert plan_lines(plan(changes=()))[1].startswith("Nothing to do")


def test_a_plan_without_changes_of_what_happened_gives_the_advice_of_its_rule_for_now() -> None:
    happened = plan(changes=(), is_event=True, event_advice="Look at the offload task.")
    assert plan_lines(happened)[1:] == [
        "Do now (Payments MQ team): Look at the offload task.",
        "Takes: not known before the cause is found.",
    ]
    assert changes_text(happened) == open_text(happened) == "Look at the offload task."
    assert change_in_brief(happened) == "find the cause now"
    ended = happened.model_copy(update={"event_has_ended": True})
    assert plan_lines(ended)[1] == "Ended (Payments MQ team): Look at the offload task."
    assert change_in_brief(ended) == "find the cause"
    unknown = happened.model_copy(update={"is_feasible": False, "missing": ("active_logs",)})
    assert changes_text(unknown) == (
        "Look at the offload task. No plan can be made for PLEX1/CSQ1: active_logs."
    )
    older = plan(changes=(), is_event=True)
    assert plan_lines(older)[1].endswith(": Find the cause of what the console reported.")


def test_what_happened_says_what_mending_its_cause_does() -> None:
    happened = plan(changes=(), is_event=True, event_effect="full active logs become free")
    assert plan_lines(happened)[2] == (
        "Takes: not known before the cause is found. Effect: full active logs become free."
    )
    with_changes = plan(is_event=True, event_effect="full active logs become free")
    assert not any("become free" in line for line in plan_lines(with_changes))


def test_what_happened_with_changes_is_due_when_they_are() -> None:
    happened = plan(is_event=True, event_advice="Look at the offload task.")
    assert plan_lines(happened)[1].startswith("Do by 16 Mar 2026 (Payments MQ team): Define 16")


@pytest.mark.parametrize(
    ("is_forecast", "words"),
    [
        (False, "sized for the measured figures, of which none is forecast."),
        (True, "lasts as far as the forecast reaches at the 90 % bound of the forecast."),
    ],
)
def test_a_plan_whose_figures_are_not_forecast_names_no_bound(
    is_forecast: bool, words: str
) -> None:
    rules = (plan_rule().model_copy(update={"is_forecast": is_forecast}),)
    lines = plan_lines(plan(lasts_until=None, rules=rules))
    assert lines[2].endswith(words)


def test_a_plan_leaves_open_what_it_does_not_keep_or_cannot_know() -> None:
    assert open_text(plan()) == ""
    assert open_text(plan(not_kept=(NOT_KEPT,), is_feasible=False)).startswith(
        "Cannot be kept: LOG-FILL-30MIN fails from"
    )
    assert "No plan can be made for PLEX1/CSQ1: active_logs" in open_text(
        plan(changes=(), missing=("active_logs",), is_feasible=False)
    )


def test_a_list_of_plans_names_the_bound_once() -> None:
    assert change_lines(plan())[1].endswith("; lasts until 8 Sep 2026 at the 90 % bound of the "
                                            "forecast.")  # fmt: skip
    assert change_lines(plan(), with_bound=False)[1].endswith("; lasts until 8 Sep 2026.")


def test_a_plan_that_no_setting_keeps_is_what_it_takes_in_brief() -> None:
    moved = plan_change(typed="6000 channels", is_structural=True)
    assert change_in_brief(plan(changes=(moved,))) == "another queue manager by 16 Mar"
    late = work_schedule(first=PlanVariant(), first_keeps=(), is_in_parts=False)
    assert change_in_brief(plan(changes=(moved,), schedule=late)) == (
        "another queue manager by 16 Mar, late: all by 23 Mar"
    )
    assert typed_text(plan(changes=(moved,))) == "another queue manager for 6000 channels"
    assert typed_text(plan(changes=(plan_change(typed="6000 channels"),))) == "6000 channels"


@pytest.mark.parametrize(
    ("is_structural", "kept_until", "words"),
    [
        (True, DAY, "decided by LOG-RUNWAY-12H (mandatory), for which it lasts until 2 Mar 2026"),
        (True, None, "decided by LOG-RUNWAY-12H (mandatory)"),
        (False, DAY, "decided by LOG-RUNWAY-12H (mandatory)"),
    ],
)
def test_what_takes_more_than_a_setting_says_until_when_it_lasts_for_its_own_rule(
    is_structural: bool, kept_until: date | None, words: str
) -> None:
    rule = plan_rule().model_copy(update={"kept_until": kept_until})
    change = plan_change(is_structural=is_structural, decided_by=(rule.rule_id,))
    assert changes_text(plan(changes=(change,), rules=(rule,))).endswith(words)


def test_a_plan_in_brief_is_its_first_operand_and_its_due_day() -> None:
    assert change_in_brief(plan()) == "16 x CYL(5825) by 16 Mar"
    two = (plan_change(), plan_change(typed="MAXARCH(500)"))
    assert change_in_brief(plan(changes=two)) == "16 x CYL(5825) (+1) by 16 Mar"
    assert change_in_brief(plan(changes=(plan_change(typed="", text="Back up."),))) == (
        "Back up. by 16 Mar"
    )
    assert (
        change_in_brief(plan(changes=(), missing=("active_logs",), is_feasible=False))
        == "inputs missing"
    )
    late = plan(schedule=work_schedule())
    assert change_in_brief(late) == "16 x CYL(5825): 8 x CYL(5825) by 16 Mar, all by 23 Mar"
    idle = plan(schedule=work_schedule(first=PlanVariant()))
    assert change_in_brief(idle) == "16 x CYL(5825): nothing by 16 Mar, all by 23 Mar"
    as_one = plan(schedule=work_schedule(is_in_parts=False), instead="preference lists")
    assert change_in_brief(as_one) == (
        "16 x CYL(5825) by 16 Mar, late: all by 23 Mar, or preference lists"
    )
    moved = plan(schedule=work_schedule(), due_date=DAY)
    assert ": 8 x CYL(5825) by 16 Mar, all by 23 Mar" in change_in_brief(moved)
    assert change_in_brief(plan(changes=())) == "nothing to do"
    assert change_in_brief(plan(changes=(), is_feasible=False)) == (
        "no setting keeps it, decide by 16 Mar"
    )


def test_a_plan_states_what_it_is_sized_for() -> None:
    line = "LOG-DAY-ACTIVE PLEX1/CSQ1 on 2026-08-31: 30.2 h of 24 h."
    sized = plan(arithmetic=(line, "a day = 0.8 MiB/s x 86,400 s = 69,120 MiB"))
    assert f"lasts until 8 Sep 2026. Sized for {line}" in change_lines(sized, with_bound=False)[1]
    assert "Sized for" not in " ".join(change_lines(plan()))
    measured = plan_rule().model_copy(update={"is_forecast": False})
    assert "Sized for" not in " ".join(change_lines(plan(arithmetic=(line,), rules=(measured,))))


def rule(before: Severity, after: Severity) -> PlanRule:
    return PlanRule(
        rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", title="Fill one log", is_mandatory=True,
        before=before, after=after, before_text="9 min.", after_text="57 min.",
    )  # fmt: skip


def test_a_rule_is_described_with_and_without_the_plan() -> None:
    mended = rule(Severity.act, Severity.ok)
    begin = "LOG-FILL-30MIN, Fill one log: Act now, OK with the plan."
    assert rule_text(mended) == f"{begin} Now: 9 min. Then: 57 min."
    assert rule_text(mended, "LOG-FILL-30MIN") == f"{begin} Then: 57 min."
    same = mended.model_copy(update={"after_text": "9 min."})
    assert rule_text(same) == f"{begin} Now: 9 min."
    assert rule_text(rule(Severity.ok, Severity.ok)) == (
        "LOG-FILL-30MIN, Fill one log: OK with and without the plan."
    )


def test_side_effects_are_named_once_with_what_becomes_worse() -> None:
    changes = (plan_change(side_effects="pre-format"), plan_change(side_effects="pre-format"))
    made = plan(changes=changes, affected=("LOG-MAXARCH more archives.",))
    assert side_effects(made) == ["pre-format", "makes worse: LOG-MAXARCH more archives."]
    assert side_effects(plan()) == []


def test_rules_with_the_same_way_out_name_it_once() -> None:
    other = NOT_KEPT.model_copy(update={"rule_id": "LOG-RUNWAY-12H"})
    text = not_kept_text((NOT_KEPT, other))
    assert text.count("compress the log") == 1
    assert text.index("LOG-FILL-30MIN fails from") < text.index("LOG-RUNWAY-12H fails from")


def test_the_level_that_a_deciding_rule_is_kept_at_is_named() -> None:
    rule = plan_rule().model_copy(update={"level": "Watch below 13.8 h"})
    change = plan_change(decided_by=(rule.rule_id,))
    assert decided_text(plan(rules=(rule,)), change) == (
        "decided by LOG-RUNWAY-12H (mandatory, Watch below 13.8 h)"
    )


@pytest.mark.parametrize(
    ("least", "end"),
    [
        (SMALLER, "of today: 11 x CYL(5825), +81,542 cylinders (+57,334 MiB) of DASD; lasts until"),
        (PlanVariant(), "of today: no setting does."),
    ],
)
def test_a_watch_whose_limit_is_not_passed_says_so_and_what_would_end_it(
    least: PlanVariant, end: str
) -> None:
    rule = plan_rule().model_copy(update={"before": Severity.watch})
    kept = plan(changes=(), rules=(rule,), to_end_watch=least)
    horizon = short_day(kept.horizon_date)
    [line] = change_lines(kept)
    assert line.startswith(
        f"Nothing to do up to {horizon}: LOG-RUNWAY-12H is at Watch for its headroom alone, and no "
        "limit is passed up to then at the 90 % bound of the forecast."
    )
    assert end in line
    assert due_text(kept).startswith(f"No change needed up to {horizon}")
    assert change_in_brief(kept) == "nothing to do"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (-1, "; the limit may be passed before that day, from 15 Mar 2026"),
        (0, "; the limit may be passed on that day"),
        (1, ""),
    ],
)
def test_a_due_day_after_the_earliest_day_of_a_limit_says_so(days: int, words: str) -> None:
    due = plan().due_date
    late = plan(passed_from=due + timedelta(days=days))
    assert due_text(late) == f"{due_text(plan())}{words}"
