"""A daily run with the lake in an object store, on a cluster whose workers share no folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from spark_apps.runtime.java import java_environment
from tests.faults.site import (
    DAYS,
    LAST_DAY,
    Contents,
    Site,
    contents,
    simulated,
    smallest_spec,
)
from tests.object_store import download, object_store
from tests.spark_apps.cluster import cluster

pytestmark = pytest.mark.end_to_end

RUN_SECONDS = 600


def test_an_object_store_and_a_cluster_of_two_workers_leave_the_bytes_of_a_folder(
    tmp_path: Path,
) -> None:
    site = simulated(Site(tmp_path), smallest_spec(), DAYS)
    site.deliver(LAST_DAY)
    site.keep("nothing")
    run(site, {})
    local = without_locks(contents(site.work))
    site.back_to("nothing")
    with object_store() as lake:
        environment = {**os.environ, **java_environment()}
        with cluster(tmp_path / "spark", environment, workers=2, cores=1) as master:
            run(site, {"MQCAP_LAKE": lake, "MQCAP_SPARK__MASTER": master})
        assert len(list((tmp_path / "spark").glob("worker-*/app-*"))) >= 2
        assert not (site.work / "lake").exists()
        download(lake, site.work / "lake")
    remote = contents(site.work)
    assert {
        name for name in remote.keys() | local.keys() if remote.get(name) != local.get(name)
    } == set()
    assert not [*tmp_path.glob("spark/worker-*/mqcap-*")]


def run(site: Site, further: Mapping[str, str]) -> None:
    """Run the day as an operator does."""
    environment = {**os.environ, **java_environment(), **site.environment(), **further}
    done = subprocess.run(
        [Path(sys.executable).parent / "mqcap", "run", "--day", str(LAST_DAY)],
        env={**environment, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4_000:]


def without_locks(found: Contents) -> Contents:
    """What a lake holds but lock files, which only a folder has."""
    return {name: value for name, value in found.items() if not name.startswith("lake/locks/")}
