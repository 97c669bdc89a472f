"""Faults of Spark: killed with its JVM, killed workers, a full disk; and garbage to be read."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from spark_apps.runtime.java import java_environment
from tests.faults.site import Contents, Site

WAIT_SECONDS: Final = 240.0
UNHARMED: Final = (
    "lake/section_",
    "lake/metric_",
    "lake/feed_interval",
    "observation_",
    "feed_day",
)
"""Datasets that garbage must not change; it has rows and files of its own elsewhere."""


def deliver_garbage(inbox: Path) -> None:
    noise = bytes(range(256)) * 2_000
    dump = min(inbox.glob("*.smf"), key=lambda path: path.stat().st_size).read_bytes()
    (inbox / "noise.smf").write_bytes(noise)
    (inbox / "damaged.smf").write_bytes(dump[: len(dump) // 5] + noise)
    (inbox / "broken.smf.gz").write_bytes(b"\x1f\x8b\x08\x00" + noise[:4_096])
    (inbox / "empty.smf").write_bytes(b"")


def sections(lake: Path) -> list[Path]:
    return sorted(lake.glob("section_*/received_date=*/*.parquet"))


def killed_when(site: Site, happens: Callable[[], bool]) -> None:
    """Start ``mqcap load``, and kill it, its JVM and all when something happens."""
    environment = {**os.environ, **java_environment(), **site.environment()}
    run = subprocess.Popen(
        [Path(sys.executable).parent / "mqcap", "load"], env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + WAIT_SECONDS
    while not happens() and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    has_happened = happens()
    # Workers are in a process group of their own, and would go on for a while.
    everything = psutil.Process(run.pid).children(recursive=True)
    os.killpg(run.pid, signal.SIGKILL)
    for process in everything:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(everything)
    assert run.wait() == -signal.SIGKILL
    assert has_happened


def spark_processes() -> list[psutil.Process]:
    processes: list[psutil.Process] = psutil.Process().children(recursive=True)
    return processes


@contextmanager
def small_files_only(bytes_count: int) -> Iterator[None]:
    """Nothing in Spark can write a file beyond that size: to it the disk is full."""
    processes = spark_processes()
    before = [resource.prlimit(item.pid, resource.RLIMIT_FSIZE) for item in processes]
    try:
        for item, (_, hard) in zip(processes, before, strict=True):
            resource.prlimit(item.pid, resource.RLIMIT_FSIZE, (bytes_count, hard))
        yield
    finally:
        unlimited = before[0]  # workers that were forked meanwhile have the limit too
        for item in {*processes, *spark_processes()}:
            if item.is_running():
                resource.prlimit(item.pid, resource.RLIMIT_FSIZE, unlimited)


def unharmed(contents: Contents) -> Contents:
    return {name: contents[name] for name in contents if name.startswith(UNHARMED)}


@contextmanager
def workers_killed() -> Iterator[None]:
    """Every worker in Python is killed again and again; afterwards Spark keeps none as idle."""
    is_over = threading.Event()
    killing = threading.Thread(target=_kill_workers, args=(is_over,))
    killing.start()
    try:
        yield
    finally:
        is_over.set()
        killing.join()
        _forget_dead_workers()


def _forget_dead_workers() -> None:
    """Spark keeps idle workers for the next job, which fails on each one that has died since."""
    spark = SparkSession.getActiveSession()
    assert spark is not None
    jobs_in_a_row = 0
    while jobs_in_a_row < 3:
        try:
            spark.range(0, 4, 1, 4).mapInArrow(lambda rows: rows, "id bigint").collect()
        except (Py4JJavaError, PySparkException):
            jobs_in_a_row = 0
        else:
            jobs_in_a_row += 1


def _kill_workers(is_over: threading.Event) -> None:
    while not is_over.wait(0.05):
        for process in spark_processes():
            with suppress(psutil.NoSuchProcess):  # some end by themselves
                command = " ".join(process.cmdline())
                if process.name().startswith("python") and "pyspark" in command:
                    process.kill()
