"""Releases of Airflow, and what the DAGs need of it."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.installation import airflow_needs
from mqcap.installation.airflow_needs import (
    PLATFORM_MAIL_VARIABLE,
    SMTP_CONNECTION,
    SPARK_CONNECTION,
    declared_pools,
    require_supported,
    require_supported_here,
)
from tests.airflow_home import CHECKOUT


def test_pools_are_those_of_the_file() -> None:
    pools = {(pool.name, pool.slots) for pool in declared_pools()}
    assert pools == {("mqcap_lake", 1), ("mqcap_delivery", 1)}


@pytest.mark.parametrize("version", ["3.1.0", "3.2.2", "3.3.9"])
def test_supported_releases_are_accepted(version: str) -> None:
    require_supported(version)


@pytest.mark.parametrize("version", ["2.11.2", "3.0.6", "3.4.0", "4.1.0", "unknown"])
def test_other_releases_are_refused_in_one_sentence(version: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        require_supported(version)
    assert str(raised.value) == (
        f"this release of Airflow is not supported; found Airflow {version}; expected 3.1 to 3.3. "
        "Install mqcap beside Airflow 3.3: pip install 'mqcap[airflow,spark]'."
    )


@pytest.mark.parametrize("installed", ["apache-airflow-core", "apache-airflow"])
def test_the_release_of_this_environment_is_that_of_either_package(
    monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    def version(package: str) -> str:
        if package != installed:
            raise PackageNotFoundError(package)
        return "2.10.5"

    monkeypatch.setattr(airflow_needs, "version", version)
    with pytest.raises(ConfigurationError, match=r"found Airflow 2\.10\.5; expected 3\.1 to 3\.3"):
        require_supported_here()


def test_the_pinned_release_is_accepted() -> None:
    require_supported_here()


def test_the_releases_are_those_of_the_extra() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "apache-airflow>=3.1,<3.4" in project["optional-dependencies"]["airflow"]


@pytest.mark.airflow
def test_the_names_are_those_that_the_dags_use() -> None:
    from mqcap_dags import defaults, spark  # noqa: PLC0415 - loads Airflow

    assert {pool.name for pool in declared_pools()} == {str(pool) for pool in defaults.Pool}
    assert defaults.SMTP_CONNECTION == SMTP_CONNECTION
    assert defaults.PLATFORM_MAIL_VARIABLE == PLATFORM_MAIL_VARIABLE
    assert spark.SPARK_CONNECTION == SPARK_CONNECTION
