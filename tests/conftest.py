"""Fixtures of all tests. Airflow's scratch home must be set before anything imports Airflow."""

from __future__ import annotations

import gc
import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from sqlalchemy import Pool, event

from mqcap.presentation.display_units import of_no_site
from tests.airflow_home import airflow_home

__all__ = ["airflow_home"]

# Properties look at the same examples in every run, however busy the machine is.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("tests")

for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(library, "1")  # before NumPy loads: workers share the cores

gc.set_threshold(100_000, 20, 100)  # thousands of tests and modules are never garbage

MEANT_FOR_TESTS: Final = ("MQCAP_GOLDEN", "MQCAP_FUZZ", "MQCAP_JAVA_HOME")

for inherited in [name for name in os.environ if name.startswith("MQCAP_")]:
    if not inherited.startswith(MEANT_FOR_TESTS):
        del os.environ[inherited]  # a site's own settings are none of the tests' business
os.environ["MQCAP_SETTINGS_FILE"] = ""  # nor are those of a local run of this checkout


SLOW_FOLDERS: Final = {
    "browser": "end_to_end",
    "dags": "airflow",
    "end_to_end": "end_to_end",
    "faults": "end_to_end",
    "plugins/served": "airflow",
}
"""Folders that the fast part (Makefile) leaves out, by what each of their tests needs."""


SLOW_FILE: Final = re.compile(r"^pytestmark = pytest\.mark\.(\w+)$", re.MULTILINE)
"""A file each of whose tests needs the same."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file whose tests the ``-m`` of the fast part all leaves out."""
    left_out = re.fullmatch(r"not \((\w+(?: or \w+)*)\)", config.getoption("markexpr"))
    if left_out is None or not collection_path.match("test_*.py"):
        return None
    needs = SLOW_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if needs and needs[1] in left_out[1].split(" or ") else None


def pytest_collection_finish() -> None:
    """What is collected stays until the end: the collector need not look at it again."""
    gc.freeze()


def pytest_itemcollected(item: pytest.Item) -> None:
    """No test of a folder that the fast part leaves out may be missing in the slow part."""
    for folder, marker in SLOW_FOLDERS.items():
        if item.nodeid.startswith(f"tests/{folder}/"):
            item.add_marker(marker)


@event.listens_for(Pool, "checkout")
def _no_waiting_for_the_disk(connection: object, _record: object, _proxy: object) -> None:
    """A power failure during the tests may lose their SQLite files: nobody needs them then."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")


@pytest.fixture(autouse=True)
def _zones_of_no_site() -> Iterator[None]:
    """No test prints in the zones of the site that another one has used."""
    with of_no_site():
        yield


def pytest_unconfigure() -> None:
    """Libraries say good-bye in log lines after pytest has closed the stream they go to."""
    logging.raiseExceptions = False
