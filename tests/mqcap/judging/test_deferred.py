"""Mappings, some values of which are computed when they are first read."""

from __future__ import annotations

import pytest

from mqcap.judging.deferred import DeferredMapping, part_of


class Sums:
    """A sum that counts how often it was computed."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return 3


def test_a_value_is_computed_when_it_is_first_read_and_kept() -> None:
    later = Sums()
    values = DeferredMapping({"a": 1, "b": 2}, {"b": later, "c": later})
    assert (list(values), len(values), "c" in values, later.times) == (["a", "b", "c"], 3, True, 0)
    assert [values["b"], values["b"], values["a"]] == [3, 3, 1]
    assert later.times == 1
    assert dict(values) == {"a": 1, "b": 3, "c": 3}


def test_mappings_made_from_one_another_share_what_was_computed() -> None:
    later = Sums()
    values = DeferredMapping({}, {"a": later, "b": later})
    again, part = DeferredMapping(values), part_of(values, ["a"])
    assert (list(part), later.times) == (["a"], 0)
    assert values["a"] == again["a"] == part["a"] == 3
    assert later.times == 1


def test_a_key_that_is_replaced_is_never_computed() -> None:
    later = Sums()
    values = DeferredMapping(DeferredMapping({"a": 1}, {"a": later}), {"a": lambda: 7})
    assert (values["a"], later.times) == (7, 0)


def test_a_part_has_its_keys_in_the_order_asked() -> None:
    assert list(part_of({"a": 1, "b": 2, "c": 3}, ["c", "a"]).items()) == [("c", 3), ("a", 1)]


def test_a_key_that_is_not_there_has_the_default() -> None:
    values = DeferredMapping({"a": 0})
    assert (values.get("b"), values.get("b", 5), values.get("a", 5)) == (None, 5, 0)
    with pytest.raises(KeyError):
        values["b"]
