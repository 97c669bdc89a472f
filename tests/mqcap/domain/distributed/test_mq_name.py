"""Names of distributed MQ in subjects."""

from __future__ import annotations

import pytest

from mqcap.domain.distributed.mq_name import (
    escaped,
    is_mq_name,
    is_temporary_queue,
    subject_of,
    unescaped,
)


@pytest.mark.parametrize(
    ("name", "part"),
    [("APP.IN", "APP.IN"), ("a/b", "a%2Fb"), ("50%/2", "50%25%2F2"), ("%2F", "%252F")],
)
def test_a_name_is_one_part_of_a_subject_and_comes_back(name: str, part: str) -> None:
    assert escaped(name) == part
    assert unescaped(part) == name


def test_a_subject_begins_with_the_site() -> None:
    assert subject_of("EAST", "QM1", "IN/OUT") == "EAST/QM1/IN%2FOUT"


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
