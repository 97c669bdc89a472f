"""The terms of the glossary: words that it replaced do not come back unseen."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
DICTIONARY: Final = ROOT / "docs" / "words.txt"
SOURCES: Final = (
    "dags", "devtools", "forecasting", "mqcap", "plugins", "sizing", "spark_apps",
)  # fmt: skip
REPLACED_IN_NAMES: Final = {
    "beyond", "chance", "deaf", "desk", "letter", "letters", "lives", "news", "said", "told",
}  # fmt: skip
"""Further words that no module and no public symbol may have in its name."""
EXCEPTIONS: Final = {
    "mqcap.store.migrations.versions.0009_forecast_beyond": "revision of stores that exist",
    "mqcap.store.tables.forecasts.ForecastRow.beyond": "column of the store",
    "sizing.rules.recovery.LongUnitOfWorkInputs.told_per_h": "stored name of an input",
    "sizing.rules.recovery.rec_uow_told": "the rule REC-UOW-TOLD",
}
"""Names that stay as they are, by their path, with the reason."""


def words(name: str) -> set[str]:
    return {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def symbols(node: ast.AST, path: str) -> Iterator[str]:
    """Yield the public classes, functions, methods and constants below a node."""
    for child in ast.iter_child_nodes(node):
        names: list[str] = []
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = [child.name]
        elif isinstance(child, ast.Assign):
            names = [target.id for target in child.targets if isinstance(target, ast.Name)]
        elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            names = [child.target.id]
        for name in names:
            if not name.startswith("_"):
                yield f"{path}.{name}"
        if isinstance(child, ast.ClassDef):
            yield from symbols(child, f"{path}.{child.name}")


@cache
def public_names() -> tuple[str, ...]:
    names: list[str] = []
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            names += [module, *symbols(ast.parse(path.read_text("utf-8")), module)]
    return tuple(names)


def replaced_words() -> dict[str, str]:
    lines = DICTIONARY.read_text("utf-8").splitlines()
    return dict(line.split("->", 1) for line in lines)


def codespell(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "codespell_lib", *options, "."],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.thorough
def test_no_module_or_public_symbol_has_a_replaced_word_in_its_name() -> None:
    result = {
        name
        for name in public_names()
        if words(name.rpartition(".")[2]) & (REPLACED_IN_NAMES | set(replaced_words()))
    }
    assert sorted(result - set(EXCEPTIONS)) == []


@pytest.mark.thorough
def test_every_exception_still_exists() -> None:
    assert sorted(set(EXCEPTIONS) - set(public_names())) == []


def test_the_words_of_a_name_are_its_parts() -> None:
    assert words("MAX_Letters") == {"max", "letters"}
    assert words("SinceTold") == {"since", "told"}
    assert words("read_SMFRecord") == {"read", "smf", "record"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the spelling settings of the project."""
    (tmp_path / "docs").mkdir()
    for name in ("pyproject.toml", "docs/words.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.thorough
def test_the_spelling_check_refuses_every_replaced_word_with_its_replacement(
    project: Path,
) -> None:
    replaced = replaced_words()
    files = ("guide.md", "page.html", "module.py", "mail.txt.j2")
    for file in files:
        (project / file).write_text("\n".join(f"# a {word} here" for word in replaced), "utf-8")
    done = codespell(project)
    assert done.returncode != 0
    for word, instead in replaced.items():
        assert done.stdout.count(f"{word} ==> {instead.strip()}\n") == len(files)


@pytest.mark.thorough
def test_the_spelling_check_accepts_the_terms_of_the_glossary(project: Path) -> None:
    shutil.copy(ROOT / "docs" / "glossary.md", project / "docs" / "glossary.md")
    (project / "a.md").write_text("\n".join(replaced_words().values()), "utf-8")
    done = codespell(project)
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.thorough
def test_the_product_is_checked_for_further_words_than_its_tests(project: Path) -> None:
    shutil.copy(ROOT / "docs" / "words_product.txt", project / "docs" / "words_product.txt")
    (project / "a.md").write_text("It was told.", "utf-8")
    assert codespell(project).returncode == 0
    strict = codespell(project, "--dictionary", "docs/words_product.txt")
    assert strict.stdout.count("told ==> notified") == 1
    assert strict.returncode != 0


def test_the_dictionary_holds_words_of_the_glossary_in_order() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    unused = glossary[glossary.index("## Do not use") :].lower()
    replaced = replaced_words()
    assert list(replaced) == sorted(replaced)
    assert [word for word in replaced if word.removesuffix("s") not in unused] == []
