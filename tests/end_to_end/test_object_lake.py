"""A day with the lake in an object store, on a cluster whose workers share no folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import psutil
import pytest

from mqcap.lake.location import open_lake
from mqcap.steps import on_spark
from spark_apps.runtime.java import java_environment
from tests.faults.site import (
    LAST_DAY,
    ORDER,
    Contents,
    Site,
    contents,
    differences,
    inside,
    simulated,
    smallest_spec,
)
from tests.object_store import BUCKET, DENIED, TROUBLE, Answer, download, object_store
from tests.spark_apps.clock import begun_with, shifted_clock
from tests.spark_apps.cluster import SPARK_BIN, cluster

pytestmark = pytest.mark.end_to_end

HISTORY_DAYS: Final = 3
"""Too few for a forecast with a season, and enough for one of each kind of file."""
RUN_SECONDS: Final = 600
APPLICATION: Final = Path(on_spark.__file__)
AHEAD: Final = timedelta(days=1, hours=2)
"""Of the clock of one of the workers."""


@dataclass(frozen=True)
class Remote:
    """A site whose run in a folder is known, and what a cluster needs to run it."""

    site: Site
    local: Contents
    """What the steps leave in a folder, on the Spark session of this process."""
    master: str
    spark: Path
    """Scratch folders of the cluster."""
    clock: Path
    """Where processes of the worker whose clock is ahead note when they began."""

    def settings(self, lake: str) -> dict[str, str]:
        self.site.back_to("nothing")
        return {"MQCAP_LAKE": lake, "MQCAP_SPARK__MASTER": self.master}


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory, spark: object) -> Iterator[Remote]:
    folder = tmp_path_factory.mktemp("site")
    site = simulated(Site(folder), smallest_spec(), HISTORY_DAYS)
    site.deliver(LAST_DAY)
    site.keep("nothing")
    with inside(site):
        for step in ORDER:
            site.run(step)
    local = without_locks(contents(site.work))
    with object_store():
        environment = {**os.environ, **java_environment()}
        ahead = {1: shifted_clock(folder / "clock", AHEAD)}
        with cluster(folder / "spark", environment, 2, 1, ahead) as master:
            yield Remote(site, local, master, folder / "spark", folder / "clock")


def test_a_day_after_a_load_that_lost_workers_leaves_the_bytes_of_a_folder(remote: Remote) -> None:
    before = datetime.now(UTC)
    lake = f"s3://{BUCKET}/site"

    def refused(method: str, path: str) -> Answer | None:
        return DENIED if method == "PUT" and "/metric_part/" in path else None

    settings = remote.settings(lake)
    with TROUBLE.by(refused):
        run = started(remote.site, settings, "mqcap", "load")
        wait_until(lambda: any(open_lake(lake).glob("section_*/*/*")), run)
        kill_below(remote.spark / "worker-0")
        _, said = run.communicate(timeout=RUN_SECONDS)
    assert run.returncode == 3
    [sentence] = [line for line in said.splitlines() if line.startswith("error: ")]
    assert "rows.parquet cannot be written; found ACCESS_DENIED" in sentence
    assert not [*open_lake(lake).glob("metric_sources/*")]

    known = {*remote.spark.glob("worker-*/app-*")}
    of_killed = {*remote.spark.glob("worker-*/mqcap-*")}
    submit = (str(SPARK_BIN / "spark-submit"), "--master", remote.master)
    loopback = ("--conf", "spark.driver.host=127.0.0.1")
    with inside(remote.site), pytest.MonkeyPatch.context() as patch:
        patch.setenv("MQCAP_LAKE", lake)
        remote.site.run("land")
        day = ("--day", str(LAST_DAY))
        finished(started(remote.site, settings, *submit, *loopback, str(APPLICATION), *day))
        for step in ("size", "alert"):
            remote.site.run(step)
    used = {*remote.spark.glob("worker-*/app-*")} - known
    assert len({path.parent for path in used}) == 2
    assert all(began >= before + AHEAD for began in begun_with(remote.clock))
    assert not (remote.site.work / "lake").exists()
    download(lake, remote.site.work / "lake")
    assert differences(contents(remote.site.work), remote.local) == []
    assert {*remote.spark.glob("worker-*/mqcap-*")} <= of_killed


def test_workers_without_the_package_are_one_sentence(remote: Remote) -> None:
    bare = {"PYSPARK_PYTHON": str(Path(sys.base_prefix) / "bin" / "python3")}
    lake = f"s3://{BUCKET}/bare"
    run = started(remote.site, {**remote.settings(lake), **bare}, "mqcap", "load")
    _, said = run.communicate(timeout=RUN_SECONDS)
    assert run.returncode == 1
    assert "error: a Spark worker cannot decode 6 files: it lacks a Python package; found" in said
    assert "No module named 'spark_apps'; expected the packages of this machine" in said
    assert not [*open_lake(lake).glob("manifest/*")]


def started(site: Site, further: Mapping[str, str], *command: str) -> subprocess.Popen[str]:
    environment = {**os.environ, **java_environment(), **site.environment(), **further}
    return subprocess.Popen(
        [Path(sys.executable).parent / command[0], *command[1:]],
        env={**environment, "SPARK_LOCAL_IP": "127.0.0.1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(run: subprocess.Popen[str]) -> None:
    _, said = run.communicate(timeout=RUN_SECONDS)
    assert run.returncode == 0, said[-4_000:]


def wait_until(happens: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + RUN_SECONDS
    while not happens():
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def kill_below(scratch: Path) -> None:
    """Kill the processes of the worker with this scratch folder, which starts others for them."""
    [worker] = [child for child in psutil.Process().children() if Path(child.cwd()) == scratch]
    for process in worker.children(recursive=True):
        process.send_signal(signal.SIGKILL)


def without_locks(found: Contents) -> Contents:
    """What a lake holds but lock files, which only a folder has."""
    return {name: value for name, value in found.items() if not name.startswith("lake/locks/")}
