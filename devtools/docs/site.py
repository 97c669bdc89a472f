"""Hooks of the documentation site: pages from outside ``docs/`` or from code, and folders.

Read by MkDocs (``mkdocs.yml``).
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

from devtools.docs import layout_pages
from devtools.docs.command_page import command_page
from devtools.docs.rest_api_page import rest_api_page

ROOT: Final = Path(__file__).parents[2]
FROM_ROOT: Final = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
}
"""Pages of the site that are files beside ``docs/``."""
LAYOUTS: Final = "layouts"
_ALL_OF: Final = "/*"


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation names the folder, ``decisions/*``."""
    config.nav = _expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside ``docs/`` and those that are written from code."""
    for name, source in FROM_ROOT.items():
        text = of_site((ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, name, content=text))
    for name, text in generated_pages().items():
        files.append(File.generated(config, name, content=text))
    return files


@cache
def generated_pages() -> dict[str, str]:
    """Return the pages that are not kept as files: commands, REST API and record layouts."""
    os.environ.setdefault("AIRFLOW_HOME", str(ROOT / "var" / "airflow-of-docs"))
    with warnings.catch_warnings(action="ignore"):  # Airflow's own
        from mq_capacity_page.api.routes import api_description  # noqa: PLC0415 - after the home

    return {
        "commands.md": command_page(),
        "reference/rest-api.md": rest_api_page(api_description()),
        **{f"{LAYOUTS}/{name}": text for name, text in layout_pages.pages().items()},
    }


def on_page_markdown(markdown: str, page: Any, **_others: Any) -> str:
    """Return the page with links that lead to the pages of the site."""
    above = "../" * page.file.src_uri.count("/")
    for name, source in FROM_ROOT.items():
        markdown = markdown.replace(f"](../{above}{source})", f"]({above}{name})")
    return markdown


def of_site(text: str) -> str:
    """Return a page from beside ``docs/`` with links as from inside."""
    return re.sub(r"\]\(docs/", "](", text).replace("](README.md", "](index.md")


def _expanded(nav: Any, folder: Path) -> Any:
    if isinstance(nav, list):
        return [_expanded(each, folder) for each in nav]
    if isinstance(nav, dict):
        return {title: _expanded(each, folder) for title, each in nav.items()}
    return list(_pages(nav, folder)) if nav.endswith(_ALL_OF) else nav


def _pages(pattern: str, folder: Path) -> Iterable[str]:
    """Return the pages of a folder, its first one before the others."""
    name = pattern.removesuffix(_ALL_OF)
    written = layout_pages.pages() if name == LAYOUTS else ()
    found = {Path(name, page) for page in written}
    found |= {each.relative_to(folder) for each in (folder / name).glob("*.md")}
    return (f"{each}" for each in sorted(sorted(found), key=_is_not_index))


def _is_not_index(page: Path) -> bool:
    return page.name != "README.md"
