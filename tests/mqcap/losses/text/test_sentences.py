"""Sentences of losses, their lines and tables, and quantities of survivors in words."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import NotKept, PlanCost, PlanVariant
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.model import AssumedPlan, LossSpread, SurvivorChanges
from mqcap.losses.text.as_plan import needed_text, one_of_each_loss, plan_of_loss, plans_of_losses
from mqcap.losses.text.sentences import (
    amount_text,
    before_text,
    brief_lines,
    cell_text,
    change_lines,
    consequence,
    headline,
    limits_text,
    loss_lines,
    minutes_text,
    presupposed_lines,
    spread_text,
    state_text,
    stops_text,
    worst_of_cells,
    worst_text,
)
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import AlertSettings
from tests.factories import DAY, finding
from tests.plan_factories import loss, loss_cell, loss_finding, plan_change

CF01, CF02, CF03 = "PLEX1/CF01", "PLEX1/CF02", "PLEX1/CF03"
FULL = loss_cell(survivor=CF01, today=129.323, limit=30.0, minutes_to_failure=0.0)
FINE = loss_cell(today=43.1, fails_today=False)
SPREAD = LossSpread(busy_pct=57.44, moved_engine_pct=102.8, room_engine_pct=80.5)
NOT_KEPT = NotKept(
    rule_id="LOSS-CF-STORAGE", subject=CF03, fails_from=date(2026, 11, 21), why="give it storage"
)
CSQ1, CSQ2 = "PLEX1/CSQ1", "PLEX1/CSQ2"
CELLS = (
    loss_cell(quantity=LossQuantity.cf_processor),
    loss_cell(quantity=LossQuantity.chinit_31bit),
    loss_cell(quantity=LossQuantity.channels, fails_before=True),
    loss_cell(quantity=LossQuantity.log_runway),
)
MEMBER_KIND = SubjectKind.queue_manager
DUE = DAY + timedelta(days=14)
VARIANT = PlanVariant(
    changes=(plan_change(subject=CF03, text="Give it 3 engines.", typed="ICF engines: 3"),),
    cost=PlanCost(engines=1, work_hours=2),
    lasts_until=date(2027, 7, 1),
)


def test_the_headline_names_part_severity_and_what_follows() -> None:
    assert headline(loss()) == (
        "Loss of PLEX1/CF02: WATCH, CF03 takes its load: CF busy 73 % of 60 %."
    )
    only = loss(is_only_facility=True, nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=())
    assert consequence(only).startswith("PLEX1 has no other coupling facility, so its structures")


CHANGED = PlanVariant(changes=(plan_change(subject=CF01),))
MEMBER = "PLEX1/CSQ2"
STORAGE = loss_cell(
    survivor=MEMBER,
    quantity=LossQuantity.chinit_31bit,
    subject=f"{MEMBER}/CHINIT",
    rule_id="CHI-80-31BIT",
    today=90.1,
    limit=80.0,
)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"survivors": (CF01, CF03), "is_any_enough": True, "cells": (FULL, loss_cell())},
            "CF03 alone carries its load best: CF busy 73 % of 60 %.",
        ),
        (
            {"survivors": (MEMBER, "PLEX1/CSQ3"), "cells": (STORAGE,)},
            "CSQ2 and CSQ3 share its load: at CSQ2 chinit 31-bit storage 90 % of 80 %.",
        ),
        (
            {"survivors": (CF01,), "cells": (FULL,)},
            "CF01 takes its load: CF busy 129 % of 30 %, work stops at once.",
        ),
        (
            {"nowhere_to_go": ("PLEX1/CF02/ISGLOCK",), "cells": (), "survivors": ()},
            "ISGLOCK would have nowhere to go.",
        ),
        ({"survivors": (), "cells": ()}, "no survivor can be evaluated."),
        ({"cells": (FINE,), "is_any_enough": True, "survivors": (CF03,)}, "CF03 takes its load."),
        ({"cells": (FINE,)}, "CF03 takes its load."),
        ({"cells": (FINE,), "survivors": (CF03, CF01)}, "CF03 and CF01 share its load."),
    ],
)
def test_what_fails_is_the_worst_figure_of_who_takes_the_load(
    changed: dict[str, Any], words: str
) -> None:
    assert consequence(loss(**changed)) == words


ENGINES = AssumedPlan(
    resource=CF01, label="CF01 coupling facility", typed=("ICF engines: 2",), subjects=(CF01,)
)


def unkept(after_days: int) -> NotKept:
    day = DAY + timedelta(days=after_days)
    subject = f"{MEMBER}/CHINIT"
    return NotKept(rule_id="CHI-80-31BIT", subject=subject, fails_from=day, why="no")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"not_kept": (unkept(0),)}, "No setting keeps it within the limits, even with no change."),
        (
            {"not_kept": (unkept(1),), "assumed": (ENGINES,), "changes": CHANGED},
            "With the plans of the day and these changes it is carried until 2 Mar 2026.",
        ),
        (
            {"assumed": (ENGINES,), "changes": PlanVariant()},
            "With the plans of the day it is carried.",
        ),
        (
            {"spread": SPREAD.model_copy(update={"room_engine_pct": 102.8})},
            "Spread over CSQ2 it is carried: together 57.44 % busy.",
        ),
        ({}, ""),
    ],
)
def test_until_when_it_is_carried_is_said_with_what_is_done(
    changed: dict[str, Any], words: str
) -> None:
    found = loss(cells=(STORAGE,), survivors=(MEMBER,), **changed)
    first = "CSQ2 takes its load: chinit 31-bit storage 90 % of 80 %."
    assert consequence(found) == f"{first} {words}".rstrip()


def test_the_worst_case_is_named_last_and_a_matrix_has_the_worst_figure_and_a_count() -> None:
    alone = (STORAGE.model_copy(update={"today": 105.6, "minutes_to_failure": 0.0}),)
    found = loss(cells=(STORAGE,), survivors=(MEMBER, "PLEX1/CSQ3"), alone=alone)
    assert consequence(found).endswith(
        "Worst case, CSQ2 alone takes all of it: chinit 31-bit storage 106 % of 80 %, work "
        "stops at once."
    )
    cells = (loss_cell(), loss_cell(quantity=LossQuantity.cf_storage, unit="MiB", today=9, limit=8))
    assert worst_text(loss(cells=cells), CF03) == ("CF busy 73 % of 60 %; 2 limits passed")


def test_a_table_has_plans_by_name_and_changes_as_they_are_typed() -> None:
    found = loss(changes=CHANGED, not_kept=(NOT_KEPT,))
    assert brief_lines(found) == [
        f"Then CF01 {CHANGED.changes[0].typed}.",
        "Cannot be kept: LOSS-CF-STORAGE from 21 Nov 2026.",
    ]
    assert brief_lines(loss()) == []


def test_plans_that_come_first_have_the_day_from_which_they_are_needed() -> None:
    plan = AssumedPlan(
        resource="PLEX1/CSQ3/CHINIT/storage_64bit",
        label="CSQ3 chinit 64-bit storage",
        typed=("MEMLIMIT=4G",),
        subjects=(),
        needed_from=date(2026, 11, 23),
    )
    not_needed = plan.model_copy(update={"needed_from": None})
    assert list(presupposed_lines(loss(assumed=(plan, not_needed)))) == [
        "First the plan of CSQ3 chinit 64-bit storage [MEMLIMIT=4G], needed from 23 Nov 2026."
    ]


def test_changes_say_what_they_take_for_whom_and_what_they_do_not_keep() -> None:
    found = loss(changes=VARIANT, not_kept=(NOT_KEPT,))
    assert list(change_lines(found)) == [
        "PLEX1/CF03: Give it 3 engines. [ICF engines: 3]",
        (
            "Takes 1 CF engine, 2 h of work beside the plans of the day, for CF03; lasts until "
            "1 Jul 2027."
        ),
        "Cannot be kept: LOSS-CF-STORAGE fails from 21 Nov 2026: give it storage.",
    ]


def test_the_lines_have_every_survivor_and_the_assumptions() -> None:
    found = loss(cells=(FULL, loss_cell()), assumptions=("Peaks at once.",), spread=SPREAD)
    lines = loss_lines(found)
    assert lines[1] == ("CF01: CF busy 129 % of 30 %; 22 % with nothing lost; work stops at once")
    assert lines[2] == "CF03: CF busy 73 % of 60 %; 22 % with nothing lost"
    assert lines[-1] == "Peaks at once."


def test_a_line_has_the_figure_with_the_plans_and_with_the_changes_where_it_differs() -> None:
    planned = loss_cell(today=64.6, fails_today=False, fails_from=date(2027, 1, 4))
    changed = loss_cell(today=48.6, fails_today=False)
    found = loss(planned_cells=(planned,), changed_cells=(changed,), assumed=(ENGINES,))
    assert loss_lines(found)[1:3] == [
        (
            "CF03: CF busy 73 % of 60 %; 22 % with nothing lost; with the plans "
            "65 % of 60 % (80 % ahead, from 4 Jan 2027), FAILS; with the changes "
            "49 % of 60 %"
        ),
        "The plans: CF01 coupling facility [ICF engines: 2].",
    ]
    same = found.model_copy(update={"planned_cells": found.cells, "changed_cells": ()})
    assert loss_lines(same)[1].endswith("22 % with nothing lost")


def test_plans_that_cannot_be_applied_are_named() -> None:
    found = loss(left_out=("CF01 storage",), changes=CHANGED)
    assert (
        "As though the plans of CF01 storage were not done: what-if refuses them beside the other "
        "plans."
    ) in loss_lines(found)
    assert "beside the plans of the day, as though those of CF01 storage were not done, for" in (
        " ".join(change_lines(found))
    )


def test_the_survivors_together_are_compared_with_the_room_up_to_their_limits() -> None:
    found = loss(survivors=(CF01, CF03), spread=SPREAD)
    assert spread_text(found).startswith("CF01 and CF03 together would be 57.44 % busy")
    assert "arrive: not enough if" in spread_text(found)
    roomy = SPREAD.model_copy(update={"room_engine_pct": 102.8})
    assert "arrive: enough if" in spread_text(loss(spread=roomy))
    planned = SPREAD.model_copy(update={"is_planned": True})
    assert "% busy, with the plans of the day done: up to" in spread_text(loss(spread=planned))
    assert spread_text(loss()) == ""


def test_a_loss_has_one_line_with_the_number_of_limits_that_its_headline_has() -> None:
    findings = [
        loss_finding("LOSS-LOG-FILL", CSQ1, headroom_ratio=-0.5),
        loss_finding("LOSS-LOG-RUNWAY", CSQ1, headroom_ratio=-0.9),
        loss_finding("LOSS-LOG-FILL", CSQ2, headroom_ratio=-0.4),
        loss_finding("LOSS-BUFFER-POOL", CSQ1, severity=Severity.ok, breach=False),
        finding(CSQ1),
    ]
    every = fleet_lines(findings, [], [], Estate(), AlertSettings())
    losses = [loss(lost=CSQ1, cells=CELLS), loss(lost=CSQ2)]
    lines = one_of_each_loss(every, losses)
    words = "3 limits passed, 1 of them over already"
    assert {line.key: line.rule_words for line in lines} == {
        ("LOSS-LOG-RUNWAY", CSQ1): f"LOSS-LOG-RUNWAY; {words}",
        ("LOSS-LOG-FILL", CSQ2): "LOSS-LOG-FILL",
        ("LOSS-BUFFER-POOL", CSQ1): "LOSS-BUFFER-POOL",
        ("LOG-FILL-30MIN", CSQ1): "LOG-FILL-30MIN",
    }
    keys = {line.key for line in lines}
    assert [line.key for line in lines] == [line.key for line in every if line.key in keys]


def test_a_loss_reads_as_a_plan_with_its_own_changes_if_there_is_anything_to_decide() -> None:
    found = plan_of_loss(loss(changes=VARIANT, due_date=DUE, owner="Sysplex team"))
    assert (found.about.label, found.about.owner) == ("loss of CF02", "Sysplex team")
    assert found.due_date == DUE
    assert found.base == VARIANT
    assert (found.resource, found.reason.rule_id) == ("PLEX1/CF02/loss", "LOSS-CF-BUSY")
    for severity in (Severity.ok, Severity.suggestion, Severity.unknown):
        assert plans_of_losses([loss(severity=severity, due_date=None)]) == []


def test_what_all_losses_take_is_stated_once() -> None:
    part = SurvivorChanges(
        resource=CF03, label="CF03 coupling facility", **dict(VARIANT), owner="Sysplex team"
    )
    found = [
        loss(lost=lost, due_date=DUE, changes=VARIANT, by_resource=(part,))
        for lost in ("PLEX1/CF02", "PLEX1/CF01")
    ]
    assert needed_text(found).startswith(
        "For losses, beside the plans of the day: 1 resource, 1 CF engine, 2 h of work."
    )
    assert needed_text([loss()]) == ""


NEEDED: Final[dict[str, Any]] = {
    "quantity": LossQuantity.cf_storage, "unit": "MiB", "today": 8_292, "limit": 9_011,
}  # fmt: skip
LATER: Final = loss_cell(
    today=55.0, fails_today=False, fails_from=date(2027, 1, 5), at_horizon=64.0
)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (LATER, "CF busy 55 % of 60 % (64 % ahead, from 5 Jan 2027)"),
        (
            loss_cell(**NEEDED),
            "storage for its structures 8,292 MiB needed, 9,011 MiB free",
        ),
        (
            loss_cell(quantity=LossQuantity.recovery, unit="h", today=61.4, limit=24.0),
            "time between page set backups 61 h allowed, 24 h scheduled",
        ),
        (
            loss_cell(quantity=LossQuantity.buffer_pool, subject="PLEX1/CSQ1/BP01"),
            "buffer pool BP01 73 % of 60 %",
        ),
    ],
)
def test_a_quantity_has_its_figure_its_limit_and_the_day_from_which_it_fails(
    cell: LossCell, words: str
) -> None:
    assert cell_text(cell) == words


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (LATER, "55 % of 60 %"),
        (loss_cell(today=9_756, limit=9_999, unit="channels"), "9,756 of 9,999 channels"),
        (loss_cell(**NEEDED | {"limit": None}), "8,292 MiB needed, free storage not known"),
        (loss_cell(today=0.7164, limit=12.0, unit="h"), "43 min of 12 h"),
        (loss_cell(today=6.84, limit=12.0, unit="h"), "6.8 h of 12 h"),
        (loss_cell(today=8.6, limit=12.0, unit="min"), "8.6 min of 12 min"),
    ],
)
def test_an_amount_is_in_the_unit_that_reads_best(cell: LossCell, words: str) -> None:
    assert amount_text(cell) == words


def test_a_state_has_what_fails_and_with_nothing_lost_structures_have_not_arrived() -> None:
    assert state_text(LATER) == "55 % of 60 % (64 % ahead, from 5 Jan 2027), FAILS"
    assert state_text(FINE) == "43 % of 60 %"
    assert before_text(loss_cell(before=0.7164, limit=12.0, unit="h")) == "43 min with nothing lost"
    assert before_text(loss_cell(**NEEDED)) == ""


def test_limits_that_are_passed_are_counted_and_those_over_already_are_among_them() -> None:
    over = loss_cell(fails_before=True)
    kept = loss_cell(fails_today=False)
    assert limits_text([kept]) == limits_text([loss_cell(), kept]) == ""
    assert limits_text([over]) == "over already"
    assert limits_text([loss_cell(), loss_cell()]) == "2 limits passed"
    assert limits_text([loss_cell(), over]) == "2 limits passed, 1 of them over already"


def test_the_worst_is_what_the_loss_makes_fail_then_what_stops_then_the_fullest() -> None:
    fuller = loss_cell(quantity=LossQuantity.log_runway, unit="h", today=0.5, limit=12.0)
    over = fuller.model_copy(update={"fails_before": True})
    assert worst_of_cells([loss_cell(), over]) == "CF busy 73 % of 60 %"
    stopped = loss_cell(minutes_to_failure=0.0)
    assert worst_of_cells([fuller, stopped]) == ("CF busy 73 % of 60 %; work stops at once")
    assert worst_of_cells([loss_cell(), fuller]).startswith("CF busy")
    assert worst_of_cells([]) == ""


@pytest.mark.parametrize(
    ("minutes", "time", "stops"),
    [(0.0, "at once", "at once"), (43.0, "43 min", "when all logs are full"), (410.0, "6.8 h", "")],
)
def test_a_time_until_work_stops_reads_best_and_that_of_logs_is_not_said_twice(
    minutes: float, time: str, stops: str
) -> None:
    assert minutes_text(minutes) == time
    assert stops_text(loss_cell(minutes_to_failure=minutes if stops else None)) == stops
