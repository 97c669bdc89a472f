"""The page of the metrics is as it would be written now, and has all of them."""

from __future__ import annotations

from pathlib import Path

from devtools.docs.metrics_page import FILE, metrics_page, write_page
from spark_apps.registry import all_metrics

PAGE = metrics_page()


def test_the_page_is_as_it_would_be_written_now(tmp_path: Path) -> None:
    write_page(tmp_path / "reference" / "metrics.md")
    assert (tmp_path / "reference" / "metrics.md").read_text(encoding="utf-8") == PAGE
    assert FILE.read_text(encoding="utf-8") == PAGE, "run make docs"


def test_every_metric_has_one_row_of_six_cells() -> None:
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
    assert sorted(row[0].strip("| `") for row in rows) == [each.name for each in all_metrics()]
    assert {len(row) for row in rows} == {6}


def test_the_bad_side_is_named() -> None:
    assert "| min | lowest | Time between two system checkpoints of IMS (IMS log). |" in PAGE
    assert "| MiB/s | yes | How fast the log grows, counted once and not per copy" in PAGE
