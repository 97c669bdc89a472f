"""Locks: one writing process at a time on each part of a lake."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from mqcap.lake.locks import LakePart, exclusive

_CONTEXT = multiprocessing.get_context("fork")  # nothing is imported again


def _count(lake: Path, times: int) -> None:
    """Add one to a number in a file, again and again; lost where two do it at once."""
    file = lake / "number"
    for _ in range(times):
        with exclusive(lake, LakePart.hourly):
            number = int(file.read_text(encoding="utf-8"))
            file.write_text(str(number + 1), encoding="utf-8")


@pytest.mark.thorough
def test_processes_on_the_same_part_wait_for_each_other(tmp_path: Path) -> None:
    (tmp_path / "number").write_text("0", encoding="utf-8")
    workers = [_CONTEXT.Process(target=_count, args=(tmp_path, 50)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (tmp_path / "number").read_text(encoding="utf-8") == "200"


def _hold(lake: Path, holds: Event) -> None:
    with exclusive(lake, LakePart.sections):
        holds.set()
        signal.pause()


def test_a_process_that_is_killed_holds_nothing_and_other_parts_are_free(tmp_path: Path) -> None:
    holds = _CONTEXT.Event()
    worker = _CONTEXT.Process(target=_hold, args=(tmp_path, holds))
    worker.start()
    holds.wait()
    with exclusive(tmp_path, LakePart.hourly):
        os.kill(worker.pid or 0, signal.SIGKILL)
    with exclusive(tmp_path, LakePart.sections):
        worker.join()
    assert worker.exitcode == -signal.SIGKILL
