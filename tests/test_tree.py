"""The tree itself: its top level, names, what the wheel holds, and the layer contract."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from fnmatch import fnmatch
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = {
    "dags", "devtools", "docker", "docs", "examples", "forecasting", "mqcap", "plugins", "sizing",
    "spark_apps", "tests",
}  # fmt: skip
FILES: Final = {
    "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
    "constraints.txt", "mkdocs.yml", "pyproject.toml",
}  # fmt: skip
HIDDEN: Final = {".ci", ".git", ".gitignore", ".pre-commit-config.yaml"}
SOURCES: Final = (
    "dags", "devtools", "forecasting", "mqcap", "plugins", "sizing", "spark_apps",
)  # fmt: skip
GENERIC_NAMES: Final = (
    "alerting", "commands", "domain", "ingest", "pipeline", "settings", "simulator", "store",
)  # fmt: skip
"""Packages of an earlier tree, which would collide with those of other teams."""


def test_the_top_level_holds_the_folders_and_files_of_the_tree_and_nothing_else() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("no git checkout")
    present = {name.partition("/")[0] for name in listed.stdout.splitlines()}
    assert present - HIDDEN == FOLDERS | FILES


@pytest.mark.parametrize("name", GENERIC_NAMES)
def test_no_generic_name_is_importable_from_the_top(name: str) -> None:
    folders = [str(ROOT), str(ROOT / "plugins"), str(ROOT / "dags")]
    assert PathFinder.find_spec(name, folders) is None


def test_the_wheel_installs_no_other_package_than_those_of_the_tree() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    include = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    places = [ROOT / where for where in settings["tool"]["setuptools"]["packages"]["find"]["where"]]
    folders = {path.parent.name for place in places for path in place.glob("*/__init__.py")}
    packages = {name for name in folders for pattern in include if fnmatch(name, pattern)}
    assert packages == {
        "devtools", "forecasting", "mq_capacity_page", "mqcap", "mqcap_dags", "sizing",
        "spark_apps",
    }  # fmt: skip


def test_the_wheel_has_every_data_file_of_its_packages() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = {
        (package.replace(".", "/"), pattern)
        for package, several in settings["tool"]["setuptools"]["package-data"].items()
        for pattern in several
    }
    packed = {
        pattern: set((place_of(pattern[0]) / pattern[0]).glob(pattern[1])) for pattern in patterns
    }
    packages = {package.partition("/")[0] for package, _ in patterns}
    data = {
        path
        for package in packages
        for path in (place_of(package) / package).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    assert sorted(data - set().union(*packed.values())) == []
    assert [each for each, files in packed.items() if not files] == []
    assert ROOT / "mqcap/ingest/console/catalogue.json" in data


def place_of(package: str) -> Path:
    """Return the folder of the checkout that holds a package."""
    first = package.partition("/")[0]
    return next(
        ROOT / place for place in (".", "dags", "plugins") if (ROOT / place / first).is_dir()
    )


@pytest.mark.thorough
def test_public_class_names_are_unique() -> None:
    places = defaultdict(list)
    for module in (path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        for node in ast.parse(module.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(module))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def architecture() -> str:
    """Return the text of the architecture page."""
    return (ROOT / "docs" / "architecture.md").read_text("utf-8")


def paths_in(text: str) -> set[str]:
    """Return what is set as code and begins with a folder of the top level."""
    return {
        path
        for path in re.findall(r"`([^`\s]+)`", text)
        if "/" in path and path.partition("/")[0] in FOLDERS
    }


def test_the_domain_reads_and_writes_no_file() -> None:
    touches = re.compile(r"\.open\(|\bopen\(|\.(read|write)_(text|bytes)\(")
    found = [
        path.name
        for path in (ROOT / "mqcap/domain").rglob("*.py")
        if touches.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_every_path_of_the_architecture_page_exists() -> None:
    paths = paths_in(architecture())
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []
    assert sorted(path for path in paths if (ROOT / path).is_dir() != path.endswith("/")) == []


def test_every_row_of_what_to_open_names_a_path() -> None:
    _, _, rows = architecture().partition("| to change | open |\n| --- | --- |\n")
    rows, _, _ = rows.partition("\n\n")
    assert [row for row in rows.splitlines() if not paths_in(row)] == []
    assert "a rule against a fixed limit" in rows


def test_the_trees_of_the_architecture_page_are_in_the_order_of_ls() -> None:
    folders = re.findall(r"^\| `(\w+)/` \|", architecture(), re.MULTILINE)
    packages = re.findall(r"^\| `(\w+)` \|", architecture(), re.MULTILINE)
    assert folders == sorted(FOLDERS)
    assert packages == sorted(path.parent.name for path in (ROOT / "mqcap").glob("*/__init__.py"))


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    result: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return result


def test_the_contract_of_the_architecture_page_is_that_of_the_import_linter() -> None:
    block = architecture().split("```")[1].strip().splitlines()
    assert block == contracts()[0]["layers"]


def test_no_contract_has_an_exception() -> None:
    assert [contract["name"] for contract in contracts() if "ignore_imports" in contract] == []


BAD_IMPORTS: Final = (
    ("mqcap/domain/units.py", "import mqcap.settings"),
    ("mqcap/presentation/terminal.py", "import mqcap.reports.document"),
    ("mqcap/steps/land.py", "import airflow"),
)


@pytest.mark.thorough
def test_each_import_against_the_contract_fails_the_check(tmp_path: Path) -> None:
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.json"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, statement in BAD_IMPORTS:
        (tmp_path / module).write_text(f"{statement}\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}:{tmp_path / 'plugins'}", "PATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout
    names = [module.removesuffix(".py").replace("/", ".") for module, _ in BAD_IMPORTS]
    assert [name for name in names if f"{name} " not in done.stdout] == []
