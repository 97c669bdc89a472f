"""A Python worker without Spark: runs the tasks that its parent process sends, one by one.

``python -m spark_apps.runtime.worker_process`` reads pickled functions from standard input, and
writes a pickled ``TaskAnswer`` for each to standard output. It ends with its input, so with its
parent; until then it keeps the processes that a task starts for the next one.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from mqcap.domain.errors import CapacityError
from mqcap.progress.log_records import records_on_stderr
from spark_apps.runtime.kept import kept_session


class TaskAnswer(NamedTuple):
    """Result of a task, or the error that it has raised."""

    result: Any = None
    error: Exception | None = None


def main() -> None:
    """Run one task after the other until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends its workers
    tasks = sys.stdin.buffer
    with (
        records_on_stderr(),
        kept_session(),
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers,
    ):
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
        while True:
            try:
                task = pickle.load(tasks)  # noqa: S301 - from the process that has started this one
            except EOFError:
                return
            pickle.dump(answer(task), answers)
            answers.flush()


def answer(task: Callable[[], Any]) -> TaskAnswer:
    """Run a task. An error that is neither of the product nor an OSError is sent as its text."""
    try:
        return TaskAnswer(result=task())
    except (CapacityError, OSError) as error:
        return TaskAnswer(error=error)
    except Exception:  # noqa: BLE001 - raised again where it is received
        return TaskAnswer(error=RuntimeError(traceback.format_exc()))


if __name__ == "__main__":
    from spark_apps.runtime.worker_process import main as main_of_module

    main_of_module()  # the classes of what is sent are those of the module, not of __main__
