"""Processes of this machine that run tasks as Spark's workers do."""

from __future__ import annotations

import errno
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError, ServiceUnavailable
from mqcap.ingest.parallel import processors
from spark_apps.runtime.kept import kept_session
from spark_apps.runtime.worker_processes import (
    WorkerProcesses,
    next_task,
    worker_count,
    worker_processes,
)
from tests.spark_apps.runtime.worker_tasks import (
    fails,
    killed,
    late,
    niceness,
    niceness_of_a_child,
    printed,
    threads,
)

pytestmark = pytest.mark.thorough
TWO = "local[2]"
HIGHEST_NICENESS = 19
CHECKOUT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _tasks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tasks of these tests are no part of the installed product."""
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))


def test_results_come_in_the_order_of_their_tasks() -> None:
    tasks = [partial(late, seconds, number) for number, seconds in enumerate((0.2, 0.0, 0.1, 0.0))]
    with worker_processes(TWO) as workers:
        assert list(workers.results(tasks)) == [0, 1, 2, 3]
        assert list(workers.results([])) == []


def test_a_process_has_one_thread_and_what_a_task_prints_is_no_answer() -> None:
    with worker_processes("local") as workers:
        assert list(workers.results([threads, printed])) == ["1", "printed"]


def test_no_more_processes_than_tasks_are_started_and_all_end_with_the_block() -> None:
    with worker_processes(TWO) as workers:
        [first] = workers.results([os.getpid])
        assert set(workers.results([os.getpid])) == {first}
    assert_ended(first)


def test_a_kept_block_has_the_same_processes_to_its_end() -> None:
    found = []
    with kept_session():
        for _ in range(2):
            with worker_processes(TWO) as workers:
                found += list(workers.results([os.getpid]))
    assert len(set(found)) == 1
    assert_ended(found[0])


@pytest.mark.parametrize(("kind", "words"), [("input", "too short"), ("disk", "No space left")])
def test_errors_of_the_product_and_of_files_are_raised_as_they_are(kind: str, words: str) -> None:
    with worker_processes(TWO) as workers:
        with pytest.raises((InputError, OSError), match=words):
            list(workers.results([partial(fails, kind)]))
        assert list(workers.results([printed])) == ["printed"]


def test_other_errors_are_raised_with_where_they_come_from() -> None:
    with (
        worker_processes(TWO) as workers,
        pytest.raises(RuntimeError, match=r"(?s)fails.*KeyError"),
    ):
        list(workers.results([partial(fails, "program")]))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_is_killed_is_named_with_its_signal(number: signal.Signals) -> None:
    with (
        worker_processes(TWO) as workers,
        pytest.raises(ServiceUnavailable, match=f"signal {number.name}.*memory"),
    ):
        list(workers.results([partial(killed, number)]))


def test_work_in_hand_ends_with_the_block() -> None:
    workers = WorkerProcesses(1)
    [number] = workers.results([os.getpid])
    waiting = workers.results([partial(late, 0.0, 1), partial(late, 0.5, 2)])
    assert next(waiting) == 1
    workers.close()
    with pytest.raises(ServiceUnavailable, match="SIGKILL"):
        next(waiting)
    assert_ended(number)


@pytest.mark.parametrize("above", [0, 5, HIGHEST_NICENESS])
def test_a_process_and_those_that_it_starts_yield_once_and_for_all_tasks(above: int) -> None:
    wanted = min(os.getpriority(os.PRIO_PROCESS, 0) + above, HIGHEST_NICENESS)
    workers = WorkerProcesses(1, above)
    for _ in range(2):
        assert list(workers.results([niceness, niceness_of_a_child])) == [wanted, wanted]
    workers.close()


def test_a_process_that_may_not_yield_works_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_which: int, _who: int, _priority: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "setpriority", refused)
    workers = WorkerProcesses(1, 5)
    assert list(workers.results([niceness])) == [os.getpriority(os.PRIO_PROCESS, 0)]
    workers.close()


def test_there_are_as_many_processes_as_spark_has_workers_here() -> None:
    for count in (1, processors(), processors() + 1):
        assert worker_count(f"local[{count}]") == min(count, processors())
    assert worker_count("local") == 1
    assert worker_count("local[*]") == worker_count("spark://host:7077") == processors()


def assert_ended(process: int) -> None:
    """No process has this number."""
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize(
    ("left", "place", "number"),
    [({0, 1, 2, 3}, 0, 0), ({0, 1, 2, 3}, 1, 1), ({2, 3}, 1, 3), ({0, 2}, 1, 0), ({5}, 0, 5)],
)
def test_a_process_takes_its_own_tasks_first_and_then_those_of_others(
    left: set[int], place: int, number: int
) -> None:
    assert next_task(left, place, 2) == number
