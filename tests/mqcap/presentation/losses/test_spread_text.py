"""The load of a facility over all survivors in words."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.losses.loss import LossSpread, ReckonedPlan
from mqcap.presentation.losses.spread_text import instead_in_brief, instead_text, spread_text
from tests.plan_factories import loss

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"
SPREAD = LossSpread(busy_pct=57.44, moved_engine_pct=102.8, room_engine_pct=80.5)
ENGINES = ReckonedPlan(
    label="coupling facility CF01",
    typed=("ICF engines: 2",),
    subjects=(CF01,),
    due_date=date(2027, 1, 3),
)
LISTS = (
    "Or without more engines: preference lists that spread the structures over CF01 and CF03 are "
    "enough"
)


def test_the_survivors_together_are_compared_with_the_room_up_to_their_limits() -> None:
    found = loss(survivors=(CF01, CF03), spread=SPREAD)
    assert spread_text(found).startswith("CF01 and CF03 together would be 57.44 % busy")
    assert "not enough even" in spread_text(found)
    roomy = SPREAD.model_copy(update={"room_engine_pct": 102.8})
    assert "enough without more engines if" in spread_text(loss(spread=roomy))
    assert spread_text(loss()) == ""


@pytest.mark.parametrize(
    ("today", "words"),
    [(80.5, "80.5 %: not enough."), (102.8, "102.8 %: enough too.")],
)
def test_room_that_a_plan_makes_is_said_to_be_there_with_it_alone(today: float, words: str) -> None:
    spread = SPREAD.model_copy(
        update={"is_planned": True, "room_engine_pct": 170.6, "room_today_engine_pct": today}
    )
    assert spread_text(loss(survivors=(CF01, CF03), spread=spread, reckoned=(ENGINES,))) == (
        "CF01 and CF03 together would be 57.44 % busy with the plan of coupling facility CF01 "
        "done. Up to their limits they then have room for 170.6 % of an engine, and 102.8 % "
        "arrive: enough without more engines if preference lists spread the structures by hand. "
        f"Without it the room is {words}"
    )


@pytest.mark.parametrize(
    ("today", "words"),
    [(102.7, " once the plan of coupling facility CF01 is done (due 3 Jan 2027)"), (102.8, "")],
)
def test_lists_do_in_place_of_engines_from_the_plan_on_that_makes_room(
    today: float, words: str
) -> None:
    spread = SPREAD.model_copy(
        update={"is_planned": True, "room_engine_pct": 170.6, "room_today_engine_pct": today}
    )
    found = loss(survivors=(CF01, CF03), spread=spread, reckoned=(ENGINES,))
    assert instead_text(found) == f"{LISTS}{words}"
    after = " after the plan of coupling facility CF01 (3 Jan 2027)" if words else ""
    assert instead_in_brief(found) == f"preference lists{after}"


@pytest.mark.parametrize(("room", "words"), [(102.7, ""), (102.8, LISTS), (102.9, LISTS)])
def test_lists_are_named_where_the_room_of_all_survivors_is_enough(room: float, words: str) -> None:
    spread = SPREAD.model_copy(update={"room_engine_pct": room})
    found = loss(survivors=(CF01, CF03), spread=spread)
    assert instead_text(found) == words
    assert instead_in_brief(found) == ("preference lists" if words else "")
    assert instead_text(loss()) == ""
