"""A scratch Airflow for tests: environment at import, a migrated SQLite database on demand.

Airflow reads its configuration at its first import, so a test package that imports Airflow first
imports this module (``tests/conftest.py`` does it for all).
"""

import atexit
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
import yaml

CHECKOUT: Final = Path(__file__).resolve().parents[1]
HOME: Final = Path(tempfile.mkdtemp(prefix="mqcap-airflow-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)


def environment(home: Path) -> dict[str, str]:
    """Variables of an Airflow that knows our DAGs and plugins and nothing else."""
    return {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(CHECKOUT / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(CHECKOUT / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__FERNET_KEY": "",
        "AIRFLOW__API_AUTH__JWT_SECRET": "made-up-and-long-enough-to-sign-tokens-with-sha-512-" * 2,
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home}/airflow.db",
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(home / "logs"),
    }


def fresh_environment() -> dict[str, str]:
    """The environment for a new process that shall see this scratch Airflow."""
    return {**os.environ, **environment(HOME)}


def airflow_options() -> dict[str, set[str]]:
    """Return the options of Airflow's configuration by section, without importing Airflow."""
    spec = importlib.util.find_spec("airflow")
    assert spec is not None
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0], "config_templates", "config.yml")
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {section: set(content["options"]) for section, content in document.items()}


def unknown_options(names: Iterable[str]) -> list[str]:
    """Return the variables ``AIRFLOW__SECTION__OPTION`` among these that name no option."""
    options = airflow_options()
    parts = {name: name.lower().split("__") for name in names if name.startswith("AIRFLOW__")}
    return [name for name, (_, section, option) in parts.items() if option not in options[section]]


for inherited in [name for name in os.environ if name.startswith("AIRFLOW")]:
    del os.environ[inherited]
os.environ.update(environment(HOME))


@pytest.fixture(scope="session")
def airflow_home() -> Iterator[Path]:
    """The scratch home with a migrated database; made once per test process."""
    subprocess.run(
        [str(Path(sys.executable).parent / "airflow"), "db", "migrate"],
        env=fresh_environment(),
        check=True,
        capture_output=True,
    )
    yield HOME
