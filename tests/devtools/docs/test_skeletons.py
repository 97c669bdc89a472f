"""The skeletons of CONTRIBUTING.md, in a copy of the tree, pass ruff, mypy and their tests."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from mqcap.store.database import newest_revision

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = (
    "dags", "devtools", "forecasting", "mqcap", "plugins", "sizing", "spark_apps", "tests",
)  # fmt: skip
SKELETON: Final = re.compile(r"```\w+\n(?:#|{#|<!--) ([\w./]+)[^\n]*\n(.*?)```", re.DOTALL)
ADDED: Final = (
    "sizing/plain_rules.yaml", "tests/sizing/daily_limits.yaml",
    "spark_apps/metrics/catalogue.csv", "mqcap/store/tables.py",
)  # fmt: skip
"""Files that a skeleton is added to."""
AIRFLOW: Final = "plugins/mq_capacity_page"
"""What imports Airflow is tested where that is loaded."""


def skeletons() -> Iterator[tuple[str, str]]:
    """Yield path and text of each skeleton; the revision has the number after the newest."""
    newest = newest_revision()
    number = f"{int(newest) + 1:04}"
    for path, text in SKELETON.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        numbered = text.replace("NNNN less 1", newest).replace("NNNN", number)
        yield path.replace("NNNN", number), numbered


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with all skeletons in their places."""
    folder = tmp_path_factory.mktemp("tree")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path, text in skeletons():
        file = folder / path
        if path in ADDED:
            before = file.read_text("utf-8").rstrip()
            blank = "\n\n\n" if file.suffix == ".py" else "\n"
            file.write_text(f"{before}{blank}{text}", "utf-8")
        else:
            assert not file.exists(), path
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".py" and not (file.parent / "__init__.py").exists():
                (file.parent / "__init__.py").touch()
            file.write_text(text, "utf-8")
    return folder


def ran(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=tree,
        env={"PYTHONPATH": f"{tree}:{tree / 'plugins'}:{tree / 'dags'}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def written(kind: str) -> list[str]:
    """The files of the skeletons that are Python and so begin."""
    return [path for path, _ in skeletons() if path.endswith(".py") and path.startswith(kind)]


def test_every_recipe_has_a_skeleton() -> None:
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n### ")[1:]
    code = [recipe for recipe in recipes if "No code" not in recipe]
    assert [recipe.split("\n")[0] for recipe in code if not SKELETON.search(recipe)] == []
    assert len(written("")) > 20


@pytest.mark.thorough
def test_ruff_accepts_the_skeletons(tree: Path) -> None:
    done = ran(tree, "ruff", "check", "--no-cache", *written(""))
    assert done.returncode == 0, done.stdout


@pytest.mark.end_to_end
def test_the_tests_of_the_skeletons_pass(tree: Path) -> None:
    tests = [path for path in written("tests/") if AIRFLOW not in path]
    limits = ["tests/sizing/test_limits.py", "tests/mqcap/store/test_database.py",
              "tests/mqcap/operands"]  # fmt: skip
    done = ran(
        tree, "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tree / '.temporary'}",
        *tests, *limits, "-k", "not postgres and not many and not server",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4_000:]
