"""Scripts and styles."""

from __future__ import annotations

import base64
from hashlib import sha256

import pytest

from mq_capacity_page.web.assets import (
    MEDIA_TYPES,
    PLOTLY,
    STATIC,
    TEMPLATES,
    VENDORED,
    asset_link,
    asset_path,
    asset_version,
    error_style,
    held_style_ids,
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


def test_the_chart_library_is_the_light_bundle_with_its_licence() -> None:
    bundle = VENDORED / PLOTLY
    head = bundle.read_text(encoding="utf-8")[:200]
    assert "plotly.js (basic - minified) v" in head
    assert "Licensed under the MIT license" in head
    assert bundle.stat().st_size < 1.3 * 1024 * 1024
    licence = (VENDORED / "plotly-basic.LICENSE").read_text(encoding="utf-8")
    assert "Permission is hereby granted, free of charge" in licence


def test_the_figure_is_asked_for_before_the_chart_library_is_compiled() -> None:
    page = (TEMPLATES / "parts.html").read_text(encoding="utf-8")
    names = ("figure.js", "chart.js", PLOTLY)
    places = [page.index(f"""src="{{{{ asset('{name}') }}}}\"""") for name in names]
    assert places == sorted(places)
    assert """<script src="{{ asset('figure.js') }}\"""" in page  # neither defer nor async


def test_an_inline_source_is_the_hash_of_the_text() -> None:
    digest = base64.b64encode(sha256(b"p { color: red }").digest()).decode()
    assert inline_source("p { color: red }") == f"'sha256-{digest}'"
    assert inline_source("") != inline_source(" ")


def test_the_error_style_is_text_without_addresses() -> None:
    assert "color-scheme" in error_style()
    assert "url(" not in error_style()


def test_plotly_has_styles_that_the_page_holds_back() -> None:
    assert held_style_ids()
    assert all(len(name) == 64 for name in held_style_ids())
