"""When two sources of one figure differ."""

from __future__ import annotations

from math import inf

import pytest

from mqcap.domain.attribution.source_pair import PAIRS, PairName


def test_every_pair_is_described() -> None:
    assert set(PAIRS) == set(PairName)


@pytest.mark.parametrize(("second", "deviation_pct"), [(80.0, -20.0), (100.0, 0.0), (125.0, 25.0)])
def test_a_deviation_is_that_of_the_second_source(second: float, deviation_pct: float) -> None:
    assert PAIRS[PairName.log_tasks].deviation_pct(100.0, second) == pytest.approx(deviation_pct)


@pytest.mark.parametrize(("second", "deviation_pct"), [(5.0, 0.0), (100.0, 0.0), (125.0, 25.0)])
def test_a_part_of_a_figure_may_be_less_than_it(second: float, deviation_pct: float) -> None:
    assert PAIRS[PairName.log_queues].deviation_pct(100.0, second) == pytest.approx(deviation_pct)


@pytest.mark.parametrize("name", [PairName.log_tasks, PairName.log_queues])
@pytest.mark.parametrize(("second", "deviation_pct"), [(0.0, 0.0), (0.001, inf), (9.0, inf)])
def test_what_only_the_second_source_has_differs_without_bound(
    name: PairName, second: float, deviation_pct: float
) -> None:
    assert PAIRS[name].deviation_pct(0.0, second) == deviation_pct
