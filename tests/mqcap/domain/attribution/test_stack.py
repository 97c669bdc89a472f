"""Parts of days, one above the other, and pairs of sources."""

from datetime import date, timedelta
from math import inf

import pytest

from mqcap.domain.attribution import PAIRS, PairName, PartDay, PartKind, stack

DAY = date(2026, 10, 1)
NEXT = DAY + timedelta(days=1)
HOURS_24 = 86_400.0


def whole(day: date, value: float, seconds: float = HOURS_24) -> PartDay:
    return PartDay(day, "", "whole", "", value, seconds)


def part(day: date, name: str, value: float, kind: str = "queue") -> PartDay:
    return PartDay(day, "queue", kind, name, value, HOURS_24)


def test_the_largest_parts_come_first_and_a_part_of_one_day_is_zero_on_the_other() -> None:
    rows = [
        whole(DAY, 3),
        whole(NEXT, 6),
        part(DAY, "A", 3),
        part(NEXT, "A", 2),
        part(NEXT, "B", 4),
    ]
    drawn = stack(rows, PartKind.queue, 8)
    assert (drawn.days, drawn.whole) == ((DAY, NEXT), (3, 6))
    assert [(layer.part, layer.values) for layer in drawn.layers] == [("A", (3, 2)), ("B", (0, 4))]


@pytest.mark.parametrize(("most", "names"), [(3, ["A", "B", "C", "others"]), (1, ["A", "others"])])
def test_further_parts_are_added_to_the_others(most: int, names: list[str]) -> None:
    rows = [whole(DAY, 10), part(DAY, "others", 1, "other")]
    rows += [part(DAY, name, value) for name, value in (("A", 4.0), ("B", 3.0), ("C", 2.0))]
    drawn = stack(rows, PartKind.queue, most)
    assert [layer.part for layer in drawn.layers] == names
    assert sum(layer.values[0] for layer in drawn.layers) == 10


@pytest.mark.parametrize(("explained", "rest"), [(98.9, 1.1), (99.0, None), (101.0, None)])
def test_what_is_left_is_a_layer_where_it_is_more_than_one_per_cent(
    explained: float, rest: float | None
) -> None:
    drawn = stack([whole(DAY, 100), part(DAY, "A", explained)], PartKind.queue, 8)
    last = drawn.layers[-1]
    assert (last.kind is PartKind.unexplained) is (rest is not None)
    assert rest is None or last.values == pytest.approx((rest,))


def test_pieces_of_a_day_are_weighted_and_other_kinds_left_out() -> None:
    rows = [
        whole(DAY, 4, 3_600),
        whole(DAY, 2, 10_800),
        PartDay(DAY, "queue", "queue", "A", 4, 3_600),
        PartDay(DAY, "queue", "queue", "A", 2, 10_800),
        PartDay(DAY, "user", "user", "U", 9, 10_800),
        part(NEXT, "A", 9),
    ]
    drawn = stack(rows, PartKind.queue, 8)
    assert (drawn.days, drawn.whole) == ((DAY,), (2.5,))
    assert [(layer.part, layer.values) for layer in drawn.layers] == [("A", (2.5,))]


@pytest.mark.parametrize(("second", "deviation_pct"), [(5.0, 0.0), (100.0, 0.0), (125.0, 25.0)])
def test_a_part_of_a_figure_may_be_less_than_it(second: float, deviation_pct: float) -> None:
    assert PAIRS[PairName.log_queues].deviation_pct(100.0, second) == pytest.approx(deviation_pct)


@pytest.mark.parametrize("name", [PairName.log_tasks, PairName.log_queues])
@pytest.mark.parametrize(("second", "deviation_pct"), [(0.0, 0.0), (0.001, inf), (9.0, inf)])
def test_what_only_the_second_source_has_differs_without_bound(
    name: PairName, second: float, deviation_pct: float
) -> None:
    assert PAIRS[name].deviation_pct(0.0, second) == deviation_pct
