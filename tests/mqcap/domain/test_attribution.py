"""Shares of the parts in the growth of a metric, and parts of days one above the other."""

from datetime import date, timedelta
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.attribution import (
    Attribution,
    PartDay,
    PartKind,
    SourcePair,
    Window,
    attribution,
    stack,
)

FIRST = date(2026, 10, 1)
LAST = FIRST + timedelta(days=29)
DAY = timedelta(days=1)
HOURS_24 = 86_400.0
Named = dict[str, tuple[float, float]]


def rows(
    parts: Named, whole: tuple[float, float], breakdown: PartKind = PartKind.queue, days: int = 30
) -> list[PartDay]:
    """Days of parts that have one value in the first half of the span and one in the second."""
    found = []
    for number in range(days):
        place = int(number >= days / 2)
        day = FIRST + number * DAY
        found.append(PartDay(day, "", "whole", "", whole[place], HOURS_24))
        for name, values in parts.items():
            kind = "other" if name == "others" else breakdown
            found.append(PartDay(day, breakdown, kind, name, values[place], HOURS_24))
    return found


def divided(days: list[PartDay], **options: Any) -> Attribution:
    """Return the growth between the first and the last week, divided among its parts."""
    answer = attribution(days, FIRST, LAST, 7, **options)
    assert answer is not None
    return answer


def test_shares_are_those_of_the_difference_and_the_rest_comes_last() -> None:
    answer = divided(rows({"PAY.IN": (1, 2.8), "ORDER": (2, 2), "others": (1, 1.1)}, (4, 6)))
    assert (answer.then, answer.now, answer.breakdown) == (4, 6, PartKind.queue)
    assert answer.then_days == Window(FIRST, FIRST + 6 * DAY)
    assert answer.now_days == Window(LAST - 6 * DAY, LAST)
    shares = {
        part.part: None if part.share_of_growth_pct is None else round(part.share_of_growth_pct, 9)
        for part in answer.parts
    }
    assert shares == {"PAY.IN": 90, "ORDER": 0, "others": 5, "unexplained": 5}
    assert [part.part for part in answer.parts] == ["PAY.IN", "ORDER", "others", "unexplained"]


@pytest.mark.parametrize(
    ("part", "listed"), [((99.0, 198.0), False), ((98.9, 198.9), True), ((101.1, 201.1), True)]
)
def test_a_remainder_of_one_per_cent_is_not_listed(part: tuple[float, float], listed: bool) -> None:
    answer = divided(rows({"A": part}, (100, 200)))
    assert (answer.parts[-1].kind is PartKind.unexplained) is listed


def test_a_part_that_appears_was_nothing_before() -> None:
    days = rows({"OLD": (1, 1)}, (1, 3))
    new = [
        PartDay(row.site_date, "queue", "queue", "NEW", 2.0, HOURS_24)
        for row in days
        if row.kind == "whole" and row.value == 3
    ]
    answer = divided([*days, *new])
    assert [(part.part, part.then, part.now) for part in answer.parts] == [
        ("NEW", 0, 2),
        ("OLD", 1, 1),
    ]


def test_a_source_switched_on_between_is_no_breakdown() -> None:
    days = rows({"A": (1, 2)}, (1, 2))
    later = [
        row
        for row in rows({"JOB": (1, 2)}, (1, 2), PartKind.application)
        if row.kind != "whole" and row.site_date > FIRST + 20 * DAY
    ]
    answer = divided([*days, *later])
    assert answer.breakdowns == (PartKind.queue,)
    assert attribution([*days, *later], FIRST, LAST, 7, PartKind.application) is None


@pytest.mark.parametrize(("explained", "chosen"), [(0.75, "queue"), (0.74, "application")])
def test_a_breakdown_that_leaves_more_than_a_quarter_is_not_preferred(
    explained: float, chosen: str
) -> None:
    by_queue = rows({"A": (4 * explained, 8 * explained)}, (4, 8))
    by_task = [
        row for row in rows({"J": (4, 8)}, (4, 8), PartKind.application) if row.kind != "whole"
    ]
    answer = divided([*by_queue, *by_task])
    assert answer.breakdown == chosen


@pytest.mark.parametrize(("days", "length"), [(13, 6), (14, 7), (15, 7)])
def test_ends_of_a_short_span_do_not_overlap(days: int, length: int) -> None:
    answer = divided(rows({"A": (1, 2)}, (1, 2), days=days))
    assert (answer.then_days.last - answer.then_days.first).days == length - 1


@pytest.mark.parametrize(
    ("days", "weekdays"),
    [(0, None), (1, None), (2, None), (7, None), (8, 1), (9, 2), (10, 3), (13, 6), (14, 7)],
)
def test_only_days_of_the_week_that_both_ends_have_are_compared(
    days: int, weekdays: int | None
) -> None:
    answer = attribution(rows({"A": (1, 2)}, (1, 2), days=days), FIRST, LAST, 7)
    assert (None if answer is None else len(answer.weekdays)) == weekdays


def test_a_weekend_does_not_change_the_growth_of_a_short_span() -> None:
    """Of nine days from a Thursday on, with nothing at the weekend, the Fridays are compared."""
    days = [FIRST + number * DAY for number in range(9)]
    made = [
        PartDay(day, *of, 0.0 if day.weekday() > 4 else 5.0, HOURS_24)
        for day in days
        for of in (("", "whole", ""), ("queue", "queue", "A"))
    ]
    answer = divided(made)
    assert (answer.then, answer.now, answer.growth) == (5.0, 5.0, 0.0)


