"""Failures of Spark's tasks as one sentence in the driver.

Spark hands back the tracebacks of all processes that were involved. What a task raises on purpose
is in them as JSON; what Spark says when workers are lost, or lack a package, is recognised.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pyspark
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors import PySparkException

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable

_DISK_REMEDY: Final = (
    "Make room on the disks of this machine and of each worker (the lake, TMPDIR); then run the "
    "step again."
)
_PERMISSION_REMEDY: Final = (
    "Let the user of the Spark workers read and write it; then run the step again."
)
_SPARK: Final = ".".join(pyspark.__version__.split(".")[:2])
_PYTHON: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
_FIRST: Final = re.compile(r"^: (?:[\w.$]+(?:Exception|Error): )?(.+)$", re.MULTILINE)
"""The first line of an exception of Java, below the one of the call that raised it."""
_ENDED: Final = "the end of Java, whose last lines are above"


class TaskFailed(Exception):  # noqa: N818 - names the event, as the errors of the domain
    """A failure of a task; its text is a JSON object with the parts of a CapacityError."""


def reporting(task: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a task that raises TaskFailed for CapacityError or OSError; see ``reported``."""

    def of_rows(rows: Any) -> Any:
        with _as_failure():
            made = task(rows)
        return _reported_rows(made) if isinstance(made, Iterator) else made

    return of_rows


def _reported_rows(made: Iterator[Any]) -> Iterator[Any]:
    with _as_failure():
        yield from made


@contextmanager
def _as_failure() -> Iterator[None]:
    try:
        yield
    except CapacityError as error:
        parts = (error.problem, error.found, error.expected, error.remedy)
    except OSError as error:
        problem = f"a Spark worker cannot read or write {error.filename or 'a file'}"
        refused = isinstance(error, PermissionError)
        remedy = _PERMISSION_REMEDY if refused else _DISK_REMEDY
        parts = (problem, error.strerror or str(error), "", remedy)
    else:
        return
    raise TaskFailed(json.dumps(parts))


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Run Spark jobs; raise what is known of their failure as one sentence.

    Raises ServiceUnavailable for what a task reported, for lost workers and a full disk, and
    ConfigurationError when workers lack a package or are of another release.
    """
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        known = failure(what, str(error))
        if known is None:
            raise
        raise known from error


@contextmanager
def starting() -> Iterator[None]:
    """Start Spark; raises what ``reported`` does, and ConfigurationError for any other failure."""
    try:
        with reported("start"):
            yield
    except (Py4JError, PySparkException) as error:
        first = _FIRST.search(str(error))
        line = first[1] if first else str(error).strip().partition("\n")[0]
        raise ConfigurationError(
            "Spark does not start",
            found=_ENDED if isinstance(error, Py4JNetworkError) else line.rstrip("."),
            remedy="Correct section spark of the settings, or the Java and the folders that it "
            "needs: `mqcap doctor` checks them.",
        ) from error


@dataclass(frozen=True)
class _Known:
    """What it means that Spark's text about a failure has a pattern."""

    pattern: str
    problem: str
    remedy: str
    expected: str = ""
    error: type[CapacityError] = ServiceUnavailable


_KNOWN: Final = (
    _Known(
        r"No module named '?([\w.]+)'?",
        "a Spark worker cannot {what}: it lacks a Python package",
        "Install the same release of mqcap on every worker, and let PYSPARK_PYTHON be the Python "
        "that has it.",
        "the packages of this machine",
        ConfigurationError,
    ),
    _Known(
        r"No space left on device|Disk quota exceeded|File too large",
        "Spark cannot {what}",
        _DISK_REMEDY,
    ),
    _Known(
        r"InvalidClassException: [\w.$]+; local class incompatible"
        r"|Python in worker has different version: \S+ than that in driver: [\d.]+",
        "Spark cannot {what}: the cluster is of another release than this machine",
        "Use a cluster of these, or let PYSPARK_PYTHON be that Python on every worker.",
        f"Spark {_SPARK} and Python {_PYTHON} on master and workers",
        ConfigurationError,
    ),
    _Known(
        r"Python worker exited unexpectedly|ExecutorLostFailure|Master removed our application"
        r"|SparkContext was shut down",
        "Spark has lost its workers and cannot {what}",
        "Look at the logs of the workers and start them; then run the step again.",
    ),
    _Known(
        r"All masters are unresponsive|Cannot call methods on a stopped SparkContext",
        "Spark cannot {what}: its master does not take the application",
        "Start it, or correct spark.master; InvalidClassException in its log means that it is of "
        f"another release: use a cluster of Spark {_SPARK}.",
        f"a master of Spark {_SPARK} that answers",
    ),
)
"""The first that fits counts."""


def failure(what: str, text: str) -> CapacityError | None:
    """Return what Spark's text about failed jobs means; ``None`` when that is not known."""
    if given := _REPORTED.search(text):
        problem, found, expected, remedy = json.loads(given[1])
        return ServiceUnavailable(problem, found=found, expected=expected, remedy=remedy)
    for known in _KNOWN:
        if seen := re.search(known.pattern, text):
            problem = known.problem.format(what=what)
            return known.error(problem, found=seen[0], expected=known.expected, remedy=known.remedy)
    return None


_REPORTED: Final = re.compile(rf"\b{TaskFailed.__name__}: (\[.*\])")
