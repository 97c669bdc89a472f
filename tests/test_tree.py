"""The tree itself: its top level, names, sizes, mirror of tests, and the layer contract."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from fnmatch import fnmatch
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = {
    "dags", "devtools", "docker", "docs", "forecasting", "mqcap", "plugins", "sizing",
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
MOST_MODULES: Final = 25
ONE_OF_A_KIND: Final = {
    "sizing/rules": "one module per topic of MP16",
    "sizing/calculators": "one module per calculator",
    "spark_apps/metrics": "one module per metric",
}
"""Folders that may hold more modules, because each module is one of a kind."""
SAME_NAMES: Final[dict[str, str]] = {}
"""Public class names that occur twice, with the reason."""
TESTED_ELSEWHERE: Final = {
    "devtools/benchmarks": "prints measurements; not a part of the product",
    "mqcap/store/tables": "declarations, tested through the modules that read and write them",
}
"""Folders whose modules need no test of their own name, with the tests that they have."""
UNTESTED_AT_MOST: Final = 0
"""Modules without a test of their name. This number may only fall."""
SHORT_LINES: Final = 45
"""A module with fewer lines belongs to its user, unless it has several or there is a reason."""
SHORT_KINDS: Final = {
    "mqcap/cli/*": "one module per command, registered in app",
    "mqcap/planning/levers/*": "one module per kind of resource, found by its folder",
    "mqcap/reports/sections/*": "one module per section, found by its folder",
    "plugins/mq_capacity_page/pages/*/*": "routes and view of a page are apart",
    "spark_apps/metrics/*": "one module per metric, found by its folder",
    "spark_apps/attribution/*": "one module per source of parts",
}
"""Kinds of modules that are files of their own however short they are, with the reason."""
SHORT: Final = {
    "plugins/mq_capacity_page/api/rows.py": "models of the REST API beside its routes",
    "dags/mqcap_dags/assets.py": "addresses by which DAGs of others are scheduled",
    "dags/mqcap_dags/bundle.py": "named in the settings of Airflow",
    "devtools/advisories/check.py": "a command of make check",
    "devtools/simulator/monitor/monitor_files.py": "files of monitors; generate is long",
    "devtools/simulator/planted.py": "results expected of rules, which specifications state",
    "devtools/simulator/site/manager_inputs.py": "a table of writers, one module per input",
    "forecasting/stan/backend.py": "the one user of private parts of CmdStanPy",
    "forecasting/site_shift.py": "the fit of a site's outcomes, without a store",
    "mqcap/completeness/log_growth.py": "a cross-check of feeds against each other",
    "mqcap/ingest/freed_memory.py": "memory of the C library; rows is about a command",
    "mqcap/judging/busiest_part.py": "the one rule about the busiest of several",
    "mqcap/judging/measured_days.py": "days of one series, shared by states; observed is long",
    "mqcap/judging/site_correction.py": "outcomes of a day by its rules; verify writes scores",
    "mqcap/judging/typed_figures.py": "typed figures that are not used; evaluate is long",
    "mqcap/store/row_digests/digest.py": "bytes of rows, whichever rows they are",
    "mqcap/domain/estate/planned.py": "planned changes, which entries of the estate do not know",
    "mqcap/ingest/capture_stamp.py": "the stamp of captures, whatever their kind",
    "mqcap/ingest/capture_kits/kits.py": "reads the scripts, which are data",
    "mqcap/ingest/console/catalogue.py": "reads the catalogue of messages, which is data",
    "mqcap/ingest/exposition/source.py": "an input, found by its folder",
    "mqcap/ingest/smf/quarantine.py": "form of a dataset",
    "mqcap/lake/console_events.py": "reads a dataset of the lake; its columns are listed there",
    "mqcap/settings/spark.py": "checks what Java would refuse; models is long",
    "mqcap/installation/extras.py": "a table, beside that of pyproject.toml",
    "mqcap/steps/collection.py": "about the collector of Python, whatever the step",
    "mqcap/planning/losses/due.py": "when a loss is due; the module that makes losses is long",
    "mqcap/reports/html.py": "one module per format",
    "mqcap/rulebook/units.py": "units by the names of inputs; describe is long",
    "mqcap/unit_costs/site_log_bytes.py": "one module per unit cost",
    "plugins/mq_capacity_plugin.py": "imported by an Airflow whose plugins folder this is",
    "plugins/mq_capacity_page/web/asset_routes.py": "routes that no page owns",
    "spark_apps/transforms/source_precedence.py": "one module per transform",
}
"""Further short modules with one user or none, with the reason."""
LEAST_TEST_RATIO: Final = 0.93
"""Lines of tests per line of source. This number may only rise."""


def modules() -> list[Path]:
    """Return all modules of the product, relative to the root, without empty ``__init__``."""
    result = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    return sorted(
        path.relative_to(ROOT)
        for path in result
        if "migrations" not in path.parts and not (path.name == "__init__.py" and _is_bare(path))
    )


def _is_bare(path: Path) -> bool:
    """Return true if a package has no code but imports and declarations of constants."""
    body = ast.parse(path.read_text("utf-8")).body
    return all(
        isinstance(node, ast.Expr | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign)
        for node in body
    )


def lines(folders: tuple[str, ...]) -> int:
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def expected_test(module: Path) -> Path:
    """Return the path of the test that is named like a module."""
    stem = module.parent.name if module.name == "__init__.py" else module.stem
    folder = module.parent.parent if module.name == "__init__.py" else module.parent
    return Path("tests") / folder / f"test_{stem}.py"


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
    packed = {each: set((place_of(each[0]) / each[0]).glob(each[1])) for each in patterns}
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


def test_no_folder_holds_more_modules_than_a_reader_can_survey() -> None:
    counts = Counter(str(path.parent) for path in modules() if path.name != "__init__.py")
    large = {folder for folder, count in counts.items() if count > MOST_MODULES}
    assert sorted(large - set(ONE_OF_A_KIND)) == []


@pytest.mark.thorough
def test_public_class_names_are_unique() -> None:
    places = defaultdict(list)
    for module in modules():
        for node in ast.parse((ROOT / module).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(module))
    twice = {name: where for name, where in places.items() if len(where) > 1}
    further = {name: where for name, where in twice.items() if name not in SAME_NAMES}
    assert further == {}
    assert sorted(set(SAME_NAMES) - set(twice)) == []


def test_modules_have_a_test_of_their_name() -> None:
    untested = [
        module
        for module in modules()
        if not str(module).startswith(tuple(TESTED_ELSEWHERE))
        and not (ROOT / expected_test(module)).exists()
    ]
    listed = "\n".join(str(expected_test(module)) for module in untested)
    assert len(untested) <= UNTESTED_AT_MOST, f"{len(untested)} tests are missing:\n{listed}"


@pytest.mark.thorough
def test_the_lines_of_tests_per_line_of_source_do_not_fall() -> None:
    ratio = lines(("tests",)) / lines(SOURCES)
    assert ratio >= LEAST_TEST_RATIO, f"{ratio:.3f} lines of tests per line of source"


def users_of_modules() -> Counter[str]:
    """Return how many modules of the product import each module, by its path."""
    paths = {".".join(module.with_suffix("").parts): str(module) for module in modules()}
    for folder in ("plugins.", "dags."):
        paths |= {name.removeprefix(folder): path for name, path in paths.items()}
    users: Counter[str] = Counter()
    for module in modules():
        imported: set[str] = set()
        for node in ast.walk(ast.parse((ROOT / module).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        users.update(paths[name] for name in imported & set(paths))
    return users


@pytest.mark.thorough
def test_short_modules_have_several_users_or_a_reason() -> None:
    users = users_of_modules()
    short = {
        str(module)
        for module in modules()
        if module.name != "__init__.py"
        and len((ROOT / module).read_text("utf-8").splitlines()) < SHORT_LINES
        and users[str(module)] < 2
    }
    alone = {path for path in short if not any(fnmatch(path, kind) for kind in SHORT_KINDS)}
    assert sorted(alone - set(SHORT)) == []
    assert [path for path in SHORT if not (ROOT / path).exists()] == []


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    result: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return result


def test_the_contract_of_the_architecture_page_is_that_of_the_import_linter() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    block = page.split("```")[1].strip().splitlines()
    assert block == contracts()[0]["layers"]


def test_no_contract_has_an_exception() -> None:
    assert [contract["name"] for contract in contracts() if "ignore_imports" in contract] == []


def test_the_architecture_page_names_every_folder_and_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    packages = {path.parent.name for path in (ROOT / "mqcap").glob("*/__init__.py")}
    assert [name for name in sorted(FOLDERS) if f"`{name}/`" not in page] == []
    assert [name for name in sorted(packages) if f"| `{name}` |" not in page] == []


BAD_IMPORTS: Final = (
    ("mqcap/domain/units.py", "import mqcap.settings"),
    ("mqcap/presentation/terminal.py", "import mqcap.reports.document"),
    ("mqcap/steps/land.py", "import airflow"),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("module", "statement"), BAD_IMPORTS)
def test_an_import_against_the_contract_fails_the_check(
    tmp_path: Path, module: str, statement: str
) -> None:
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.json"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / module).write_text(f"{statement}\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}:{tmp_path / 'plugins'}", "PATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout
    assert module.removesuffix(".py").replace("/", ".") in done.stdout
