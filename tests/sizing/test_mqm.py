"""MQM of z/TPF in MB and in blocks."""

from __future__ import annotations

import pytest

from sizing.mqm import blocks_of, megabytes_of


@pytest.mark.parametrize(
    ("blocks", "megabytes"), [(244_140, 1_000), (244_141, 1_001), (127_997, 525)]
)
def test_megabytes_hold_the_blocks(blocks: int, megabytes: int) -> None:
    assert megabytes_of(blocks) == megabytes
    assert blocks_of(megabytes) >= blocks


def test_whole_blocks_of_some_megabytes_are_those_megabytes_again() -> None:
    assert blocks_of(1_000) == 244_140
    assert all(megabytes_of(blocks_of(size)) == size for size in (1, 910, 1_100, 5_250))
