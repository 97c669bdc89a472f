"""Buffers above the bar are those of the book, for client channels of releases that have them."""

from __future__ import annotations

import polars as pl
import pytest

from sizing.rulebook.registry import get
from spark_apps.attribution.channels import buffer_bytes, buffers

CLIENT, SENDER = 7, 1


def instance(level: str | None, kind: int, conversations: int) -> pl.DataFrame:
    values = {"mq_level": level, "qcstchty": kind, "qcstcscv": conversations}
    return pl.DataFrame(
        {name: [value] for name, value in values.items()}, schema_overrides={"mq_level": pl.String}
    )


@pytest.mark.parametrize("conversations", [0, 1, 2, 10])
@pytest.mark.parametrize(
    "length", [0, 1_024, 3_596, 3_597, 32_768, 1_048_076, 1_048_077, 5_242_880]
)
def test_a_client_channel_takes_the_storage_of_the_book(conversations: int, length: int) -> None:
    client = instance("9.4.0", CLIENT, conversations).with_columns(
        messages=pl.lit(4), message_bytes=pl.lit(4 * length)
    )
    [(found,)] = client.select(buffers() * buffer_bytes()).rows()
    book = get("CHI-SVRCONN-64").answer(
        {
            "message_bytes": length,
            "sharecnv": min(conversations, 1) * 10,
            "curshcnv": max(conversations, 1),
        }
    )
    assert found == pytest.approx(book["bytes_per_channel"])


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
    [(found,)] = instance(level, kind, 1).select(buffers()).rows()
    assert (found is not None) is has_buffers
