"""``mqcap smf`` begins at once: what a plain dump does not need is not imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mqcap.cli.smf_rows import plain_arguments, write_rows
from mqcap.cli.zones import ZonesOfSettings
from mqcap.settings import load_settings
from tests.mqcap.ingest.dumps import small_dump

SLOW_TO_IMPORT = (
    "typer",
    "settings",
    "pydantic",
    "rich",
    "sqlalchemy",
    "pandas",
    "mqcap.ingest.console.lines",
)
CODE = """
import sys
from mqcap.cli.entry import main
try:
    main()
except SystemExit as end:
    print(end.code, *(name for name in {slow} if name in sys.modules))
"""


def test_rows_of_a_plain_dump_need_no_settings(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    arguments = ["smf", "to-parquet", str(dump), "-o", str(tmp_path / "out")]
    code = CODE.format(slow=SLOW_TO_IMPORT)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0"]
    assert (tmp_path / "out" / "QJST.parquet").is_file()


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = small_dump(tmp_path)
    assert write_rows([str(dump)], dump / "out", "csv") == 1
    assert "out: the rows cannot be written; found [Errno" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("a.smf -o out b.smf", (["a.smf", "b.smf"], Path("out"))),
        ("--out out a.smf", (["a.smf"], Path("out"))),
        ("a.smf --out=out", None),
        ("a.smf -o out --help", None),
        ("a.smf", None),
        ("-o out", None),
        ("a.smf -o", None),
    ],
)
def test_only_plain_lines_are_taken_without_the_library(
    line: str, taken: tuple[list[str], Path] | None
) -> None:
    assert plain_arguments(line.split()) == taken


def test_zones_are_those_of_the_settings() -> None:
    assert dict(ZonesOfSettings()) == load_settings().whole_estate().zone_by_system()
