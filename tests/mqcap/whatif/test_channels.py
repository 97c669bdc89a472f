"""Effects of channels and SHARECNV on the channel initiator."""

from __future__ import annotations

import pytest

from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CHINIT,
    SHARING,
    known_in,
    peak,
    world,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("whatif"))


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


def test_the_same_sharing_changes_nothing(known: DayFacts) -> None:
    change = SHARING | {"sharecnv_from": 10, "sharecnv": 10}
    assert (
        Baseline(known).compare(Scenario.model_validate({"configuration": [change]})).differences
        == ()
    )
