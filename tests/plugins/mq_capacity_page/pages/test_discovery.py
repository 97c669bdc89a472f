"""Pages are found by their folders."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import mq_capacity_page
from mq_capacity_page.pages import discovery
from mq_capacity_page.pages.discovery import NavigationEntry, navigation, page_names


@pytest.mark.parametrize("name", page_names())
def test_every_page_has_routes_and_a_view(name: str) -> None:
    assert find_spec(f"{name}.routes") is not None
    assert find_spec(f"{name}.view") is not None


def test_every_folder_of_pages_is_a_page() -> None:
    root = Path(mq_capacity_page.__path__[0]) / "pages"
    folders = {path.name for path in root.iterdir() if (path / "routes.py").exists()}
    assert {name.rpartition(".")[2] for name in page_names()} == folders


def test_entries_have_names_and_positions_of_their_own() -> None:
    assert len({entry.name for entry in navigation()}) == len(navigation())
    assert len({entry.order for entry in navigation()}) == len(navigation())


def test_a_new_folder_is_a_new_page_without_a_list_to_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "extra_page"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from mq_capacity_page.pages.discovery import NavigationEntry\n"
        'NAVIGATION = NavigationEntry("extra", "Extra", "extra", order=15)\n'
    )
    (folder / "routes.py").write_text(
        "from fastapi import APIRouter\nrouter = APIRouter()\n"
        '@router.get("/extra")\ndef extra() -> str:\n    return "extra"\n'
    )
    pages = importlib.import_module("mq_capacity_page.pages")
    monkeypatch.setattr(pages, "__path__", [str(tmp_path)])
    navigation.cache_clear()
    try:
        assert page_names() == ["mq_capacity_page.pages.extra_page"]
        assert navigation() == (NavigationEntry("extra", "Extra", "extra", 15),)
        [router] = discovery.page_routers()
        assert [getattr(route, "path", "") for route in router.routes] == ["/extra"]
    finally:
        navigation.cache_clear()
        for name in [name for name in sys.modules if "extra_page" in name]:
            del sys.modules[name]
