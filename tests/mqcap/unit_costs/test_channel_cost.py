"""The one cost of a channel: learnt where certain, else MP16's."""

from __future__ import annotations

import pytest

from mqcap.domain.unit_cost import UnitCostKind
from mqcap.unit_costs.channel_cost import CHANNEL_KINDS, arriving_cost, channel_cost
from tests.factories import unit_cost
from tests.mqcap.whatif.planted_costs import Planted

CHINIT = "PLEX1/CSQ1/CHINIT"
OTHER = "PLEX1/CSQ2/CHINIT"
ABOVE = UnitCostKind.chinit_64bit_kib_per_channel


def test_a_certain_cost_is_that_of_the_site() -> None:
    cost = channel_cost(Planted(unit_cost()), CHINIT, "31bit", "9.4.0")
    assert cost is not None
    assert (cost.kib, cost.learnt, cost.book) == (100, unit_cost(), None)
    assert ", learnt: 100 KiB (90 to 120 at 80 %)" in cost.line
    assert "MP16: 90 KiB" in cost.line


def test_an_uncertain_cost_is_that_of_mp16_beside_the_learnt_one() -> None:
    cost = channel_cost(Planted(unit_cost(lower=1, upper=400)), CHINIT, "31bit", None)
    assert cost is not None
    assert (cost.kib, cost.learnt) == (90, None)
    assert ", by MP16: 90 KiB (CHI-FOOTPRINT-MCA" in cost.line
    assert "; not the learnt 100 KiB (1 to 400 at 80 %): half of the interval" in cost.line


@pytest.mark.parametrize(("storage", "kib"), [("31bit", 90), ("64bit", 8)])
def test_without_learnt_costs_the_book_decides(storage: str, kib: float) -> None:
    cost = channel_cost(None, CHINIT, storage, None)
    assert cost is not None
    assert cost.kib == kib
    assert cost.line.startswith(f"{CHANNEL_KINDS[storage]} of {CHINIT}, by MP16: ")


def test_an_earlier_release_has_no_cost_above_the_bar() -> None:
    learnt = unit_cost(kind=ABOVE, not_measurable="MP16 has none", book=None)
    assert channel_cost(Planted(learnt), CHINIT, "64bit", "9.3.5") is None


@pytest.mark.parametrize(
    ("own", "brought", "kib", "learnt_of"),
    [
        (True, True, 100, CHINIT),
        (False, True, 70, OTHER),
        (False, False, 90, None),
        (True, False, 100, CHINIT),
    ],
)
def test_a_channel_arrives_with_the_cost_that_is_learnt_there_else_its_own_else_that_of_mp16(
    own: bool, brought: bool, kib: float, learnt_of: str | None
) -> None:
    costs = [unit_cost()] if own else []
    costs += [unit_cost(subject=OTHER, value=70.0, lower=69.0, upper=71.0)] if brought else []
    cost = arriving_cost(Planted(*costs), OTHER, CHINIT, "31bit", "9.4.0")
    assert cost is not None
    assert cost.kib == kib
    assert (cost.learnt.subject if cost.learnt else None) == learnt_of


def test_a_release_without_storage_of_channels_above_the_bar_gets_none_with_them() -> None:
    brought = unit_cost(kind=ABOVE, subject=OTHER, value=70.0, lower=69.0, upper=71.0)
    assert arriving_cost(Planted(brought), OTHER, CHINIT, "64bit", "9.3.5") is None
    assert arriving_cost(None, OTHER, CHINIT, "64bit", "9.4.0") is not None
