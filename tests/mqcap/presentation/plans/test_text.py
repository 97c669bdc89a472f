from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import NotKept, PlanCost, PlanEnd, PlanRule, PlanTier, PlanVariant
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
    side_effects,
)
from tests.factories import DAY
from tests.plan_factories import plan, plan_change, plan_rule

SMALLER = PlanVariant(
    changes=(plan_change(typed="11 x CYL(5825)"),),
    cost=PlanCost(cylinders=81_542, dasd_mib=57_334),
    lasts_until=DAY + timedelta(days=185),
)
NOT_KEPT = NotKept(
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", fails_from=DAY, why="compress the log"
)


def test_a_change_whose_deciding_rule_is_not_known_names_none() -> None:
    unknown = plan_change(decided_by=("LOG-DAY-ACTIVE",))
    assert decided_text(plan(rules=(plan_rule(),)), unknown) == ""
    assert decided_text(plan(rules=(plan_rule(),)), plan_change()) == ""


def test_the_cause_comes_before_the_changes_and_what_they_are_not_sized_for_after_them() -> None:
    found = plan(cause="find who connects", notes=("A burst is not in the figures",))
    line = plan_lines(found)[1]
    assert "(Payments MQ team): First find who connects. Then: Define 16 active logs" in line
    assert line.endswith("16 x CYL(5825)]. A burst is not in the figures.")
    assert change_in_brief(found) == f"find the cause, then {change_in_brief(plan())}"


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


def test_what_happened_with_changes_is_due_when_they_are() -> None:
    happened = plan(is_event=True, event_advice="Look at the offload task.")
    assert plan_lines(happened)[1].startswith("Begin by 16 Mar 2026 (Payments MQ team): Define 16")


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
    ("changed", "words"),
    [
        ({}, "Begin by 16 Mar 2026 (Payments MQ team)"),
        (
            {"breaks_on": DAY + timedelta(days=28), "due_rule": "LOG-RUNWAY-12H"},
            "Begin by 16 Mar 2026 (Payments MQ team); LOG-RUNWAY-12H breaks on 30 Mar 2026",
        ),
        ({"due_date": DAY, "breaks_on": DAY}, "Do as soon as possible (Payments MQ team)"),
    ],
)
def test_when_to_begin_is_by_a_day_with_that_of_the_limit_or_as_soon_as_possible(
    changed: dict[str, Any], words: str
) -> None:
    assert due_text(plan(**changed)) == words


def test_tiers_and_options_are_a_line_each_with_what_they_buy_and_their_condition() -> None:
    more = PlanTier(
        changes=(plan_change(typed="20 x CYL(5825)"),),
        cost=PlanCost(cylinders=200),
        buys=(PlanEnd(rule_id="LOG-DAY-ACTIVE", level="limit 24 h"),),
    )
    other = PlanVariant(
        changes=(plan_change(typed="SHARECNV(0)"),),
        cost=PlanCost(work_hours=2),
        condition="they share no connection",
        effect="84 % becomes 56 %",
        lasts_until=DAY,
    )
    lines = plan_lines(plan(tiers=(more,), options=(other,)))
    assert lines[-2:] == [
        (
            "Recommended: 20 x CYL(5825) buys LOG-DAY-ACTIVE (limit 24 h) (+200 cylinders (+0 MiB) "
            "of DASD)"
        ),
        (
            "Or SHARECNV(0), if they share no connection: 2 h of work; 84 % becomes 56 %; until "
            "2 Mar 2026."
        ),
    ]
    [first, *_] = change_lines(plan(condition="they share none"))
    assert ": If they share none: Define 16 active logs" in first
