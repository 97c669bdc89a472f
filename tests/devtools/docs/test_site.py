"""The documentation as a site: complete, without a wrong link, and nothing from elsewhere."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
import yaml

from devtools.docs.layout_pages import pages
from devtools.docs.site import (
    ROOT,
    command_page,
    on_config,
    on_page_markdown,
    rest_api_page,
)
from mqcap.ingest.smf.layout import layouts
from tests.many_values import for_each
from tests.mqcap.cli.test_app import ALL

LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc=\"((?:https?:)?//[^\"]*)\""
    r"|<link\b(?![^>]*rel=\"canonical\")[^>]*\bhref=\"((?:https?:)?//[^\"]*)\""
)
LOADED_BY_STYLE = re.compile(r"(?:url\(|@import\s*)[\"']?((?:https?:)?//[^\"')]*)")


def page_at(place: str) -> SimpleNamespace:
    return SimpleNamespace(file=SimpleNamespace(src_uri=place))


@pytest.mark.parametrize(
    ("place", "link", "expected"),
    [
        ("alerts.md", "../CHANGELOG.md", "CHANGELOG.md"),
        ("decisions/028.md", "../../CHANGELOG.md", "../CHANGELOG.md"),
        ("decisions/028.md", "../alerts.md", "../alerts.md"),
        ("reference/settings.md", "../../README.md", "../index.md"),
    ],
)
def test_links_out_of_the_folder_lead_to_the_pages_of_the_site(
    place: str, link: str, expected: str
) -> None:
    assert on_page_markdown(f"[x]({link})", page_at(place)) == f"[x]({expected})"


def test_a_folder_in_the_navigation_is_all_its_pages_with_the_first_one_first(
    tmp_path: Path,
) -> None:
    (tmp_path / "decisions").mkdir()
    for name in ("002.md", "001.md", "README.md"):
        (tmp_path / "decisions" / name).touch()
    config = SimpleNamespace(nav=["a.md", {"D": "decisions/*"}], docs_dir=str(tmp_path))
    pages = ["decisions/README.md", "decisions/001.md", "decisions/002.md"]
    assert on_config(config).nav == ["a.md", {"D": pages}]


def test_nothing_of_the_theme_asks_other_addresses() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["strict"] is True
    assert settings["theme"]["font"] is False
    # A repository makes the theme ask its host for figures; `offline` loads a script.
    assert "repo_url" not in settings
    assert settings["plugins"] == ["search"]
    assert all(value == "warn" for value in settings["validation"].values())


@pytest.mark.thorough
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(
    tmp_path: Path,
) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")}
    assert len(pages) > 80
    assert (tmp_path / "search" / "search_index.json").is_file()
    for name in ("commands", "reference/rest-api", "layouts/statistics-115"):
        assert tmp_path / f"{name}.html" in pages
    for path, text in pages.items():
        assert LOADED.findall(text) == [], path
        assert 'class="mermaid"' not in text, f"{path}: the theme would load a script"
    for path in tmp_path.rglob("*.css"):
        assert LOADED_BY_STYLE.findall(path.read_text(encoding="utf-8")) == [], path


PAGE = command_page()


@pytest.mark.parametrize("words", [words for words, command in ALL.items() if not command.hidden])
def test_every_command_has_its_section_with_every_option(words: str) -> None:
    marks = "###" if " " in words else "##"
    section = PAGE.partition(f"\n{marks} mqcap {words}\n")[2].partition("\n##")[0]
    shown = [option for option in ALL[words].params if not getattr(option, "hidden", False)]
    names = [opt for option in shown for opt in option.opts if opt.startswith("--")]
    assert [name for name in names if f"{name}" not in section] == []
    assert ALL[words].help.split("\n")[0].strip() in section


PAGES = pages()


@for_each("name", sorted(layouts()))
def test_every_field_is_on_one_page_with_offset_length_and_mark(name: str) -> None:
    layout = layouts()[name]
    (page,) = (text for text in PAGES.values() if f"\n## {name}\n" in text)
    part = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in part.splitlines() if re.match(r"\| [^-]", line)][1:]
    fields = [field for item in layout.fields for field in (item, *item.fields)]
    assert [row[0].removeprefix("| ") for row in rows] == [field.name for field in fields]
    assert [row[3] for row in rows] == [str(field.length) for field in fields]
    assert all(row[2].endswith(str(f.offset)) for row, f in zip(rows, fields, strict=True))
    marks = {None: "V", "A": "A", "B": "**B**", "C": "**C**"}
    assert [row[7] for row in rows] == [marks[field.certainty] for field in fields]


DOCUMENT: dict[str, Any] = {
    "paths": {
        "/api/days": {
            "get": {
                "description": "List\n the days.",
                "parameters": [
                    {
                        "name": "limit",
                        "schema": {"type": "integer", "default": 100},
                        "description": "At most a|b.",
                    },
                    {"name": "series", "required": True, "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "description": "Successful Response",
                        "content": {"application/json": {"schema": {"$ref": "#/x/EvaluatedDays"}}},
                    },
                    "401": {"description": "Not signed in"},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "EvaluatedDays": {
                "description": "The days.\n\nMore.",
                "properties": {
                    "days": {"type": "array", "items": {"type": "string", "format": "date"}},
                    "note": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "description": "Why.",
                    },
                },
            },
            "Severity": {"enum": ["ok", "act"]},
        }
    },
}


def test_a_path_has_its_parameters_and_answers() -> None:
    lines = rest_api_page(DOCUMENT).splitlines()
    assert "## GET /api/days" in lines
    assert "List the days." in lines
    assert "| `limit` | integer | `100` | At most a\\|b. |" in lines
    assert "| `series` | text | required |  |" in lines
    assert "| 200 | Successful Response, [EvaluatedDays](#evaluateddays) |" in lines
    assert "| 401 | Not signed in |" in lines


def test_an_object_has_its_fields_and_an_enumeration_its_values() -> None:
    lines = rest_api_page(DOCUMENT).splitlines()
    assert "The days." in lines
    assert "| `days` | list of date |  |" in lines
    assert "| `note` | text or none | Why. |" in lines
    assert "Values: `ok`, `act`." in lines


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
