"""The load of a facility over all survivors in words."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.losses.model import AssumedPlan, LossSpread
from mqcap.losses.text.sentences import spread_text
from tests.plan_factories import loss

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"
SPREAD = LossSpread(busy_pct=57.44, moved_engine_pct=102.8, room_engine_pct=80.5)
ENGINES = AssumedPlan(
    label="CF01 coupling facility",
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
    assert spread_text(loss(survivors=(CF01, CF03), spread=spread, assumed=(ENGINES,))) == (
        "CF01 and CF03 together would be 57.44 % busy with the plan of CF01 coupling facility "
        "done. Up to their limits they then have room for 170.6 % of an engine, and 102.8 % "
        "arrive: enough without more engines if preference lists spread the structures by hand. "
        f"Without it the room is {words}"
    )
