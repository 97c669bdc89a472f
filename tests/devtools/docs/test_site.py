"""The documentation as a site: complete, without a wrong link, and nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from devtools.docs.site import FROM_ROOT, ROOT, of_site, on_config, on_page_markdown

LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc=\"((?:https?:)?//[^\"]*)\""
    r"|<link\b(?![^>]*rel=\"canonical\")[^>]*\bhref=\"((?:https?:)?//[^\"]*)\""
)
LOADED_BY_STYLE = re.compile(r"(?:url\(|@import\s*)[\"']?((?:https?:)?//[^\"')]*)")


def page_at(place: str) -> SimpleNamespace:
    return SimpleNamespace(file=SimpleNamespace(src_uri=place))


def test_links_of_pages_beside_the_folder_are_those_of_the_site() -> None:
    assert of_site("[a](docs/airflow.md) ![b](docs/fleet.png) [c](README.md)") == (
        "[a](airflow.md) ![b](fleet.png) [c](index.md)"
    )


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


def test_files_beside_the_folder_exist() -> None:
    assert [name for name in FROM_ROOT.values() if not (ROOT / name).is_file()] == []


def test_nothing_of_the_theme_asks_other_addresses() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["strict"] is True
    assert settings["theme"]["font"] is False
    # A repository makes the theme ask its host for figures; `offline` loads a script.
    assert "repo_url" not in settings
    assert settings["plugins"] == ["search"]
    assert all(value == "warn" for value in settings["validation"].values())


@pytest.mark.parametrize(
    "loads",
    ['<script async src="https://x/y"></script>', '<link rel="stylesheet" href="//x/y">'],
)
def test_what_is_loaded_from_elsewhere_is_found(loads: str) -> None:
    assert LOADED.search(loads)
    assert not LOADED.search('<a href="https://x/y">')


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
