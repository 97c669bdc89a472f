"""The command line as a process: what it says, and what it does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.ingest.dumps import small_dump

MAIN = """
import sys
from pipeline.entry import main
try:
    main()
finally:
    heavy = {"alembic", "fsspec", "pandas", "pyspark", "sqlalchemy"} & set(sys.modules)
    print("heavy:", sorted(heavy))
"""


def mqcap(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments], capture_output=True, text=True, check=False
    )


def test_rows_of_dumps_are_written_without_store_spark_and_pandas(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = mqcap("smf", "to-parquet", str(small_dump(tmp_path)), "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "heavy: []\n"
    assert (out / "QJST.parquet").is_file()


def test_an_error_of_ours_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = mqcap("smf", "to-csv", str(tmp_path / "none.smf"), "-o", str(tmp_path / "out"))
    assert done.returncode == 1
    assert done.stderr.startswith("error:")
    assert "Traceback" not in done.stderr
