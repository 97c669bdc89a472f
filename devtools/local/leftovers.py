"""Programs of a local run that was killed before it could stop them.

Each program of a run, and whatever that starts, has the folder of the run in its environment: so
the next run in this folder finds them, whatever their process ids, groups and sessions are.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

MARK: Final = "LOCAL_RUN_OF_MQCAP"
"""The variable that holds the folder of the run."""
STOP_SECONDS: Final = 8.0
KILL_SECONDS: Final = 5.0


def mark(var: Path) -> Mapping[str, str]:
    """Return the variables by which the programs of the run in a folder are known."""
    return {
        MARK: str(var),
        # Airflow gives its processes titles, which are written over the environment otherwise
        "SPT_NOENV": "1",
    }


def programs_of(var: Path) -> list[psutil.Process]:
    """Return the running programs of the run in a folder; this process is none of them."""
    own = psutil.Process()
    spared = {own.pid, *(process.pid for process in own.parents())}
    return [
        process
        for process in psutil.process_iter()
        if process.pid not in spared and _mark_of(process) == str(var)
    ]


def end_leftovers(var: Path) -> int:
    """End the programs of a run in this folder that was killed; return how many there were.

    Call it with the lock of the run only: the programs of a run that goes on look the same.
    """
    found: dict[int, psutil.Process] = {}
    end = time.monotonic() + STOP_SECONDS
    while (running := programs_of(var)) and time.monotonic() < end:
        for process in running:
            if process.pid not in found:
                found[process.pid] = process
                with suppress(psutil.NoSuchProcess):
                    process.terminate()
        psutil.wait_procs(running, timeout=0.5)
    _kill(running)
    return len(found.keys() | {process.pid for process in running})


def _kill(running: Sequence[psutil.Process]) -> None:
    for process in running:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(running, timeout=KILL_SECONDS)


def _mark_of(process: psutil.Process) -> str | None:
    """Return the folder in its environment; None for a program without one or of another user."""
    with suppress(psutil.Error, OSError):
        variables: Mapping[str, str] = process.environ()
        return variables.get(MARK)
    return None
