"""Results that are made once for all states with the same inputs."""

from __future__ import annotations

from functools import partial

from mqcap.domain.finding import Finding
from mqcap.judging.known import Dated, Known, Same
from tests.mqcap.notifications.builders import cf_finding


def test_a_result_is_made_once_for_each_basis() -> None:
    known, made = Known(), list[str]()

    def judged() -> Finding:
        made.append("finding")
        return cf_finding()

    def dated() -> Dated:
        made.append("dated")
        return Dated(cf_finding(), None)

    first = known.finding(("A", 1.0), judged)
    assert known.finding(("A", 1.0), judged) is first
    assert known.finding(("A", 2.0), judged) is not first
    assert known.dated(("A", 1.0), dated) is known.dated(("A", 1.0), dated)
    assert made == ["finding", "finding", "dated"]


def test_what_is_made_of_a_basis_is_made_once() -> None:
    known, made = Known(), list[str]()

    def of(name: str) -> list[str]:
        made.append(name)
        return [name]

    first = known.once(("sum", 1.0), lambda: of("a"))
    assert known.once(("sum", 1.0), lambda: of("b")) is first
    assert known.once(("sum", 2.0), lambda: of("c")) == ["c"]
    assert made == ["a", "c"]


def test_the_oldest_things_made_are_left_out() -> None:
    known, made = Known(), list[int]()

    def of(number: int) -> int:
        made.append(number)
        return number

    for number in [1, 2, *range(10, 5_000), 1]:
        known.once(("number", number), partial(of, number))
    assert made.count(1) == 2
    assert known.once(("number", 4_999), lambda: 0) == 4_999


def test_a_shared_thing_is_equal_to_itself_alone() -> None:
    days = [1]
    assert Same(days) == Same(days)
    assert hash(Same(days)) == hash(Same(days))
    assert Same(days) != Same([1])
    assert Same(days) != days
