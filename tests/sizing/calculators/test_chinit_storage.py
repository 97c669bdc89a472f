"""Storage of the channel initiator: MP16, "How many channels can a channel initiator support?"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import chinit_storage as registered
from tests.sizing.builders import refusal

chinit_storage: Any = registered  # a registered function has the return type of all

KIB = 1_024
MIB = 1_048_576


def test_csqx004i_gives_four_figures_in_its_order() -> None:
    message = (
        "CSQX004I !CSQ1 CSQXSPRM Channel initiator is using local storage: used 56MB, free 1445MB"
        ": above bar: used 2MB, free 6GB"
    )
    assert "expected CSQX004I" in refusal("CHI-X004I", message=message)
    figures = chinit_storage.read_message(message.replace("6GB", "6144MB"))
    assert list(figures.values()) == [56, 1_445, 2, 6_144]
    assert next(iter(figures)) == "local_used_mb"


@pytest.mark.parametrize(
    ("adapters", "dispatchers", "ssltasks", "kb"),
    [(0, 0, 0, 0), (1, 0, 0, 150), (0, 1, 0, 102), (0, 0, 100, 145 * KIB), (8, 5, 0, 1_710)],
)
def test_tasks_take_storage_before_any_channel_runs(
    adapters: int, dispatchers: int, ssltasks: int, kb: float
) -> None:
    # F-01: an SSL task takes 1.45 MB since 9.3.
    assert chinit_storage.task_storage(adapters, dispatchers, ssltasks)["kb"] == approx(kb)


def test_the_footprint_of_a_message_channel_grows_with_messages_and_by_30_kb_for_tls() -> None:
    sizes: tuple[Any, ...] = ("1KB", "32KB", "64KB", "4MB")
    plain = [chinit_storage.channel_footprint(size)["kb_per_channel"] for size in sizes]
    assert plain == [90, 100, 109, 1_127]
    secured = [chinit_storage.channel_footprint(size, tls=True)["kb_per_channel"] for size in sizes]
    assert [more - less for more, less in zip(secured, plain, strict=True)] == [30] * 4


def test_the_footprints_of_several_kinds_add_up() -> None:
    assert chinit_storage.channels_footprint([]) == {"kb": 0}
    assert chinit_storage.channels_footprint([(10, "1KB"), (1, "32KB")]) == {"kb": 1_000}
    assert chinit_storage.channels_footprint([(10, "1KB")], tls=True) == {"kb": 1_200}
    assert chinit_storage.tls_storage(10) == {"kb": 300}


def test_client_footprints_are_linear_between_the_printed_sizes() -> None:
    # "How many SVRCONN channels can a channel initiator support?": 32 KB 159, 64 KB 193.
    assert chinit_storage.client_footprint("pre-9.4", 0, 48)["kb_per_channel"] == 176
    assert chinit_storage.client_footprint("pre-9.4", 0, 0.5)["kb_per_channel"] == 86
    assert chinit_storage.client_footprint("9.4", 0, 500)["kb_per_channel"] == 93


def test_sharing_a_channel_costs_22_kb_a_conversation_from_10_on() -> None:
    assert chinit_storage.shared_footprint(10, 1) == {"kb_per_channel": 22}
    assert chinit_storage.shared_footprint(500, 100) == {"kb_per_channel": 2_200}


@pytest.mark.parametrize(
    ("message_bytes", "buffer"),
    [(0, 4 * KIB), (4 * KIB - 500, 4 * KIB), (4 * KIB - 499, 8 * KIB), (MIB - 500, MIB),
     (MIB - 499, 2 * MIB), (3 * MIB - 499, 4 * MIB)],
)  # fmt: skip
def test_a_buffer_doubles_up_to_1_mib_and_then_grows_by_mib(
    message_bytes: int, buffer: int
) -> None:
    assert chinit_storage.client_above_bar(message_bytes, 0)["bytes_per_channel"] == buffer


def test_conversations_take_two_buffers_or_a_tenth_more_than_one_each() -> None:
    assert chinit_storage.client_above_bar(0, 1)["bytes_per_channel"] == 8 * KIB
    assert chinit_storage.client_above_bar(0, 10, 10)["bytes_per_channel"] == approx(44 * KIB)


def test_channels_are_the_storage_by_the_footprint_up_to_9999() -> None:
    # 1 GiB of 1,024 KB each is 1,024 channels, all of the storage.
    figures = chinit_storage.most_channels(1, 1_024)
    assert figures == {"channels": 1_024, "conversations": 1_024, "exceeds_80pct": True}
    planned = chinit_storage.most_channels(1, 1_024, sharecnv=10, usable_fraction=0.8)
    assert planned == {"channels": 819, "conversations": 8_190, "exceeds_80pct": False}
    assert chinit_storage.most_channels(100, 1)["channels"] == 9_999
    assert chinit_storage.most_channels(1, 1_024, sharecnv=0)["conversations"] == 1_024
    assert chinit_storage.storage_of_channels(1_024, 1_024) == {"kb": MIB}


def test_a_larger_footprint_never_allows_more_channels() -> None:
    counts = [chinit_storage.most_channels(1.6, kb)["channels"] for kb in (86, 164, 223, 1_127)]
    assert counts == sorted(counts, reverse=True)


def test_a_combination_that_was_not_measured_names_those_that_were() -> None:
    text = refusal("CHI-CLIENTS-MEASURED", sharecnv=0, message="256KB", mq_level="9.3")
    assert text.startswith("the document has no such row in clients_measured; found 0 256KB 9.3")
    assert "0 256KB 9.4" in text
    measured = chinit_storage.clients_measured(1, "32KB", "9.4")
    assert measured == {"channels": 5_600}


def test_caches_and_free_buffers_have_their_minimum() -> None:
    assert chinit_storage.free_buffers(4) == {"mb": 20}
    assert chinit_storage.free_buffers(4, 0) == {"mb": 0}
    assert chinit_storage.cluster_cache(clustered=True, configuration_mb=1) == {"mb": 2}
    assert chinit_storage.cluster_cache(clustered=True, configuration_mb=3) == {"mb": 3}
    assert chinit_storage.cluster_cache(clustered=False, configuration_mb=3) == {"mb": 0}


def test_a_trace_costs_far_more_on_a_loaded_system() -> None:
    idle = chinit_storage.trace_cost("chinit", loaded=False)
    assert idle == {"increase_from_pct": 3, "increase_to_pct": 3}
    assert chinit_storage.trace_cost("chinit")["increase_to_pct"] == 55
