"""Processes that die, run out of disk or find the database locked, for real."""

import importlib
import os
import resource
import signal
import sqlite3
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from pyspark.sql import SparkSession

FINISHED: Final = "finished"


class Point(NamedTuple):
    """The place at which a process is killed: before, or after, the first call of a function."""

    function: str
    """``module:name`` or ``module:Class.name``."""
    after: bool = False


def in_child(work: Callable[[], Any], prepare: Callable[[], object] = lambda: None) -> str:
    """Run in a child of this process; how it ended: FINISHED, a signal, or the error's words."""
    return started(work, prepare)()


def started(
    work: Callable[[], Any], prepare: Callable[[], object] = lambda: None
) -> Callable[[], str]:
    """Start a child of this process; what is returned waits until it ends and says how.

    A fork, not a spawn: nothing is imported again. Only from the main thread: in a child of
    another one py4j would shut the connection that the main thread has to the JVM.
    """
    assert threading.current_thread() is threading.main_thread()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.write(writer, _ended(work, prepare).encode()[:60_000])
        os._exit(0)
    os.close(writer)
    return lambda: _end_of(child, reader)


def _end_of(child: int, reader: int) -> str:
    with os.fdopen(reader, "rb") as answer:
        words = answer.read().decode()
    _, status = os.waitpid(child, 0)
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else words


def beside_spark(work: Callable[[], Any]) -> Callable[[], Any]:
    """The same for a child of a process with a Spark session: it talks to the JVM by itself.

    A new thread has a connection of its own; that of the parent stays as it was.
    """

    def in_thread() -> None:
        spark = SparkSession.getActiveSession()
        assert spark is not None
        failed: list[BaseException] = []

        def run() -> None:
            try:
                jvm: Any = spark.sparkContext._jvm
                jvm.SparkSession.setActiveSession(spark._jsparkSession)
                work()
            except BaseException as error:  # noqa: BLE001 - raised by the thread that waits
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]

    return in_thread


def _ended(work: Callable[[], Any], prepare: Callable[[], object]) -> str:
    try:
        prepare()
        work()
    except Exception as error:  # noqa: BLE001 - reported to the parent
        return f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
    return FINISHED


def dies_at(point: Point) -> Callable[[], None]:
    def prepare() -> None:
        module, _, path = point.function.partition(":")
        *owners, name = path.split(".")
        owner: Any = importlib.import_module(module)
        for part in owners:
            owner = getattr(owner, part)
        original = getattr(owner, name)

        def deadly(*args: Any, **kwargs: Any) -> None:
            if point.after:
                original(*args, **kwargs)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(owner, name, deadly)

    return prepare


def writes_at_most(bytes_count: int) -> Callable[[], None]:
    """No file of this process can grow beyond that; what it gets is what a full disk gives."""

    def prepare() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_count, hard))

    return prepare


def waits_at_most(milliseconds: int) -> Callable[[], None]:
    def prepare() -> None:
        database = importlib.import_module("mqcap.store.database")
        database.BUSY_TIMEOUT_MS = milliseconds  # type: ignore[attr-defined]

    return prepare


@contextmanager
def locked(store: Path) -> Iterator[None]:
    other = sqlite3.connect(store, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()
