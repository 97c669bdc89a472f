"""Modules of a package are found by themselves."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from mqcap.domain.discovery import load_all


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "found_by_itself"
    (folder / "deeper").mkdir(parents=True)
    for name, text in {"__init__": "", "b": "NAME = 'b'", "a": "NAME = 'a'"}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    (folder / "deeper" / "c.py").write_text("raise RuntimeError", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        monkeypatch.delitem(sys.modules, name)
    return folder.name


def test_direct_submodules_are_loaded_in_the_order_of_their_names(package: str) -> None:
    assert [module.NAME for module in load_all(import_module(package))] == ["a", "b"]


def test_a_module_that_fails_is_not_hidden(package: str, tmp_path: Path) -> None:
    (tmp_path / package / "broken.py").write_text("import no_such_module", "utf-8")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_all(import_module(package))
