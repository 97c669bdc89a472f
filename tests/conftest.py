"""Fixtures of all tests. Airflow's scratch home must be set before anything imports Airflow."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from mqcap.presentation.display_units import as_in_reports
from tests.airflow_home import airflow_home

__all__ = ["airflow_home"]

# Properties look at the same examples in every run, however busy the machine is.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("tests")

for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(library, "1")  # before NumPy loads: workers share the cores

MEANT_FOR_TESTS: Final = ("MQCAP_GOLDEN", "MQCAP_FUZZ", "MQCAP_JAVA_HOME")

for inherited in [name for name in os.environ if name.startswith("MQCAP_")]:
    if not inherited.startswith(MEANT_FOR_TESTS):
        del os.environ[inherited]  # a site's own settings are none of the tests' business


SLOW_FOLDERS: Final = {
    "browser": "end_to_end",
    "dags": "airflow",
    "end_to_end": "end_to_end",
    "faults": "end_to_end",
    "plugins/served": "airflow",
}
"""Folders that the fast part (Makefile) leaves out, by what each of their tests needs."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """No test of a folder that the fast part leaves out may be missing in the slow part."""
    path = item.path.relative_to(Path(__file__).parent)
    for folder, marker in SLOW_FOLDERS.items():
        if path.is_relative_to(folder):
            item.add_marker(marker)


@pytest.fixture(autouse=True)
def _preferences_of_no_site() -> Iterator[None]:
    """No test prints in the zones of the site that another one has used."""
    with as_in_reports():
        yield


def pytest_unconfigure() -> None:
    """Libraries say good-bye in log lines after pytest has closed the stream they go to."""
    logging.raiseExceptions = False
