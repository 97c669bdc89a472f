"""Failures of Spark's tasks as one sentence in the driver.

Spark hands back the tracebacks of all processes that were involved. What a task raises on purpose
is in them as JSON, so that the driver raises the same; what Spark says when workers are lost, or
lack a package, is recognised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable

Item = TypeVar("Item")
Result = TypeVar("Result")

_DISK_REMEDY: Final = (
    "Make room on the disks of this machine and of each worker (the lake, TMPDIR); then run the "
    "step again."
)
_MISSING: Final = re.compile(r"No module named '?([\w.]+)")
_LOST: Final = re.compile(
    r"Python worker exited unexpectedly|ExecutorLostFailure|Master removed our application"
    r"|All masters are unresponsive|SparkContext was shut down"
)
_FULL: Final = re.compile(r"No space left on device|Disk quota exceeded|File too large")


class TaskFailed(Exception):  # noqa: N818 - names the event, as the errors of the domain
    """A failure of a task; its text is a JSON object with the parts of a CapacityError."""


@dataclass(frozen=True)
class Reporting(Generic[Item, Result]):
    """A task whose errors the driver can raise again, by ``reported``."""

    task: Callable[[Item], Result]

    def __call__(self, item: Item) -> Result:
        """Run the task; raises TaskFailed for a CapacityError or OSError."""
        try:
            return self.task(item)
        except CapacityError as error:
            parts = (error.problem, error.found, error.expected, error.remedy)
        except OSError as error:
            problem = f"a Spark worker cannot read or write {error.filename or 'a file'}"
            parts = (problem, error.strerror or str(error), "", _DISK_REMEDY)
        raise TaskFailed(json.dumps(parts))


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Run Spark jobs; raise what is known of their failure as one sentence.

    Raises ServiceUnavailable for what a task reported, for lost workers and a full disk, and
    ConfigurationError when workers lack a package. Other failures stay as they are.
    """
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        known = failure(what, str(error))
        if known is None:
            raise
        raise known from error


def failure(what: str, text: str) -> CapacityError | None:
    """Return what Spark's text about failed jobs means; ``None`` when that is not known."""
    if given := _REPORTED.search(text):
        problem, found, expected, remedy = json.loads(given[1])
        return ServiceUnavailable(problem, found=found, expected=expected, remedy=remedy)
    if missing := _MISSING.search(text):
        return ConfigurationError(
            f"a Spark worker cannot {what}: it lacks a Python package",
            found=missing[0],
            expected="the packages of this machine",
            remedy="Install the same release of mqcap on every worker, and let PYSPARK_PYTHON be "
            "the Python that has it.",
        )
    if full := _FULL.search(text):
        return ServiceUnavailable(f"Spark cannot {what}", found=full[0], remedy=_DISK_REMEDY)
    if lost := _LOST.search(text):
        return ServiceUnavailable(
            f"Spark has lost its workers and cannot {what}",
            found=lost[0],
            remedy="Look at the logs of the workers and start them; then run the step again.",
        )
    return None


_REPORTED: Final = re.compile(rf"\b{TaskFailed.__name__}: (\[.*\])")
