"""A test over many values reports each value that fails, and makes one item."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.many_values import for_each

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = """
import pytest
from tests.many_values import for_each

@for_each("number, square", [(1, 1), (2, 5), (3, 9), (4, 17)], ids=lambda row: f"of {row[0]}")
@pytest.mark.parametrize("added", [0])
def test_squares(number, square, added, tmp_path):
    assert tmp_path.is_dir()
    assert number * number + added == square
"""


@pytest.mark.thorough
def test_every_failing_value_is_reported_and_the_others_are_tried(tmp_path: Path) -> None:
    (tmp_path / "test_squares.py").write_text(EXAMPLE)
    # without it, it would take the rights of others from the folder that this session's tests share
    folder = f"--basetemp={tmp_path / 'temporary'}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder, "test_squares.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "[of 2]" in done.stdout
    assert "[of 4]" in done.stdout
    assert "2 failed" in done.stdout or "3 failed" in done.stdout
    assert "2 subtests passed" in done.stdout


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no values for number"):
        for_each("number", [])
