"""Locks of the lake: of the file system for a folder, of the store for an object store."""

import fcntl
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from mqcap.files import locked
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from tests.mqcap.store.postgres import new_database, postgres_server


def is_locked(file: Path) -> bool:
    with file.open("a") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


@pytest.mark.parametrize(
    ("lake", "lock"),
    [("lake", "lake/locks/hourly"), ("memory://bucket/lake", "store.db.lake-hourly.lock")],
)
def test_a_part_is_locked_during_the_block_where_all_who_write_it_look(
    tmp_path: Path, lake: str, lock: str
) -> None:
    address = lake if "://" in lake else str(tmp_path / lake)
    settings = Settings(lake=address, store={"url": f"sqlite:///{tmp_path}/store.db"})
    with exclusive(settings, LakePart.hourly):
        assert is_locked(tmp_path / lock)
        with exclusive(settings, LakePart.sections):
            pass
    assert not is_locked(tmp_path / lock)


@pytest.fixture(scope="module")
def shared() -> Iterator[Settings]:
    """A lake in an object store beside a store in PostgreSQL."""
    with postgres_server() as server, new_database(server) as url:
        yield Settings(lake="memory://bucket/lake", store={"url": url})


@pytest.mark.thorough
def test_in_postgresql_one_process_at_a_time_writes_a_part_of_an_object_store(
    shared: Settings,
) -> None:
    order: list[str] = []

    def second() -> None:
        with exclusive(shared, LakePart.hourly):
            order.append("second")

    with exclusive(shared, LakePart.hourly):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        with exclusive(shared, LakePart.sections):
            order.append("first")
    waiting.join()
    assert order == ["first", "second"]


@pytest.mark.thorough
def test_in_postgresql_the_lock_of_a_killed_process_is_free(shared: Settings) -> None:
    child = os.fork()
    if child == 0:
        with exclusive(shared, LakePart.hourly):
            os.kill(os.getpid(), signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    with exclusive(shared, LakePart.hourly):
        pass


_CONTEXT = multiprocessing.get_context("fork")  # nothing is imported again


def _hold(lake: Path, holds: Event) -> None:
    with locked(lake / "sections"):
        holds.set()
        signal.pause()


def test_a_process_that_is_killed_holds_nothing_and_other_locks_are_free(tmp_path: Path) -> None:
    holds = _CONTEXT.Event()
    worker = _CONTEXT.Process(target=_hold, args=(tmp_path, holds))
    worker.start()
    holds.wait()
    with locked(tmp_path / "hourly"):
        os.kill(worker.pid or 0, signal.SIGKILL)
    with locked(tmp_path / "sections"):
        worker.join()
    assert worker.exitcode == -signal.SIGKILL
