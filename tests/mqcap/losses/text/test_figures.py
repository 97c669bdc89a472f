"""Quantities of survivors in words."""

from datetime import date

import pytest

from mqcap.losses.cell import LossQuantity
from mqcap.losses.text.figures import (
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


def test_a_limit_that_is_passed_later_has_its_day() -> None:
    cell = loss_cell(today=55.0, fails_today=False, fails_from=date(2027, 1, 5), at_horizon=64.0)
    assert cell_text(cell) == "CF busy 55 % of 60 % (64 % ahead, from 5 Jan 2027)"
    assert amount_text(cell) == "55 % of 60 %"
    assert amount_text(loss_cell(today=9_756, limit=9_999, unit="channels")) == (
        "9,756 of 9,999 channels"
    )


def test_storage_of_a_facility_is_what_is_needed_and_what_is_free() -> None:
    cell = loss_cell(quantity=LossQuantity.cf_storage, unit="MiB", today=8_292, limit=9_011)
    assert cell_text(cell) == "storage for its structures 8,292 MiB needed, 9,011 MiB free"
    unknown = cell.model_copy(update={"limit": None})
    assert amount_text(unknown) == "8,292 MiB needed, free storage not known"
    assert before_text(cell) == ""


def test_of_backups_it_is_what_is_allowed_and_what_is_scheduled() -> None:
    cell = loss_cell(
        quantity=LossQuantity.recovery, unit="h", today=61.4, limit=24.0, fails_today=False
    )
    assert cell_text(cell) == "time between page set backups 61 h allowed, 24 h scheduled"


def test_a_state_is_the_figure_with_what_fails() -> None:
    cell = loss_cell(today=55.0, fails_today=False, fails_from=date(2027, 1, 5), at_horizon=64.0)
    assert state_text(cell) == "55 % of 60 % (64 % ahead, from 5 Jan 2027), FAILS"
    assert state_text(loss_cell()) == "73 % of 60 %, FAILS"
    assert state_text(loss_cell(today=55.0, fails_today=False)) == "55 % of 60 %"


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
    before = loss_cell(before=today, limit=12.0, unit=unit)
    assert before_text(before) == f"{words.partition(' of ')[0]} with nothing lost"


def test_limits_that_are_passed_are_counted_and_those_over_already_are_among_them() -> None:
    over = loss_cell(fails_before=True)
    kept = loss_cell(fails_today=False)
    assert limits_text([kept]) == ""
    assert limits_text([loss_cell(), kept]) == ""
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


def test_a_buffer_pool_is_named() -> None:
    cell = loss_cell(quantity=LossQuantity.buffer_pool, subject="PLEX1/CSQ1/BP01")
    assert cell_text(cell).startswith("buffer pool BP01 73 %")


@pytest.mark.parametrize(
    ("minutes", "words"), [(0.0, "at once"), (43.0, "43 min"), (410.0, "6.8 h")]
)
def test_a_time_until_work_stops_is_in_the_unit_that_reads_best(minutes: float, words: str) -> None:
    assert minutes_text(minutes) == words


def test_the_time_of_logs_is_not_said_twice() -> None:
    assert stops_text(loss_cell(minutes_to_failure=0.0)) == "at once"
    assert stops_text(loss_cell(minutes_to_failure=43.0)) == "when all logs are full"
    assert stops_text(loss_cell(minutes_to_failure=None)) == ""
