"""Names, figures and limits of distributed queue managers."""

from datetime import date

import pytest

from mqcap.domain.distributed.daily_limit import daily_limits
from mqcap.domain.distributed.mq_name import escaped, is_mq_name, is_temporary_queue, unescaped
from mqcap.domain.distributed.site_figure import PREFIX, UNITS


@pytest.mark.parametrize(
    ("name", "part"),
    [("APP.IN", "APP.IN"), ("a/b", "a%2Fb"), ("50%/2", "50%25%2F2"), ("%2F", "%252F")],
)
def test_a_name_is_one_part_of_a_subject_and_comes_back(name: str, part: str) -> None:
    assert escaped(name) == part
    assert unescaped(part) == name


@pytest.mark.parametrize(
    ("name", "is_name"),
    [("a" * 47, True), ("a" * 48, True), ("a" * 49, False), ("", False), ("A B", False)],
)
def test_a_name_has_up_to_48_characters_of_mq(name: str, is_name: bool) -> None:
    assert is_mq_name(name) is is_name


@pytest.mark.parametrize(
    ("name", "is_temporary"),
    [("AMQ.5F0A", True), ("MQAI.REPLY.1", True), ("AMQX", False), ("amq.1", False)],
)
def test_temporary_queues_are_known_by_their_names(name: str, is_temporary: bool) -> None:
    assert is_temporary_queue(name) is is_temporary


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


def test_every_known_figure_has_a_unit_and_no_name_of_a_declared_one() -> None:
    assert all(unit and not name.startswith(PREFIX) for name, unit in UNITS.items())
