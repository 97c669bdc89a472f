"""Documents name targets of make, modules and extras that exist.

Commands `mqcap ...` have tests of their own: that each exists with its options
(tests/mqcap/cli/test_app.py) and that those in blocks run as they stand
(tests/end_to_end/test_shown_commands.py, test_written_commands.py).
"""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

HISTORY: Final = Path("CHANGELOG.md")
"""Names what releases had."""
DOCUMENTS: Final = sorted({*Path().glob("*.md"), *Path("docs").rglob("*.md")} - {HISTORY})
CODE: Final = re.compile(r"^ *```\w*\n(.*?)```|`([^`]+)`", re.DOTALL | re.MULTILINE)
TARGET: Final = re.compile(r"^ *make ([a-z-]+)|; *make ([a-z-]+)|&& *make ([a-z-]+)", re.MULTILINE)
MODULE: Final = re.compile(r"python -m ((?:devtools|spark_apps|tests)[\w.]*)(.*)")
EXTRAS: Final = re.compile(r"mqcap\[([a-z,]+)\]")
MADE: Final = set(re.findall(r"^([a-z-]+):", Path("Makefile").read_text("utf-8"), re.MULTILINE))


def code_of(text: str) -> str:
    """Return what a document has in code blocks and spans, one of them on each line."""
    return "\n".join(block or " ".join(span.split()) for block, span in CODE.findall(text))


def targets(code: str) -> set[str]:
    return {name for found in TARGET.findall(code) for name in found if name}


def modules(code: str) -> list[tuple[str, set[str]]]:
    """Return the modules that are started, each with its options."""
    return [(name, set(re.findall(r" (--[a-z-]+)", rest))) for name, rest in MODULE.findall(code)]


def missing_of_module(name: str, options: set[str]) -> set[str]:
    """Return what does not exist: the module, or options that its source does not have."""
    spec = find_spec(name)
    if spec is not None and spec.submodule_search_locations:
        spec = find_spec(f"{name}.__main__")
    if spec is None or spec.origin is None:
        return {name}
    source = Path(spec.origin).read_text(encoding="utf-8")
    return {option for option in options if f'"{option}"' not in source}


def named_extras(code: str) -> set[str]:
    return {name for found in EXTRAS.findall(code) for name in found.split(",")}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_what_a_document_starts_exists(document: Path) -> None:
    code = code_of(document.read_text(encoding="utf-8"))
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert targets(code) <= MADE
    assert named_extras(code) <= set(project["optional-dependencies"])
    for name, options in modules(code):
        assert missing_of_module(name, options) == set()


def test_what_does_not_exist_is_found() -> None:
    text = "`make nothing`\n```sh\nmake run # x\n```\n`pip install 'mqcap[no,aws]'` make this"
    assert targets(code_of(text)) - MADE == {"nothing"}
    assert named_extras(code_of(text)) == {"no", "aws"}
    name = "devtools.local.plain_airflow"
    code = code_of(f"`python -m {name} --airflow 3.3.2 --nothing` `python -m devtools.nothing`")
    missing = [missing_of_module(*each) for each in modules(code)]
    assert missing == [{"--nothing"}, {"devtools.nothing"}]


def test_documents_name_programs() -> None:
    code = "\n".join(code_of(document.read_text(encoding="utf-8")) for document in DOCUMENTS)
    assert {"run", "test", "demo", "docs", "check"} <= targets(code)
    assert len({name for name, _ in modules(code)}) >= 8
    assert {"airflow", "spark", "java"} <= named_extras(code)
