"""Freed memory is kept for what is allocated next."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqcap.ingest.dumps import small_dump

pytestmark = pytest.mark.thorough

TWICE = """
import resource
from mqcap.cli.smf.rows import keep_freed_memory
if {kept}:
    keep_freed_memory()
def filled():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    blocks = [b"x" * (1 << 20) for _ in range(20)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
filled()
print(filled())
"""
COMMAND = """
import sys
from mqcap.cli.entry import main
try:
    main()
except SystemExit:
    import pyarrow
    print(pyarrow.default_memory_pool().backend_name)
"""


def page_faults(*, kept: bool) -> int:
    """Pages that the kernel gave to a process which allocates 20 MiB that it had before."""
    code = TWICE.format(kept=kept)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_memory_that_was_freed_is_not_asked_of_the_system_again() -> None:
    assert page_faults(kept=True) * 5 < page_faults(kept=False)


def test_rows_of_a_dump_are_in_the_memory_that_all_share(tmp_path: Path) -> None:
    arguments = ["smf", "to-parquet", str(small_dump(tmp_path)), "-o", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["system"]
