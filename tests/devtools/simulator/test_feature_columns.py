"""Columns for features: none where they are not used, the stated ratios where they are."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.simulator.mq_statistics import (
    data_set_columns,
    dynamic_queue_columns,
    steal_columns,
    with_list_calls,
    zhyperlink_columns,
)
from devtools.simulator.spec import ManagerFeatures, SharedMessageDataSet
from tests.devtools.simulator.builders import queue_manager

PLAIN = queue_manager(1)
USED = queue_manager(
    1,
    features=ManagerFeatures(
        zhyperlink_write_us=20,
        zhyperlink_fallback_ratio=0.1,
        steals_per_get_page=0.02,
        dynamic_queues_per_h=30,
        deletes_per_create=2,
        list_calls_per_call=0.5,
        redrive_ratio=0.1,
        shared_message_data_set=SharedMessageDataSet(
            structure="APPL1", blocks=1_000, used_ratio=0.4, buffers=100, buffers_used_ratio=0.25
        ),
    ),
)
COUNTS = np.array([1_000, 0], dtype=np.int64)


def test_synchronous_writes_are_those_that_did_not_fall_back() -> None:
    found = zhyperlink_columns(USED, COUNTS, COUNTS // 10)
    assert found["qjsthlsciw"].tolist() == [1_000, 0]
    assert found["qjsthlscis"].tolist() == [900, 0]
    assert found["qjsthlscif"].tolist() == [100, 0]
    assert found["qjsthlmciwttot"].tolist() == [1_800, 0]
    assert zhyperlink_columns(PLAIN, COUNTS, COUNTS) == {}


@pytest.mark.parametrize(("made", "stolen"), [(PLAIN, 0), (USED, 20)], ids=["plain", "used"])
def test_buffers_are_stolen_without_contention(made: object, stolen: int) -> None:
    found = steal_columns(made, COUNTS)  # type: ignore[arg-type]
    assert list(found) == ["qpststl"]
    assert found["qpststl"].tolist() == [stolen, 0]


def test_objects_are_created_and_deleted_by_the_length_of_the_interval() -> None:
    found = dynamic_queue_columns(USED, np.array([3_600.0, 1_800.0]))
    assert {name: values.tolist() for name, values in found.items()} == {
        "qistdcre": [30, 15],
        "qistddel": [60, 30],
    }
    assert dynamic_queue_columns(PLAIN, np.array([3_600.0]))["qistdcre"].tolist() == [0]


def test_each_slot_has_list_calls_and_redrives_of_its_own_calls() -> None:
    slots = {"qeststuc_0_qeststr": "APPL1", "qeststuc_0_qestcsec": COUNTS}
    found = with_list_calls(USED, slots)
    assert found.items() >= slots.items()
    assert found["qeststuc_0_qestcmec"].tolist() == [500, 0]
    assert found["qeststuc_0_qestrsec"].tolist() == [100, 0]
    assert found["qeststuc_0_qestrmec"].tolist() == [50, 0]


def test_a_data_set_has_its_blocks_and_free_buffers() -> None:
    found = data_set_columns(USED, COUNTS)
    assert found is not None
    assert (found["qesdstr"], found["qesdsmbd"], found["qesdsmmu"]) == ("APPL1", 1_000, 400)
    assert (found["qesdbfto"], found["qesdbfmf"]) == (100, 75)
    assert data_set_columns(PLAIN, COUNTS) is None
