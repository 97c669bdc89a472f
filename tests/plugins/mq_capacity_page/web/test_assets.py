"""Scripts and styles."""

from __future__ import annotations

import base64
from hashlib import sha256

import pytest

from mq_capacity_page.web.assets import (
    MEDIA_TYPES,
    STATIC,
    asset_link,
    asset_path,
    asset_version,
    error_style,
    inline_source,
)


@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_every_file_exists_and_its_address_holds_its_hash(name: str) -> None:
    path = asset_path(name)
    assert path is not None
    assert path.is_file()
    assert asset_link(name) == f"static/{name}?v={asset_version(name)}"
    assert asset_version(name) == sha256(path.read_bytes()).hexdigest()[:12]


@pytest.mark.parametrize("name", ["application.py", "../application.py", "", "page.css/.."])
def test_any_other_name_is_not_served(name: str) -> None:
    assert asset_path(name) is None
    assert asset_version(name) == ""


def test_every_file_of_the_folder_is_served() -> None:
    assert {path.name for path in STATIC.iterdir()} <= set(MEDIA_TYPES)


def test_an_inline_source_is_the_hash_of_the_text() -> None:
    digest = base64.b64encode(sha256(b"p { color: red }").digest()).decode()
    assert inline_source("p { color: red }") == f"'sha256-{digest}'"
    assert inline_source("") != inline_source(" ")


def test_the_error_style_is_text_without_addresses() -> None:
    assert "color-scheme" in error_style()
    assert "url(" not in error_style()
