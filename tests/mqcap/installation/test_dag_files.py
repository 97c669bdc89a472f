"""Files for the DAG folder of an Airflow."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.installation.dag_files import DAG_NAMES, dag_files, install_dags
from tests.airflow_home import CHECKOUT

PACKAGE = CHECKOUT / "dags" / "mqcap_dags"


def dags_of(module: Path) -> tuple[str, ...]:
    """Names of the DAGs that a module declares, in order."""
    names = [
        node.targets[0].id
        for node in ast.parse(module.read_text("utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.endswith("DAG")
    ]
    return tuple(names)


def test_every_dag_of_the_package_has_a_file() -> None:
    declared = {path.stem: dags_of(path) for path in PACKAGE.glob("*.py")}
    assert {name: dags for name, dags in declared.items() if dags} == DAG_NAMES


@pytest.mark.parametrize("name", dag_files())
def test_a_file_only_imports_a_module_that_exists(name: str) -> None:
    text = dag_files()[name]
    _, imported, exported = ast.parse(text).body
    assert isinstance(imported, ast.ImportFrom)
    assert find_spec(str(imported.module)) is not None
    assert isinstance(exported, ast.Assign)
    assert ast.literal_eval(exported.value) == [alias.name for alias in imported.names]


def test_airflow_finds_the_words_by_which_it_knows_a_dag_file() -> None:
    assert all("airflow" in text and "dag" in text for text in dag_files().values())


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    assert [file.changed for file in install_dags(tmp_path)] == [True] * 4
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(dag_files())
    assert [file.changed for file in install_dags(tmp_path)] == [False] * 4


def test_a_file_of_an_older_release_is_written_again(tmp_path: Path) -> None:
    [first, *_] = install_dags(tmp_path)
    first.path.write_text(first.path.read_text("utf-8") + "# older\n", "utf-8")
    assert [file.changed for file in install_dags(tmp_path)] == [True, False, False, False]
    assert first.path.read_text("utf-8") == dag_files()[first.path.name]


def test_a_foreign_file_is_left_and_nothing_is_written(tmp_path: Path) -> None:
    foreign = tmp_path / "mqcap_reports.py"
    foreign.write_text("# ours\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"mqcap_reports\.py is not one of ours"):
        install_dags(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mqcap_reports.py"]
    assert foreign.read_text("utf-8") == "# ours\n"


def test_a_copy_of_the_dags_in_the_folder_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "team" / "daily_capacity.py"
    copy.parent.mkdir()
    copy.write_text('@dag(dag_id="mqcap_daily")\n', "utf-8")
    with pytest.raises(ConfigurationError, match="declares the DAG mqcap_daily already"):
        install_dags(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["team"]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no folder"):
        install_dags(tmp_path / "dags")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_permission_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(ConfigurationError, match="cannot be written; found Permission denied"):
        install_dags(tmp_path)
