"""Losses in words."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.losses.loss import LossSpread
from mqcap.domain.plan import NotKept, PlanCost, PlanVariant
from mqcap.presentation.loss_text import (
    amount_text,
    cell_text,
    change_lines,
    consequence,
    headline,
    loss_lines,
    minutes_text,
    spread_text,
    time_text,
    worst_text,
)
from tests.factories import loss, loss_cell, plan_change

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"
FULL = loss_cell(survivor=CF01, today=129.323, limit=30.0, minutes_to_failure=0.0)
SPREAD = LossSpread(busy_pct=57.44, moved_engine_pct=102.8, room_engine_pct=80.5)


NOT_KEPT = NotKept(
    rule_id="LOSS-CF-STORAGE", subject=CF03, fails_from=date(2026, 11, 21), why="give it storage"
)


def test_the_only_facility_of_a_sysplex_is_a_matter_of_design() -> None:
    found = loss(is_only_facility=True, nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=())
    assert consequence(found).startswith("PLEX1 has no other coupling facility, so its structures")


def test_the_headline_names_part_severity_and_survivor() -> None:
    assert headline(loss()) == "Loss of PLEX1/CF02: WATCH, CF03: CF busy 72.93 % of 60 %."


def test_of_several_survivors_the_best_one_is_named_with_their_number() -> None:
    found = loss(survivors=(CF01, CF03), is_any_enough=True, cells=(FULL, loss_cell()))
    assert consequence(found) == "CF03, the best of 2 survivors: CF busy 72.93 % of 60 %."


def test_a_survivor_that_takes_less_than_the_best_one_is_named() -> None:
    cells = (loss_cell(), loss_cell(survivor=CF01, today=129.0, limit=30.0))
    found = loss(
        survivors=(CF03, CF01),
        is_any_enough=True,
        cells=cells,
        changed_survivors=(CF01,),
    )
    assert consequence(found).endswith(" It takes least to let CF01 carry it.")
    own = found.model_copy(update={"changed_survivors": (CF03,)})
    assert "least" not in consequence(own)


def test_further_limits_are_counted() -> None:
    more = loss_cell(quantity=LossQuantity.cf_storage, unit="MiB", today=9.0, limit=8.0)
    assert consequence(loss(cells=(loss_cell(), more))).endswith("of 60 % and 1 more limit.")


def test_structures_without_a_place_are_named_first() -> None:
    found = loss(nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=())
    assert consequence(found) == "ISGLOCK would have nowhere to go."


def test_a_survivor_that_failed_before_but_stops_now_is_named() -> None:
    found = loss(cells=(loss_cell(fails_before=True, minutes_to_failure=0.0),))
    assert consequence(found) == "CF03: CF busy 72.93 % of 60 %."


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"is_any_enough": True, "survivors": (CF03, CF01)}, "CF03 alone carries its load."),
        ({"is_any_enough": False}, "the survivors carry its load."),
        ({"survivors": (), "cells": ()}, "no survivor can be evaluated."),
    ],
)
def test_a_loss_that_is_carried_says_by_whom(changed: dict[str, object], words: str) -> None:
    fine = loss_cell(today=43.1, fails_today=False)
    assert consequence(loss(**{"severity": Severity.ok, "cells": (fine,)} | changed)) == words


def test_a_limit_that_is_passed_later_has_its_day() -> None:
    cell = loss_cell(today=55.0, fails_today=False, fails_from=date(2027, 1, 5), at_horizon=64.0)
    assert cell_text(cell) == "CF busy 55 % of 60 % (64 % ahead, from 5 Jan 2027)"
    assert amount_text(cell) == "55 % of 60 %"
    assert amount_text(loss_cell(today=9_756, limit=9_999, unit="channels")) == (
        "9,756 of 9,999 channels"
    )


@pytest.mark.parametrize(
    ("today", "unit", "words"),
    [
        (0.7164, "h", "43 min of 12 h"),
        (6.84, "h", "6.8 h of 12 h"),
        (8.6, "min", "8.6 min of 12 min"),
    ],
)
def test_times_are_in_the_unit_that_reads_best(today: float, unit: str, words: str) -> None:
    assert amount_text(loss_cell(today=today, limit=12.0, unit=unit)) == words


def test_what_stops_at_once_is_shown_before_what_is_fuller() -> None:
    fuller = loss_cell(quantity=LossQuantity.log_runway, unit="h", today=0.5, limit=12.0)
    stopped = loss_cell(minutes_to_failure=0.0)
    text = worst_text(loss(cells=(fuller, stopped)), CF03)
    assert text == "CF busy 72.93 % of 60 %, at once; 2 limits passed"


def test_a_buffer_pool_is_named() -> None:
    cell = loss_cell(quantity=LossQuantity.buffer_pool, subject="PLEX1/CSQ1/BP01")
    assert cell_text(cell).startswith("buffer pool BP01 72.93 %")


@pytest.mark.parametrize(
    ("minutes", "words"), [(0.0, "at once"), (43.0, "43 min"), (410.0, "6.8 h")]
)
def test_a_time_to_failure_is_in_the_unit_that_reads_best(minutes: float, words: str) -> None:
    assert minutes_text(minutes) == words
    assert time_text(loss_cell(minutes_to_failure=minutes)) == words


def test_a_survivor_that_goes_on_working_has_no_time_to_failure() -> None:
    assert time_text(loss_cell(minutes_to_failure=None)) == ""


def test_the_fullest_quantity_of_a_survivor_is_shown_with_the_number_that_fail() -> None:
    storage = loss_cell(quantity=LossQuantity.cf_storage, unit="MiB", today=9.0, limit=8.0)
    found = loss(cells=(loss_cell(), storage))
    assert worst_text(found, CF03) == "CF busy 72.93 % of 60 %; 2 limits passed"
    assert worst_text(found, CF01) == ""


def test_the_survivors_together_are_compared_with_the_room_up_to_their_limits() -> None:
    found = loss(survivors=(CF01, CF03), spread=SPREAD)
    assert spread_text(found).startswith("CF01 and CF03 together would be 57.44 % busy")
    assert "not enough even" in spread_text(found)
    roomy = SPREAD.model_copy(update={"room_engine_pct": 102.8})
    assert "not enough" not in spread_text(loss(spread=roomy))
    assert spread_text(loss()) == ""


def test_changes_say_what_they_take_for_whom_and_what_they_do_not_keep() -> None:
    change = plan_change(subject=CF03, text="Give it 3 engines.", typed="ICF engines: 3")
    variant = PlanVariant(changes=(change,), cost=PlanCost(engines=1), lasts_until=date(2027, 7, 1))
    found = loss(changes=variant, changed_survivors=(CF03,), not_kept=(NOT_KEPT,))
    assert list(change_lines(found)) == [
        "PLEX1/CF03: Give it 3 engines. [ICF engines: 3]",
        "Takes 1 CF engine beside the plans of the day, for CF03; lasts until 1 Jul 2027.",
        "Cannot be kept: LOSS-CF-STORAGE fails from 21 Nov 2026: give it storage.",
    ]


def test_the_lines_have_every_survivor_and_the_assumptions() -> None:
    found = loss(cells=(FULL, loss_cell()), assumptions=("Peaks at once.",), spread=SPREAD)
    lines = loss_lines(found)
    assert lines[1] == "CF01: CF busy 129.3 % of 30 %, before 21.5 %, at once FAILS"
    assert lines[2] == "CF03: CF busy 72.93 % of 60 %, before 21.5 % FAILS"
    assert lines[-1] == "Peaks at once."
