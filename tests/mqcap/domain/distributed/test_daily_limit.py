"""Limit of each day."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.distributed.daily_limit import daily_limits

DAYS = [date(2026, 7, number) for number in range(1, 5)]


def limits(*days: tuple[float, float]) -> list[float | None]:
    found = daily_limits(dict(zip(reversed(DAYS[: len(days)]), reversed(days), strict=True)))
    assert list(found) == DAYS[: len(days)]
    return list(found.values())


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ([(5, 5), (5, 5), (9, 9)], [5, 5, 9]),
        ([(5, 5), (7, 9), (9, 9)], [5, 5, 9]),
        ([(9, 9), (7, 9), (5, 5)], [9, 5, 5]),
        ([(9, 9), (7, 9)], [9, 9]),
        ([(7, 9), (9, 9)], [None, 9]),
        ([(7, 9), (5, 5)], [None, 5]),
        ([(7, 9)], [9]),
        ([(5, 5), (9 - 1e-6, 9)], [5, 9]),
        ([(5, 5), (9 - 1e-4, 9)], [5, 5]),
        ([], []),
    ],
)
def test_a_day_within_which_the_limit_changed_has_the_lowest_beside_it(
    days: list[tuple[float, float]], found: list[float | None]
) -> None:
    assert limits(*days) == found
