"""The load of a facility over all survivors in words."""

from __future__ import annotations

from mqcap.losses.model import LossSpread
from mqcap.losses.text.sentences import spread_text
from tests.plan_factories import loss

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"
SPREAD = LossSpread(busy_pct=57.44, moved_engine_pct=102.8, room_engine_pct=80.5)


def test_the_survivors_together_are_compared_with_the_room_up_to_their_limits() -> None:
    found = loss(survivors=(CF01, CF03), spread=SPREAD)
    assert spread_text(found).startswith("CF01 and CF03 together would be 57.44 % busy")
    assert "arrive: not enough if" in spread_text(found)
    roomy = SPREAD.model_copy(update={"room_engine_pct": 102.8})
    assert "arrive: enough if" in spread_text(loss(spread=roomy))
    planned = SPREAD.model_copy(update={"is_planned": True})
    assert "% busy, with the plans of the day done: up to" in spread_text(loss(spread=planned))
    assert spread_text(loss()) == ""
