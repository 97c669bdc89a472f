"""``mqcap estate discover``: the files and defaults that it hands on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.estate import discover
from mqcap.settings import Settings
from tests.mqcap.cli.command_line import invoked, output_of


def test_files_and_defaults_are_handed_on_and_the_section_is_printed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[discover.Pasted] = []

    def discovered(_settings: Settings, _engine: Any, pasted: discover.Pasted) -> str:
        asked.append(pasted)
        return "estate:\n  - sysplex: PLEX1  # [complete]"

    monkeypatch.setattr("mqcap.cli.estate.discovered", discovered)
    text = output_of("estate", "discover", "a.txt", "b.txt", "--qmgr", "CSQ1", "--sysplex", "PLEX1")
    assert text == "estate:\n  - sysplex: PLEX1  # [complete]\n"
    assert asked == [discover.Pasted((Path("a.txt"), Path("b.txt")), "CSQ1", "PLEX1")]


def test_without_files_and_data_there_is_nothing_to_discover(settings: Settings) -> None:
    error = invoked("estate", "discover").exception
    assert isinstance(error, ConfigurationError)
    assert "mqcap load" in str(error)
