"""Faults inside Spark, with garbage among the files: the rerun leaves what a good run leaves."""

from __future__ import annotations

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
import pytest

from spark_apps.java import java_environment
from tests.faults.site import Contents, Site, contents, differences

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]

WAIT_SECONDS: Final = 240.0
UNHARMED: Final = (
    "lake/section_",
    "lake/metric_",
    "lake/feed_interval",
    "observation_",
    "feed_day",
)
"""What garbage may not change; it has rows and files of its own elsewhere."""


def deliver_garbage(inbox: Path) -> None:
    """Bytes that are nothing, a dump with a damaged end, a broken archive, an empty file."""
    noise = bytes(range(256)) * 2_000
    dump = min(inbox.glob("*.smf"), key=lambda path: path.stat().st_size).read_bytes()
    (inbox / "noise.smf").write_bytes(noise)
    (inbox / "damaged.smf").write_bytes(dump[: len(dump) // 5] + noise)
    (inbox / "broken.smf.gz").write_bytes(b"\x1f\x8b\x08\x00" + noise[:4_096])
    (inbox / "empty.smf").write_bytes(b"")


def killed_when(site: Site, happens: Callable[[], bool]) -> None:
    """Start the command line, and kill it, its JVM and all when something is seen to happen."""
    command = [str(Path(sys.executable).parent / "mqcap"), "load"]
    environment = {**os.environ, **java_environment(), **site.environment()}
    run = subprocess.Popen(
        command, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + WAIT_SECONDS
    while not happens() and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    has_happened = happens()
    os.killpg(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    assert has_happened


def spark_processes() -> list[psutil.Process]:
    """The JVM of this process and the Python processes below it."""
    found: list[psutil.Process] = psutil.Process().children(recursive=True)
    return found


@contextmanager
def small_files_only(bytes_count: int) -> Iterator[None]:
    """Nothing in Spark can write a file beyond that size: to it the disk is full."""
    found = spark_processes()
    before = [resource.prlimit(one.pid, resource.RLIMIT_FSIZE) for one in found]
    try:
        for one, (_, hard) in zip(found, before, strict=True):
            resource.prlimit(one.pid, resource.RLIMIT_FSIZE, (bytes_count, hard))
        yield
    finally:
        for one, limits in zip(found, before, strict=True):
            if one.is_running():
                resource.prlimit(one.pid, resource.RLIMIT_FSIZE, limits)


def unharmed(found: Contents) -> Contents:
    return {name: found[name] for name in found if name.startswith(UNHARMED)}


def test_garbage_kills_and_a_full_disk_while_loading_change_nothing(site: Site) -> None:
    site.back_to("nothing")
    deliver_garbage(site.work / "inbox")
    told = site.run("land")
    assert len(told["rejected"]) >= 2
    lake = site.work / "lake"
    killed_when(site, lambda: any(lake.glob("section_*/received_date=*/*")))
    killed_when(site, lambda: any(lake.glob("metric_hourly/.spark-staging-*/*")))
    with small_files_only(512), pytest.raises(Exception, match=r"too large|Job aborted"):
        site.run("decode_and_aggregate")
    for step in ("land", "decode_and_aggregate", "observe"):
        site.run(step)
    wanted = unharmed(site.left_after("observe"))
    assert differences(unharmed(contents(site.work)), wanted) == []


def test_python_workers_that_are_killed_while_they_fit_change_nothing(site: Site) -> None:
    site.back_to("export_training")
    fitting = threading.Thread(target=_kill_workers, args=(site.work / "lake",))
    fitting.start()
    with pytest.raises(Exception, match=r"Python worker|Job aborted"):
        site.run("fit")
    fitting.join()
    site.run("fit")
    assert differences(contents(site.work), site.left_after("fit")) == []


def _kill_workers(lake: Path) -> None:
    """Kill what computes in Python as soon as the result is being written."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not any(lake.glob("forecast_result/*/_temporary")) and time.monotonic() < deadline:
        time.sleep(0.01)
    for one in spark_processes():
        with suppress(psutil.NoSuchProcess):  # some end by themselves
            if "pyspark" in " ".join(one.cmdline()) and one.name().startswith("python"):
                one.kill()
