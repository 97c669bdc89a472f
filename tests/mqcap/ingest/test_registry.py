from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mqcap import ingest
from mqcap.ingest.registry import expected_inputs, source_for, sources
from mqcap.ingest.smf import source as smf_source


def test_sources_are_asked_in_their_order_and_dumps_first() -> None:
    orders = [source.order for source in sources()]
    assert orders == sorted(orders)
    assert next(sources()) is smf_source.SOURCE
    assert {"smf", "formatter", "rmf", "console"} <= {source.name for source in sources()}


def test_what_is_expected_lists_every_source() -> None:
    text = expected_inputs()
    assert text.startswith("an SMF dump, ")
    assert all(source.description in text for source in sources())


def test_a_new_package_is_found_without_an_entry_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "ingest" / "notes"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "source.py").write_text(
        """
class NotesSource:
    name = "notes"
    order = 25
    description = "a notebook"

    def accepts(self, path):
        return path.read_bytes().startswith(b"NOTES")

    def read(self, path, file_sha256):
        raise NotImplementedError


SOURCE = NotesSource()
"""
    )
    monkeypatch.setattr(ingest, "__path__", [*ingest.__path__, str(package.parent)])
    path = tmp_path / "file"
    path.write_bytes(b"NOTES of a test")
    try:
        assert source_for(path).name == "notes"
        names = [source.name for source in sources()]
        assert names.index("rmf") < names.index("notes") < names.index("console")
    finally:
        for name in ("mqcap.ingest.notes", "mqcap.ingest.notes.source"):
            sys.modules.pop(name, None)
        del ingest.notes  # type: ignore[attr-defined]
