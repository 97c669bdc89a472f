"""The DAGs as Airflow parses them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from tests.airflow_home import CHECKOUT

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

DAGS = CHECKOUT / "dags"


@pytest.fixture(scope="session")
def bag() -> BundleDagBag:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Airflow's own use of what its dependencies deprecate
        from airflow.dag_processing.dagbag import BundleDagBag  # noqa: PLC0415 - warns

        return BundleDagBag(DAGS, bundle_path=DAGS, bundle_name="mqcap")
