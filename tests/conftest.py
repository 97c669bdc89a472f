"""Fixtures of all tests. Airflow's scratch home must be set before anything imports Airflow."""

import gc
import logging
import os
import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings
from sqlalchemy import Pool, event
from xdist.scheduler import LoadFileScheduling

from mqcap.presentation import display_units
from tests.airflow_home import airflow_home

__all__ = ["airflow_home"]

# Properties look at the same examples in every run, however busy the machine is.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("tests")

for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(library, "1")  # before NumPy loads: workers share the cores

gc.set_threshold(100_000, 20, 100)  # thousands of tests and modules are never garbage

TESTS: Final = Path(__file__).resolve().parent

MEANT_FOR_TESTS: Final = ("MQCAP_GOLDEN", "MQCAP_FUZZ", "MQCAP_JAVA_HOME")

for inherited in [name for name in os.environ if name.startswith("MQCAP_")]:
    if not inherited.startswith(MEANT_FOR_TESTS):
        del os.environ[inherited]  # a site's own settings are none of the tests' business
os.environ["MQCAP_SETTINGS_FILE"] = ""  # nor are those of a local run of this checkout


SLOW: Final = ("spark", "airflow", "end_to_end", "thorough")
"""Markers of the slow part."""


SLOW_FOLDERS: Final = {
    "browser": "end_to_end",
    "dags": "airflow",
    "end_to_end": "end_to_end",
    "faults": "end_to_end",
    "plugins/served": "airflow",
}
"""Folders that the fast part (Makefile) leaves out, by what each of their tests needs."""


MARKED_BY_FIXTURES: Final = ("mqcap/store", "plugins")
"""Folders in which fixtures mark the tests that need PostgreSQL or Airflow."""


SLOW_FILE: Final = re.compile(r"^pytestmark = pytest\.mark\.(\w+)$", re.MULTILINE)
"""A file each of whose tests needs the same."""


LONGEST: Final = (
    "tests/end_to_end/test_local_platform.py", "tests/faults/", "tests/spark_apps/",
    "tests/end_to_end/test_object_lake.py", "tests/end_to_end/", "tests/browser/",
)  # fmt: skip
"""Files and folders of the slow part that take longest: what is begun late ends last."""


TOGETHER: Final = ("tests/faults/", "tests/spark_apps/")
"""Folders whose tests share what is dear to make, a site or a Spark session: one process each."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file of whose tests ``-m`` leaves out all."""
    part = re.fullmatch(r"(not \()?(\w+(?: or \w+)*)\)?", config.getoption("markexpr"))
    if part is None or not collection_path.match("test_*.py"):
        return None
    markers = part[2].split(" or ")
    if not part[1]:
        return None if may_have(collection_path, markers) else True
    needs = SLOW_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if needs and needs[1] in markers else None


def may_have(path: Path, markers: Sequence[str]) -> bool:
    """Whether tests of a file may have one of these markers: by the file's name or its text."""
    folders = (*SLOW_FOLDERS, *MARKED_BY_FIXTURES)
    if any(path.is_relative_to(TESTS / folder) for folder in folders):
        return True
    marks = rf"pytest\.mark\.(?:{'|'.join(markers)})\b"
    return re.search(marks, path.read_text(encoding="utf-8")) is not None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long ones first; a slow test in a file that the slow part does not import ends the run."""
    for path in {item.path for item in items if any(map(item.get_closest_marker, SLOW))}:
        if not may_have(path, SLOW):
            raise pytest.UsageError(f"{path}: a slow test whose marker is in another file")
    items.sort(key=lambda item: _place(item.nodeid, LONGEST))


def _place(nodeid: str, among: tuple[str, ...]) -> int:
    """Return the place of a test's file or folder, the length where it has none."""
    return next((n for n, name in enumerate(among) if nodeid.startswith(name)), len(among))


class SlowPart(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """A process for each file, but one for all files of some folders; in the order of the items."""

    def _split_scope(self, nodeid: str) -> str:
        place = _place(nodeid, TOGETHER)
        return TOGETHER[place] if place < len(TOGETHER) else str(super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Return what distributes the tests over the processes of ``--dist loadfile``."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return SlowPart(config, log)


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
def _zones_of_no_site() -> None:
    """No test prints in the zones of the site that another one has used."""
    display_units.use(display_units.DisplayZones())


def pytest_unconfigure() -> None:
    """Libraries say good-bye in log lines after pytest has closed the stream they go to."""
    logging.raiseExceptions = False
