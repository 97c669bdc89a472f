"""``mqcap smf`` begins at once: what a plain dump does not need is not imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqcap.ingest.dumps import small_dump

pytestmark = pytest.mark.thorough

SLOW_TO_IMPORT = (
    "typer",
    "mqcap.settings",
    "pydantic",
    "rich",
    "sqlalchemy",
    "pandas",
    "pyarrow.compute",
    "pyarrow.fs",
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


def test_an_error_of_a_dump_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    arguments = ["smf", "check", str(tmp_path / "none.smf")]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(slow=()), *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1"]
    [line] = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "does not exist" in line
