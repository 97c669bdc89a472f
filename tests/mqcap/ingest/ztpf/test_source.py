"""Which files are inputs of z/TPF."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.ingest.ztpf.source import SOURCE
from tests.mqcap.ingest.ztpf.spooled import display, row, stamp, sweep, table


@pytest.mark.parametrize("text", [stamp() + display(), display(), sweep(), table(row())])
def test_displays_console_lines_and_tables_are_accepted_stamped_or_not(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    assert SOURCE.accepts(path)
