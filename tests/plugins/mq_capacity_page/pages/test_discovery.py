"""Pages are found by their folders."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import mq_capacity_page
from mq_capacity_page.pages.discovery import navigation, page_names


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
