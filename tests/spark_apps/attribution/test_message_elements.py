"""Elements of a message follow from its mean length."""

from __future__ import annotations

import polars as pl
import pytest

from sizing.rulebook.registry import get
from spark_apps.attribution.queues import elements_per_message


def elements(puts: int, put_bytes: int) -> int:
    rows = pl.DataFrame({"puts": [puts], "put_bytes": [put_bytes]})
    found = rows.select(elements_per_message(pl.col("puts"), pl.col("put_bytes")))
    return int(found.item())


@pytest.mark.parametrize("length", [0, 10, 140, 141, 300, 5_000, 16_384, 64_512])
def test_a_message_in_the_structure_takes_the_elements_of_the_book(length: int) -> None:
    book = get("CFS-ELEMENTS").answer({"message_bytes": length})
    assert elements(3, 3 * length) == book["elements"]


@pytest.mark.parametrize(
    ("puts", "put_bytes", "expected"),
    [(0, 0, 2), (1, 64_511, 254), (1, 64_512, 254), (1, 64_513, 2), (2, 129_025, 2)],
)
def test_of_offloaded_messages_and_unknown_lengths_the_header_stays(
    puts: int, put_bytes: int, expected: int
) -> None:
    assert elements(puts, put_bytes) == expected
