"""Failures of tasks: what is said on purpose, what Spark says, and what nobody knows."""

import errno
import importlib
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError, Py4JNetworkError
from pyspark.sql import SparkSession

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.lake.objects import LakeUnavailable
from spark_apps.runtime.task_errors import TaskFailed, failure, reported, reporting, starting

TRACEBACK = """org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 failed
  File "worker.py", line 1, in __call__
spark_apps.runtime.task_errors.{}
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException
"""


def spark_text(error: Exception) -> str:
    """What Spark says of a task that raised an error."""

    def fails(_: int) -> None:
        raise error

    with pytest.raises(TaskFailed) as raised:
        reporting(fails)(1)
    return TRACEBACK.format(f"TaskFailed: {raised.value}")


def test_the_sentence_of_a_task_is_the_sentence_of_the_driver() -> None:
    error = LakeUnavailable("s3://lake/ä: [x]", found='503 "slow"', remedy="Wait.\nThen go on.")
    failed = failure("decode 1 file", spark_text(error))
    assert isinstance(failed, ServiceUnavailable)
    assert str(failed) == str(error)


def test_a_file_that_a_worker_cannot_write_is_named_with_what_is_needed() -> None:
    for error, sentence in {
        OSError(errno.ENOSPC, "No space left on device", "/scratch/a"):
            "a Spark worker cannot read or write /scratch/a; found No space left on device. Make",
        PermissionError(errno.EACCES, "Permission denied", "/lake/a"):
            "/lake/a; found Permission denied. Let the user of the Spark workers read and write it",
        OSError("File too large (os error 27)"):
            "read or write a file; found File too large (os error 27).",
    }.items():  # fmt: skip
        assert sentence in str(failure("decode 1 file", spark_text(error)))


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("/usr/bin/python3: No module named spark_apps", ConfigurationError, "lacks a Python"),
        ("ModuleNotFoundError: No module named 'polars'", ConfigurationError, "named 'polars"),
        ("Python worker exited unexpectedly (crashed)", ServiceUnavailable, "lost its workers"),
        ("ExecutorLostFailure (executor 0 exited)", ServiceUnavailable, "lost its workers"),
        ("java.io.IOException: No space left on device", ServiceUnavailable, "Make room"),
        (
            "java.io.InvalidClassException: scala.ArraySeq; local class incompatible: stream",
            ConfigurationError,
            "expected Spark 4.3 and Python",
        ),
        (
            "Python in worker has different version: 3.10 than that in driver: 3.11, PySpark",
            ConfigurationError,
            "different version: 3.10 than that in driver: 3.11; expected",
        ),
        (
            "IllegalStateException: Cannot call methods on a stopped SparkContext.",
            ServiceUnavailable,
            "use a cluster of Spark 4.3.",
        ),
    ],
)
def test_what_spark_says_is_one_sentence(
    text: str, kind: type[CapacityError], sentence: str
) -> None:
    failed = failure("decode 1 file", f"{TRACEBACK}Caused by: {text}\n\tat java.lang.Thread.run")
    assert isinstance(failed, kind)
    assert sentence in str(failed)
    assert "decode 1 file" in str(failed)
    assert "\n" not in str(failed)


class JobsError(Py4JJavaError):  # type: ignore[misc]
    """An error as py4j raises it, without a JVM."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


@pytest.mark.parametrize(
    ("text", "kind"), [("ExecutorLostFailure", ServiceUnavailable), ("KeyError", Py4JJavaError)]
)
def test_jobs_raise_what_is_known_of_their_failure(text: str, kind: Any) -> None:
    with pytest.raises(kind), reported("decode"):
        raise JobsError(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            (
                "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
                ": org.apache.spark.SparkException: Could not parse Master URL: 'local[x]'\n"
                "\tat org.apache.spark.SparkContext$.create(SparkContext.scala:3391)\n"
            ),
            "Could not parse Master URL: 'local[x]'",
        ),
        ("An error occurred\n: no class here\n\tat a.b", "no class here"),
        ("Java gateway process exited.\nmore", "Java gateway process exited"),
    ],
)
def test_whatever_keeps_spark_from_starting_is_one_sentence(text: str, found: str) -> None:
    with pytest.raises(ConfigurationError) as raised, starting():
        raise JobsError(text)
    assert str(raised.value).startswith(f"Spark does not start; found {found}. Correct")
    assert "\n" not in str(raised.value)


def test_java_that_ends_while_it_starts_and_a_master_that_takes_no_work_have_sentences() -> None:
    with pytest.raises(ConfigurationError, match="found the end of Java"), starting():
        raise Py4JNetworkError("Error while sending or receiving")
    with pytest.raises(ServiceUnavailable, match="its master does not take"), starting():
        raise JobsError("All masters are unresponsive")


def refuse(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches
    raise LakeUnavailable("s3://lake/a cannot be read", found="SLOW_DOWN", remedy="Wait.")


def die(_: Iterator[Any]) -> Iterator[Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return iter(())


def import_nothing(batches: Iterator[Any]) -> Iterator[Any]:
    importlib.import_module("nosuch")
    return batches


@pytest.mark.spark
@pytest.mark.parametrize(
    ("task", "kind", "sentence"),
    [
        (refuse, ServiceUnavailable, r"^s3://lake/a cannot be read; found SLOW_DOWN\. Wait\.$"),
        (die, ServiceUnavailable, r"^Spark has lost its workers and cannot work; .*\.$"),
        (import_nothing, ConfigurationError, r"^a Spark worker cannot work: .*'nosuch.*\.$"),
    ],
)
def test_a_real_job_that_fails_says_why_in_one_sentence(
    spark: SparkSession, task: Any, kind: type[CapacityError], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence), reported("work"):
        spark.range(1).mapInArrow(reporting(task), "id bigint").collect()
