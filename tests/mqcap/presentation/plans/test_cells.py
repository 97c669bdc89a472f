"""A plan in a cell of a table or an entry of a list."""

from __future__ import annotations

from mqcap.domain.plan import NotKept, PlanVariant
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.cells import text_for_rule, typed_by_day
from tests.factories import DAY
from tests.plan_factories import plan, work_schedule

NOT_KEPT = NotKept(
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", fails_from=DAY, why="compress the log"
)


def test_a_rule_that_no_setting_touches_is_told_so_in_place_of_the_change() -> None:
    kept, missed = ("LOG-RUNWAY-12H", "PLEX1/CSQ1"), ("LOG-FILL-30MIN", "PLEX1/CSQ1")
    found = plan(not_kept=(NOT_KEPT,))
    assert text_for_rule(found, *kept) == "16 x CYL(5825)"
    day = short_day(NOT_KEPT.fails_from)
    assert text_for_rule(found, *missed) == f"no setting keeps it from {day} on"
    near = plan(not_kept=(NOT_KEPT.model_copy(update={"is_watch_alone": True}),))
    assert text_for_rule(near, *missed) == "no setting keeps it below Watch"
    alone = plan(changes=(), is_event=True)
    assert text_for_rule(alone, *kept) == "find the cause now"


def test_work_that_is_done_by_the_due_day_is_the_operand_alone() -> None:
    assert typed_by_day(plan()) == "16 x CYL(5825)"
    assert typed_by_day(plan(changes=())) == ""


def test_work_that_is_not_done_by_the_due_day_says_what_is_and_by_when_all_of_it_is() -> None:
    late = plan(schedule=work_schedule())
    words = "16 x CYL(5825) (8 x CYL(5825) by 16 Mar 2026, all by 23 Mar 2026)"
    assert typed_by_day(late) == words
    assert text_for_rule(late, "LOG-RUNWAY-12H", "PLEX1/CSQ1") == words
    idle = plan(schedule=work_schedule(first=PlanVariant()))
    assert "(nothing by 16 Mar 2026, all by " in typed_by_day(idle)
    as_one = plan(schedule=work_schedule(is_in_parts=False))
    assert typed_by_day(as_one) == "16 x CYL(5825) (all by 23 Mar 2026, not by 16 Mar 2026)"
