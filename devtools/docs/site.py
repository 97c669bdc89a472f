"""Hooks of the documentation site: pages from outside ``docs/``, and folders in the navigation.

Read by MkDocs (``mkdocs.yml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[2]
FROM_ROOT: Final = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
}
"""Pages of the site that are files beside ``docs/``."""
_ALL_OF: Final = "/*"


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation names the folder, ``decisions/*``."""
    config.nav = _expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside ``docs/``."""
    for name, source in FROM_ROOT.items():
        text = of_site((ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, name, content=text))
    return files


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
    found = sorted((folder / pattern.removesuffix(_ALL_OF)).glob("*.md"))
    return (f"{each.relative_to(folder)}" for each in sorted(found, key=_is_not_index))


def _is_not_index(page: Path) -> bool:
    return page.name != "README.md"
