"""Fixtures of all tests. Airflow's scratch home must be set before anything imports Airflow."""

from __future__ import annotations

import logging
import os
from typing import Final

import pytest

from tests.airflow_home import airflow_home

__all__ = ["airflow_home"]

MEANT_FOR_TESTS: Final = ("MQCAP_GOLDEN", "MQCAP_FUZZ", "MQCAP_JAVA_HOME")

for inherited in [name for name in os.environ if name.startswith("MQCAP_")]:
    if not inherited.startswith(MEANT_FOR_TESTS):
        del os.environ[inherited]  # a site's own settings are none of the tests' business


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests over reference data when none stands beside the checkout.

    They are parametrised over what exists; pytest would report the empty sets as skipped.
    """
    idle = [item for item in items if _has_nothing_to_compare(item)]
    config.hook.pytest_deselected(items=idle)
    items[:] = [item for item in items if item not in idle]


def pytest_unconfigure() -> None:
    """Libraries say good-bye in log lines after pytest has closed the stream they go to."""
    logging.raiseExceptions = False


def _has_nothing_to_compare(item: pytest.Item) -> bool:
    reasons = [mark.kwargs.get("reason", "") for mark in item.iter_markers("skip")]
    return any("empty parameter set" in str(reason) for reason in reasons)
