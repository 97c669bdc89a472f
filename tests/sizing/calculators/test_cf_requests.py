"""Avoidable CF requests: MP16, "Why do I see many re-drives in the statistics report?"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import cf_requests as registered

cf_requests: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("sizes_kb", "count"),
    [
        ([], 0),
        ([4], 0),
        ([5], 1),
        ([5, 8, 5], 1),
        ([5, 9, 20], 3),
        ([100, 100], 1),
    ],
)
def test_a_message_larger_than_the_buffer_costs_a_redrive_and_enlarges_it(
    sizes_kb: list[float], count: int
) -> None:
    assert cf_requests.redrives(sizes_kb)["redrives"] == count


def test_buffers_double_to_4_kb_then_grow_by_4_kb_to_63_kb() -> None:
    buffers = cf_requests.BUFFER_BYTES
    assert list(buffers) == sorted(set(buffers))
    assert (buffers[0], buffers[4], buffers[5], buffers[-2], buffers[-1]) == (
        256, 4_096, 8_192, 61_440, 64_512,
    )  # fmt: skip
