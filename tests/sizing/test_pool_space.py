"""Sizes of buffer pools that keep enough buffers free."""

from __future__ import annotations

import pytest

from sizing.pool_space import larger_pool


@pytest.mark.parametrize(
    ("used_pct", "buffers", "wanted"),
    [(85.1, 8_500, 8_510), (95, 17_000, 19_000), (100, 8_500, 10_000), (170, 8_500, 17_000)],
)
def test_the_pages_in_use_are_85_percent_of_the_larger_pool(
    used_pct: float, buffers: float, wanted: int
) -> None:
    [change] = larger_pool(used_pct, buffers)
    assert change.typed == f"BUFFERS({wanted})"


def test_a_pool_of_unknown_size_gets_a_share_in_words() -> None:
    [change] = larger_pool(170, None)
    assert change.amount is None
    assert "by 100 % or more" in change.action
