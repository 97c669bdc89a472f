"""Counts of buffers and pages of a simulated queue manager."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.simulator.monitor.occupancy import available_buffers, fewest_buffers, used_pages
from devtools.simulator.spec import BufferPool, PageSet
from tests.devtools.simulator.builders import queue_manager, steady


@pytest.mark.parametrize(("used_pct", "fewest"), [(0, 1_000), (25.04, 750), (100, 0)])
def test_the_fewest_buffers_are_those_that_the_worst_moment_leaves(
    used_pct: float, fewest: int
) -> None:
    pools = (BufferPool(number=1, buffers=1_000, used_pct=steady(used_pct or 1e-9)),)
    made = queue_manager(1, buffer_pools=pools)
    assert fewest_buffers(made).max() == 1_000 or used_pct
    assert fewest_buffers(made).min() == fewest


def test_at_the_end_of_an_interval_some_buffers_are_available_again() -> None:
    made = queue_manager(1, buffer_pools=(BufferPool(number=1, buffers=900, used_pct=steady(100)),))
    busiest = int(np.argmin(fewest_buffers(made)))
    assert (fewest_buffers(made)[0, busiest], available_buffers(made)[0, busiest]) == (0, 300)


def test_pages_are_counted_for_each_page_set() -> None:
    sets = (
        PageSet(number=0, pages=1_000, used_pct=steady(50)),
        PageSet(number=4, pages=2_000, used_pct=steady(25)),
    )
    used = used_pages(queue_manager(1, page_sets=sets))
    assert used.shape[0] == 2
    assert used.max(axis=1).tolist() == [500, 500]
