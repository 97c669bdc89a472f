"""The DAG bundle of the installed package."""

from __future__ import annotations

from pathlib import Path

import mqcap_dags
import pytest

from mqcap.installation.dag_files import DAG_NAMES


@pytest.mark.airflow
def test_the_bundle_is_the_folder_of_the_installed_dags() -> None:
    from mqcap_dags.bundle import InstalledDagBundle  # noqa: PLC0415 - loads Airflow

    bundle = InstalledDagBundle(name="mqcap", refresh_interval=60)
    assert bundle.path == Path(str(mqcap_dags.__file__)).parent
    assert all((bundle.path / f"{name}.py").is_file() for name in DAG_NAMES)
    assert (bundle.name, bundle.refresh_interval) == ("mqcap", 60)


def test_modules_without_a_dag_are_not_parsed() -> None:
    folder = Path(str(mqcap_dags.__file__)).parent
    ignored = (folder / ".airflowignore").read_text("utf-8").splitlines()[1:]
    modules = {path.name for path in folder.glob("*.py")}
    assert modules - {f"{name}.py" for name in DAG_NAMES} == set(ignored)