@pytest.mark.parametrize(
    ("now", "shared"), [(104.9, False), (105, True), (105.1, True), (95.1, False), (95, True)]
)
def test_parts_have_a_share_in_a_growth_that_is_not_too_small(now: float, shared: bool) -> None:
    days = rows({"A": (60, now - 40), "B": (40, 40)}, (100, now))
    answer = divided(days, least_growth_ratio=0.05)
    assert answer.has_shares is shared
    assert answer.parts[0].growth == pytest.approx(now - 100)
    assert answer.parts[0].share_of_growth_pct == (pytest.approx(100) if shared else None)


@pytest.mark.parametrize(("explained", "ratio"), [(8.0, 0.0), (4.0, 0.5), (0.0, 1.0), (12.0, 0.5)])
def test_the_unexplained_share_is_that_of_the_figure_now(explained: float, ratio: float) -> None:
    answer = divided(rows({"A": (1, explained)}, (4, 8)))
    assert answer.unexplained_ratio == pytest.approx(ratio)


def test_a_figure_that_was_nothing_has_no_growth_in_per_cent_and_all_shares() -> None:
    answer = divided(rows({"A": (0, 2)}, (0, 2)), least_growth_ratio=0.05)
    assert (answer.then, answer.parts[0].share_of_growth_pct) == (0, 100)


def test_pieces_of_a_day_are_weighted_by_their_measured_time() -> None:
    pieces = [
        PartDay(day, breakdown, kind, part, value, seconds)
        for day, factor in ((FIRST, 1), (FIRST + 7 * DAY, 2))
        for value, seconds in ((3.0 * factor, 3_600.0), (1.0 * factor, 10_800.0))
        for breakdown, kind, part in (("", "whole", ""), ("queue", "queue", "A"))
    ]
    answer = divided(pieces)
    assert (answer.then, answer.now, answer.parts[0].now) == (1.5, 3.0, 3.0)


def test_a_figure_that_did_not_change_has_no_shares() -> None:
    answer = divided(rows({"A": (1, 2), "B": (2, 1)}, (3, 3)))
    assert {part.share_of_growth_pct for part in answer.parts} == {None}


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)), min_size=1, max_size=8))
def test_parts_and_remainder_add_up_to_the_metric(values: list[tuple[float, float]]) -> None:
    parts = {f"Q{number}": pair for number, pair in enumerate(values)}
    answer = divided(rows(parts, (10.0, 20.0)))
    for whole, total in (
        (answer.then, sum(part.then for part in answer.parts)),
        (answer.now, sum(part.now for part in answer.parts)),
    ):
        assert total == pytest.approx(whole, rel=0.0101, abs=1e-6)


TODAY = date(2026, 10, 1)
NEXT = TODAY + timedelta(days=1)


def whole(day: date, value: float) -> PartDay:
    return PartDay(day, "", "whole", "", value, HOURS_24)


def part(day: date, name: str, value: float, kind: str = "queue") -> PartDay:
    return PartDay(day, "queue", kind, name, value, HOURS_24)


def test_the_largest_parts_come_first_and_a_part_of_one_day_is_zero_on_the_other() -> None:
    rows = [whole(TODAY, 3), part(TODAY, "A", 3)]
    rows += [whole(NEXT, 6), part(NEXT, "A", 2), part(NEXT, "B", 4)]
    not_drawn = [PartDay(TODAY, "user", "user", "U", 9, 10_800), part(NEXT + DAY, "A", 9)]
    drawn = stack([*rows, *not_drawn], PartKind.queue, 8)
    assert (drawn.days, drawn.whole) == ((TODAY, NEXT), (3, 6))
    assert [(layer.part, layer.values) for layer in drawn.layers] == [("A", (3, 2)), ("B", (0, 4))]


@pytest.mark.parametrize(("most", "names"), [(3, ["A", "B", "C", "others"]), (1, ["A", "others"])])
def test_further_parts_are_added_to_the_others(most: int, names: list[str]) -> None:
    rows = [whole(TODAY, 10), part(TODAY, "others", 1, "other")]
    rows += [part(TODAY, name, value) for name, value in (("A", 4.0), ("B", 3.0), ("C", 2.0))]
    drawn = stack(rows, PartKind.queue, most)
    assert [layer.part for layer in drawn.layers] == names
    assert sum(layer.values[0] for layer in drawn.layers) == 10


@pytest.mark.parametrize(("explained", "rest"), [(98.9, 1.1), (99.0, None), (101.0, None)])
def test_what_is_left_is_a_layer_where_it_is_more_than_one_per_cent(
    explained: float, rest: float | None
) -> None:
    drawn = stack([whole(TODAY, 100), part(TODAY, "A", explained)], PartKind.queue, 8)
    last = drawn.layers[-1]
    assert (last.kind is PartKind.unexplained) is (rest is not None)
    assert rest is None or last.values == pytest.approx((rest,))


@pytest.mark.parametrize(("second", "deviation_pct"), [(5.0, 0.0), (100.0, 0.0), (125.0, 25.0)])
def test_a_part_of_a_figure_may_be_less_than_it(second: float, deviation_pct: float) -> None:
    assert SourcePair.log_queues.deviation_pct(100.0, second) == pytest.approx(deviation_pct)


@pytest.mark.parametrize("name", [SourcePair.log_tasks, SourcePair.log_queues])
@pytest.mark.parametrize(("second", "deviation_pct"), [(0.0, 0.0), (0.001, inf), (9.0, inf)])
def test_what_only_the_second_source_has_differs_without_bound(
    name: SourcePair, second: float, deviation_pct: float
) -> None:
    assert name.deviation_pct(0.0, second) == deviation_pct
