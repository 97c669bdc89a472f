"""Buffers above the bar are those of the book, for client channels of releases that have them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from sizing.rulebook.registry import get
from spark_apps.attribution.channels import MEMBERS, buffer_bytes, buffers

CLIENT, SENDER = 7, 1


def instance(level: str | None, kind: int, conversations: int) -> pa.Table:
    values = (level, kind, conversations, 0, 0)
    types = (pa.dictionary(pa.int32(), pa.string()), *(pa.int64(),) * 4)
    return pa.table(
        [pa.array([value], kind_of) for value, kind_of in zip(values, types, strict=True)],
        names=list(MEMBERS),
    )


@pytest.mark.parametrize("conversations", [0, 1, 2, 10])
@pytest.mark.parametrize(
    "length", [0, 1_024, 3_596, 3_597, 32_768, 1_048_076, 1_048_077, 5_242_880]
)
def test_a_client_channel_takes_the_storage_of_the_book(conversations: int, length: int) -> None:
    count = buffers(instance("9.4.0", CLIENT, conversations))
    size = buffer_bytes(np.array([4]), np.array([4 * length]))
    book = get("CHI-SVRCONN-64").answer(
        {
            "message_bytes": length,
            "sharecnv": min(conversations, 1) * 10,
            "curshcnv": max(conversations, 1),
        }
    )
    assert (count * size).tolist() == pytest.approx([book["bytes_per_channel"]])


@pytest.mark.parametrize(
    ("level", "kind", "has_buffers"),
    [
        ("9.3.5", CLIENT, False),
        ("9.4.0", CLIENT, True),
        ("9.4.5", CLIENT, True),
        ("10.0.0", CLIENT, True),
        (None, CLIENT, False),
        ("", CLIENT, False),
        ("9.4.0", SENDER, False),
    ],
)
def test_only_clients_from_9_4_have_buffers_above_the_bar(
    level: str | None, kind: int, *, has_buffers: bool
) -> None:
    assert bool(buffers(instance(level, kind, 1))[0]) is has_buffers


def test_without_instances_there_is_nothing() -> None:
    assert buffers(instance("9.4.0", CLIENT, 1).slice(0, 0)).tolist() == []
