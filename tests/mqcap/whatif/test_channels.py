"""Channels that a scenario has or moves."""

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.overlay import Overlay, overlay
from mqcap.whatif.scenario import Scenario
from tests.factories import unit_cost
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import CHINIT, SHARING, learning, peak, world

CURRENT = "channels_current_count"
USED, SHARE = "chinit_31bit_used_mib", "chinit_31bit_used_pct"
ABOVE = "chinit_64bit_used_mib"
LEARNT = unit_cost(value=819.2, lower=800.0, upper=830.0, base=300.0)
"""500 channels of 819.2 KiB are the 400 MiB above the base."""


def test_message_channels_take_storage_by_message_size_and_tls(known: DayFacts) -> None:
    workload = {"subject": QUEUE_MANAGER, "channels": 100, "message_bytes": 20_000, "tls": True}
    seen = world(known, workload=[workload])
    mib = 100 * (100 + 30) / 1_024
    assert peak(seen, "channels_current_count", CHINIT) == 600
    assert peak(seen, "chinit_31bit_used_mib", CHINIT) == pytest.approx(700 + mib)
    assert peak(seen, "chinit_31bit_used_pct", CHINIT) == pytest.approx(50 + mib / 14)
    assert peak(seen, "chinit_64bit_used_mib", CHINIT) == 500


def test_client_channels_from_9_4_take_storage_above_the_bar(known: DayFacts) -> None:
    clients = {"subject": CHINIT, "channels": 100, "channel_kind": "client", "tls": True}
    now = world(known, workload=[clients | {"message_bytes": 40_000}])
    before = world(known, workload=[clients | {"message_bytes": 40_000, "mq_level": "pre-9.4"}])
    assert peak(now, "chinit_64bit_used_mib", CHINIT) == pytest.approx(500 + 100 * 128 / 1_024)
    assert peak(before, "chinit_64bit_used_mib", CHINIT) == 500
    below = "chinit_31bit_used_mib"
    assert peak(before, below, CHINIT) > peak(now, below, CHINIT) > 700


def test_conversations_of_the_channels_there_are_need_fewer_when_shared(known: DayFacts) -> None:
    """1,000 conversations are stated, and at SHARECNV(1) there are no more than 500 channels."""
    change = SHARING | {"sharecnv_from": 1, "sharecnv": 10}
    seen = world(known, configuration=[change])
    mib = (50 * 223 - 500 * 168) / 1_024
    assert peak(seen, "channels_current_count", CHINIT) == 50
    assert peak(seen, "chinit_31bit_used_mib", CHINIT) == pytest.approx(700 + mib)


def moving(known: DayFacts, *moved: Any, **more: Any) -> Overlay:
    changes = [{"subject": CHINIT, "channels_moved": each} for each in moved]
    return world(known, configuration=changes, **more)


@pytest.mark.parametrize(("moved", "left"), [(499, 1), (500, 0)])
def test_all_of_the_channels_can_move(known: DayFacts, moved: int, left: int) -> None:
    assert peak(moving(known, moved), CURRENT, CHINIT) == pytest.approx(left)


@pytest.mark.parametrize("parts", [[501], [250, 251], [[400, 501]]])
def test_more_channels_than_there_are_cannot_move(known: DayFacts, parts: list[Any]) -> None:
    changes = [{"subject": CHINIT, "channels_moved": amount} for amount in parts]
    scenario = Scenario.model_validate({"configuration": changes})
    with pytest.raises(ConfigurationError, match=r"found 501 channels.*at most 500, the highest"):
        for corner in scenario.corners():
            overlay(known, corner)


@pytest.mark.parametrize("parts", [[100], [40, 60], [50, 50, 0]])
def test_the_share_that_moves_takes_its_growth_along(known: DayFacts, parts: list[int]) -> None:
    """Of 500 channels 100 move: of 1,000 later on 800 stay, with 300 + 0.8 x 800 MiB."""
    facts = learning(known, LEARNT)
    growth = [{"subjects": [CHINIT], "pct": 100}]
    seen = moving(facts, *parts, growth=growth)
    assert peak(seen, CURRENT, CHINIT) == pytest.approx(800)
    assert peak(seen, USED, CHINIT) == pytest.approx(300 + 0.8 * 800)
    assert peak(seen, SHARE, CHINIT) == pytest.approx((300 + 0.8 * 800) / 14)
    line = "100 of the 500 channels of today = 20 %, the same share of every later day"
    [lines] = {effect.lines for effect in seen.effects if effect.metric == CURRENT} - {
        effect.lines for effect in world(facts, growth=growth).effects
    }
    assert (line in lines[0]) is (parts == [100])
    assert lines[-1] == "80 % stay"


def test_channels_that_the_scenario_adds_stay(known: DayFacts) -> None:
    workload = [{"subject": CHINIT, "channels": 100}]
    assert peak(moving(known, 250, workload=workload), CURRENT, CHINIT) == 350
    with pytest.raises(ConfigurationError, match="at most 500"):
        moving(known, 501, workload=workload)


@pytest.mark.parametrize(
    ("learnt", "more", "left"),
    [
        ([LEARNT], {}, 300 + 0.5 * 400),
        ([], {}, 700 - 250 * 90 / 1_024),
        ([LEARNT], {"message_bytes": 20_000}, 700 - 250 * 100 / 1_024),
    ],
)
def test_they_leave_with_the_learnt_storage_else_that_of_mp16_for_their_messages(
    known: DayFacts, learnt: list[Any], more: dict[str, Any], left: float
) -> None:
    change = {"subject": CHINIT, "channels_moved": 250, **more}
    seen = world(learning(known, *learnt), configuration=[change])
    assert peak(seen, USED, CHINIT) == pytest.approx(left)
    above = 500.0 if more else 500 - 250 * 8 / 1_024
    assert peak(seen, ABOVE, CHINIT) == pytest.approx(above)


def test_storage_of_which_no_source_has_a_figure_stays(known: DayFacts) -> None:
    kind = UnitCostKind.chinit_64bit_kib_per_channel
    none = unit_cost(kind=kind, not_measurable="MP16 has none", book=None)
    observed = learning(known, none).observed
    observed.versions = {"PLEX1/CSQ1": "9.3.5"}
    seen = moving(known._replace(observed=observed), 250)
    assert peak(seen, ABOVE, CHINIT) == 500
