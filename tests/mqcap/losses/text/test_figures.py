"""Quantities of survivors in words."""

from datetime import date
from typing import Any, Final

import pytest

from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.text.sentences import (
    amount_text,
    before_text,
    cell_text,
    limits_text,
    minutes_text,
    state_text,
    stops_text,
    worst_of_cells,
)
from tests.plan_factories import loss_cell

STORAGE: Final[dict[str, Any]] = {
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
            loss_cell(**STORAGE),
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
        (loss_cell(**STORAGE | {"limit": None}), "8,292 MiB needed, free storage not known"),
        (loss_cell(today=0.7164, limit=12.0, unit="h"), "43 min of 12 h"),
        (loss_cell(today=6.84, limit=12.0, unit="h"), "6.8 h of 12 h"),
        (loss_cell(today=8.6, limit=12.0, unit="min"), "8.6 min of 12 min"),
    ],
)
def test_an_amount_is_in_the_unit_that_reads_best(cell: LossCell, words: str) -> None:
    assert amount_text(cell) == words


def test_the_value_with_nothing_lost_is_none_of_structures_that_have_not_arrived() -> None:
    assert before_text(loss_cell(before=0.7164, limit=12.0, unit="h")) == "43 min with nothing lost"
    assert before_text(loss_cell(**STORAGE)) == ""


def test_a_state_is_the_figure_with_what_fails() -> None:
    assert state_text(LATER) == "55 % of 60 % (64 % ahead, from 5 Jan 2027), FAILS"
    assert state_text(loss_cell()) == "73 % of 60 %, FAILS"
    assert state_text(loss_cell(today=55.0, fails_today=False)) == "55 % of 60 %"


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
