"""The fast and the slow part of the Makefile have every test between them, each in one of them."""

import ast
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests.conftest import (
    LONGEST,
    MARKED_BY_FIXTURES,
    SLOW,
    SLOW_FOLDERS,
    TESTS,
    TOGETHER,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
)

ROOT: Final = TESTS.parent


def words(variable: str) -> list[str]:
    """The words of a variable of the Makefile."""
    found = re.search(
        rf"^{variable} := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )
    assert found
    return found[1].split()


MARKERS: Final = [word for word in words("SLOW") if word != "or"]


def is_left_out(path: Path, expression: str) -> bool:
    config: Any = SimpleNamespace(getoption=lambda name: {"markexpr": expression}[name])
    return pytest_ignore_collect(path, config) is True


def marks(path: Path) -> list[str]:
    """What a file marks all of its tests with, as written."""
    return [
        ast.unparse(node.value)
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]


def test_the_slow_part_runs_every_marker_and_the_fast_part_leaves_the_same_out() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = [
        line.partition(":")[0] for line in settings["tool"]["pytest"]["ini_options"]["markers"]
    ]
    assert declared == MARKERS == list(SLOW)
    parts = re.findall(r'-m "(.*?)"', (ROOT / "Makefile").read_text("utf-8"))
    assert set(parts) == {"$(SLOW)", "not ($(SLOW))"}


def test_the_folders_that_the_fast_part_does_not_enter_have_only_marked_tests() -> None:
    assert words("SLOW_FOLDERS") == list(SLOW_FOLDERS)
    assert set(SLOW_FOLDERS.values()) <= set(MARKERS)
    folders = (*SLOW_FOLDERS, *MARKED_BY_FIXTURES)
    assert [folder for folder in folders if not (TESTS / folder).is_dir()] == []
    assert [name for name in (*LONGEST, *TOGETHER) if not (ROOT / name).exists()] == []


@pytest.mark.thorough
def test_a_file_that_the_fast_part_does_not_import_marks_all_of_its_tests_as_slow() -> None:
    fast = f"not ({' or '.join(MARKERS)})"
    left_out = [path for path in TESTS.rglob("test_*.py") if is_left_out(path, fast)]
    assert len(left_out) > 40
    slow = [[f"pytest.mark.{marker}"] for marker in MARKERS]
    assert [path for path in left_out if marks(path) not in slow] == []


@pytest.mark.parametrize("expression", ["", "spark", "spark or thorough", "not (airflow)"])
def test_every_other_selection_imports_the_file(tmp_path: Path, expression: str) -> None:
    path = tmp_path / "test_slow.py"
    path.write_text("import pytest\n\npytestmark = pytest.mark.spark\n", "utf-8")
    assert is_left_out(path, "not (spark or thorough)")
    assert not is_left_out(path, expression)


def test_the_slow_part_does_not_import_a_file_without_a_slow_test(tmp_path: Path) -> None:
    path = tmp_path / "test_fast.py"
    path.write_text("def test_nothing() -> None:\n    pass\n", "utf-8")
    assert is_left_out(path, " or ".join(MARKERS))
    assert not is_left_out(path, "")
    path.write_text("@pytest.mark.thorough\ndef test_nothing() -> None:\n    pass\n", "utf-8")
    assert not is_left_out(path, " or ".join(MARKERS))


def test_a_slow_test_that_the_slow_part_would_not_import_ends_the_run(tmp_path: Path) -> None:
    path = tmp_path / "test_hidden.py"
    path.write_text("from elsewhere import test_slow\n", "utf-8")
    slow: Any = SimpleNamespace(path=path, nodeid="x", get_closest_marker=MARKERS[:1].count)
    with pytest.raises(pytest.UsageError, match=r"test_hidden\.py: a slow test"):
        pytest_collection_modifyitems([slow])
