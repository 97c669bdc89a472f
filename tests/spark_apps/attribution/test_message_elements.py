"""Elements of a message follow from its mean length."""

from __future__ import annotations

import numpy as np
import pytest

from sizing.rulebook.registry import get
from spark_apps.attribution.queues import LEAST_ELEMENTS, elements_per_message


@pytest.mark.parametrize("length", [0, 10, 140, 141, 300, 5_000, 16_384, 64_512])
def test_a_message_in_the_structure_takes_the_elements_of_the_book(length: int) -> None:
    found = elements_per_message(np.array([3]), np.array([3 * length]))
    assert found.tolist() == [get("CFS-ELEMENTS").answer({"message_bytes": length})["elements"]]


@pytest.mark.parametrize(
    ("puts", "put_bytes", "elements"),
    [(0, 0, 2), (1, 64_511, 254), (1, 64_512, 254), (1, 64_513, 2), (2, 129_025, 2)],
)
def test_of_offloaded_messages_and_unknown_lengths_the_header_stays(
    puts: int, put_bytes: int, elements: int
) -> None:
    assert elements_per_message(np.array([puts]), np.array([put_bytes])).tolist() == [elements]
    assert LEAST_ELEMENTS == 2


def test_without_queues_there_is_nothing() -> None:
    none = np.array([], np.int64)
    assert elements_per_message(none, none).tolist() == []
