"""Storage of the queue manager: MP16, "Initial CSA (and ECSA) usage" and what follows it."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import virtual_storage as registered
from tests.sizing.builders import refusal

virtual_storage: Any = registered  # a registered function has the return type of all


def test_a_queue_manager_takes_6_mb_of_common_storage() -> None:
    assert [virtual_storage.common_storage(n)["mb"] for n in (0, 1, 5)] == [0, 6, 30]


@pytest.mark.parametrize(
    ("connection", "kb"),
    [("local", 2.47), ("MCA", 2.47), ("SHARECNV(0)", 2.47), ("SHARECNV(1)", 4.9),
     ("SHARECNV(5)", 3), ("SHARECNV(10)", 2.7)],
)  # fmt: skip
def test_a_client_alone_on_its_channel_takes_most_common_storage(
    connection: str, kb: float
) -> None:
    # "CSA usage per connection".
    figures = virtual_storage.connection_storage(connection, 100)
    assert figures["csa_kb_per_connection"] == kb
    assert figures["csa_kb"] == approx(100 * kb)


def test_a_kind_of_connection_that_mp16_does_not_list_is_refused() -> None:
    assert "'SHARECNV(5)' or 'SHARECNV(10)'" in refusal("VS-CSA-CONN", connection="SHARECNV(2)")


def test_each_queue_held_open_takes_4_kb() -> None:
    assert virtual_storage.handles_of_applications(10, 5) == {"handles": 50, "kb": 200}
    assert virtual_storage.handles_of_applications(10, 0) == {"handles": 0, "kb": 0}
    assert virtual_storage.handles_of_channels(10) == {"handles": 300, "kb": 1_200}


def test_queues_indexes_and_their_messages_have_fixed_sizes() -> None:
    assert virtual_storage.queue_objects(10) == {"bytes": 26_600}
    assert virtual_storage.indexed_queues(10) == {"kb": 470}
    assert virtual_storage.index_entries(1_000_000) == {"bytes": 136_000_000}
    assert virtual_storage.index_entries(0) == {"bytes": 0}


def test_a_user_takes_405_bytes_for_each_queue_after_the_first() -> None:
    assert virtual_storage.security_cache(1, 1)["kb_per_user"] == 8.8
    assert virtual_storage.security_cache(1, 1_025)["kb_per_user"] == approx(8.8 + 405)
    assert "queues_per_user: Input should be greater than 0" in refusal(
        "VS-SECURITY", users=1, queues_per_user=0
    )


@pytest.mark.parametrize(("users", "mb"), [(0, 0), (1, 1), (116, 1), (117, 2), (1_000, 9)])
def test_the_security_cache_is_allocated_in_full_megabytes(users: int, mb: int) -> None:
    assert virtual_storage.security_cache(users, 1)["mb_allocated"] == mb


@pytest.mark.parametrize(
    ("timeout", "interval", "discard", "overstay"),
    [(10, 5, 10, 0), (11, 5, 15, 4), (1, 60, 60, 59), (54, 12, 60, 6)],
)
def test_a_user_goes_with_the_first_interval_that_ends_after_the_timeout(
    timeout: float, interval: float, discard: float, overstay: float
) -> None:
    figures = virtual_storage.security_timeout(timeout, interval)
    assert figures == {"discard_min": discard, "overstay_min": overstay}


def test_a_sharing_group_takes_27_mb_and_some_for_each_structure() -> None:
    assert virtual_storage.sharing_group(0) == {
        "private_kb": 27 * 1_024, "esqa_kb": 0, "ecsa_kb": 0,
    }  # fmt: skip
    assert virtual_storage.sharing_group(10) == {
        "private_kb": 27 * 1_024 + 8_000, "esqa_kb": 20, "ecsa_kb": 40,
    }  # fmt: skip


@pytest.mark.parametrize(("configuration", "mb"), [(0, 2), (1, 2), (1.1, 3), (2, 3), (3.2, 5)])
def test_the_cluster_cache_is_the_next_full_megabyte_and_one_more(
    configuration: float, mb: int
) -> None:
    assert virtual_storage.cluster_cache(configuration) == {"mb": mb}


def test_backups_and_accounting_take_storage_for_each_of_them() -> None:
    assert virtual_storage.backup_storage(2) == {"mb": 130}
    assert virtual_storage.accounting_storage(0) == {"kb_from": 0, "kb_to": 0}
    assert virtual_storage.accounting_storage(10) == {"kb_from": 40, "kb_to": 80}
