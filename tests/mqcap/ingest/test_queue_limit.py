"""The limit of distinct queues of one queue manager in one file."""

from __future__ import annotations

import pytest

from mqcap.ingest.samples import QUEUES_MAX, QueueLimit


def limit_of(most: int, *queues: str, qmgr: str = "QM1") -> QueueLimit:
    limit = QueueLimit(most)
    for queue in queues:
        limit.admits(qmgr, queue)
    return limit


@pytest.mark.parametrize(("count", "is_taken"), [(2, True), (3, False), (4, False)])
def test_so_many_queues_are_taken_and_known_ones_stay(count: int, is_taken: bool) -> None:
    limit = limit_of(3, *[f"Q{number}" for number in range(count)])
    assert limit.admits("QM1", "NEW") is is_taken
    assert limit.admits("QM1", "Q0")


def test_each_queue_manager_has_its_own() -> None:
    limit = limit_of(1, "A", "B")
    assert limit.admits("QM2", "B")
    assert not limit.admits("QM1", "B")


def test_what_is_left_out_is_counted_and_named() -> None:
    assert list(limit_of(2, "A", "B", "A").problems("a.json")) == []
    [sentence] = limit_of(2, "A", "B", "C", "C").problems("a.json")
    assert sentence == (
        "a.json: queue manager QM1 has more than 2 queues here; 1 queue beyond the first of them "
        "left out: C. Report only queues that are to be watched (docs/distributed.md)."
    )
    [sentence] = limit_of(7, *[f"Q{number:02d}" for number in range(13)]).problems("a.json")
    assert "; 6 queues beyond" in sentence
    assert "Q07, Q08, Q09, Q10, Q11 and others." in sentence


def test_names_without_end_take_memory_for_twice_as_many_as_are_read() -> None:
    [sentence] = limit_of(3, *[f"Q{number}" for number in range(100)]).problems("a.json")
    assert "; at least 3 queues beyond" in sentence


def test_the_limit_is_far_above_what_queue_managers_have() -> None:
    assert QueueLimit().most == QUEUES_MAX == 50_000
