"""Losses: which survivor decides, and when the first one stops."""

from __future__ import annotations

from datetime import date

from mqcap.domain.finding import Severity
from mqcap.losses.model import loss_order
from tests.plan_factories import loss, loss_cell

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"


def test_of_a_load_that_any_survivor_may_take_the_best_one_decides() -> None:
    found = loss(
        is_any_enough=True,
        survivors=(CF01, CF03),
        cells=(
            loss_cell(survivor=CF01, today=129.0, limit=30.0, fails_today=True),
            loss_cell(survivor=CF03, today=73.0, limit=60.0, fails_today=True),
        ),
    )
    assert [cell.survivor for cell in found.decisive_cells] == [CF03]


def test_a_survivor_that_keeps_more_limits_is_better_than_a_less_full_one() -> None:
    found = loss(
        is_any_enough=True,
        survivors=(CF01, CF03),
        cells=(
            loss_cell(survivor=CF01, today=31.0, limit=30.0, fails_today=True),
            loss_cell(survivor=CF03, today=59.9, limit=60.0, fails_today=False),
        ),
    )
    assert [cell.survivor for cell in found.decisive_cells] == [CF03]


def test_a_survivor_that_stops_at_once_is_the_worst_whatever_its_limits() -> None:
    found = loss(
        is_any_enough=True,
        survivors=(CF03, CF01),
        cells=(
            loss_cell(survivor=CF01, today=90.0, limit=30.0, fails_today=True),
            loss_cell(survivor=CF03, today=20.0, limit=60.0, minutes_to_failure=0.0),
        ),
    )
    assert found.ranked_survivors == [CF01, CF03]


def test_the_first_failure_is_today_or_the_first_day_of_the_forecast() -> None:
    later = loss_cell(fails_today=False, fails_from=date(2027, 1, 5))
    assert loss(cells=(later,)).first_failure_date == date(2027, 1, 5)
    assert loss(cells=(later, loss_cell())).first_failure_date == loss().site_date
    assert loss(cells=(loss_cell(fails_before=True),)).first_failure_date is None
    homeless = loss(cells=(), nowhere_to_go=("PLEX1/CF02/A",))
    assert homeless.first_failure_date == homeless.site_date
    only = homeless.model_copy(update={"is_only_facility": True})
    assert only.first_failure_date is None


def test_of_a_load_whose_takers_are_known_every_survivor_decides() -> None:
    cells = (loss_cell(survivor=CF01), loss_cell(survivor=CF03))
    found = loss(is_any_enough=False, survivors=(CF01, CF03), cells=cells)
    assert found.decisive_cells == cells


def test_the_first_failure_is_that_of_the_survivors_that_decide() -> None:
    cells = (loss_cell(minutes_to_failure=90.0), loss_cell(minutes_to_failure=43.0))
    assert loss(cells=cells).minutes_to_first_failure == 43
    assert loss(cells=(loss_cell(minutes_to_failure=None),)).minutes_to_first_failure is None
    assert loss(cells=(), nowhere_to_go=("PLEX1/CF02/A",)).minutes_to_first_failure == 0


def test_production_and_the_highest_severity_come_first() -> None:
    watch = loss(lost="PLEX1/CF01", severity=Severity.watch)
    act = loss(lost="PLEX1/CF02", severity=Severity.act)
    other = loss(lost="PLEX1/CSQ4", severity=Severity.act, is_production=False)
    assert sorted([other, watch, act], key=loss_order) == [act, watch, other]
