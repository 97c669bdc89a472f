"""Files of OMEGAMON Data Provider as samples."""

from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from tests.mqcap.ingest.omegamon.odp_lines import row, text
from tests.mqcap.ingest.reading import Rows, read_text


def loaded(folder: Path, *rows: dict[str, Any] | str) -> Rows:
    return read_text(folder, text(*rows), name="kmq.jsonl")


def test_a_sample_is_of_the_step_of_its_series(tmp_path: Path) -> None:
    every_minute = [row("qmlhlm", number, interval_seconds=60) for number in range(5)]
    rows, summary = loaded(tmp_path, *every_minute, row())
    assert [each["step_seconds"] for each in rows] == [*[300.0] * 5, 300.0]
    assert (rows[0]["sysplex"], rows[0]["smfid"], rows[0]["qmgr"]) == ("PLEX1", "SYS1", "CSQ1")
    assert [str(day) for day in summary.hour_dates] == ["2026-07-09"]
    assert summary.rows_by_dataset == {"zos_sample": 6}
    assert summary.problems == ()


@pytest.mark.parametrize(("count", "step"), [(3, 60.0), (4, 300.0)])
def test_few_samples_have_the_interval_that_they_state(
    tmp_path: Path, count: int, step: float
) -> None:
    rows, _ = loaded(tmp_path, *(row(number=n, interval_seconds=60) for n in range(count)))
    assert {each["step_seconds"] for each in rows} == {step}


def test_a_sample_without_interval_and_neighbour_is_reported(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, row(), row("qmlhlm", interval_seconds=None))
    assert [each["figure"] for each in rows] == ["page_set_used_pct"]
    assert summary.problems == (
        "kmq.jsonl: 1 sample left out: alone in the file, and without interval_seconds.",
    )


def test_lines_that_cannot_be_used_are_reported_and_the_others_count(tmp_path: Path) -> None:
    cut = text(row())[:40]
    rows, summary = loaded(
        tmp_path, row(), cut, row(number=1, page_set_id="x"), "[]", "", row(number=2)
    )
    assert len(rows) == 2
    left_out = "kmq.jsonl: 1 line left out:"
    assert summary.problems == (
        f"{left_out} it cannot be read (Invalid control character at) (first: line 2).",
        f"{left_out} page_set_id is no number from 0 to 99 (first: line 3).",
    )
    assert summary.content_bytes == summary.decoded_bytes + summary.skipped_bytes
    assert summary.content_bytes == (tmp_path / "kmq.jsonl").stat().st_size


def test_lines_of_other_products_are_reported(tmp_path: Path) -> None:
    others = [row("ascpuutil", product_code="km5"), row("test", product_code=None)]
    rows, summary = loaded(tmp_path, *others, row())
    assert len(rows) == 1
    assert summary.problems == ("kmq.jsonl: 2 lines of other products left out: km5, none.",)


def test_names_that_the_product_does_not_have_are_reported(tmp_path: Path) -> None:
    _, summary = loaded(tmp_path, row(pages_gone=1), row("qmwhat"), row("qmq_lh"))
    [problem] = summary.problems
    assert problem.endswith("does not have left out: qmps_lh.pages_gone, table qmwhat.")


def test_values_beyond_what_mq_counts_are_left_out(tmp_path: Path) -> None:
    huge = row("qmcurstat", connection_count=1e300, maximum_channels=None)
    rows, summary = loaded(tmp_path, row(), huge, row("qmcurstat", 1, maximum_channels=None))
    assert sorted(each["figure"] for each in rows) == ["connection_count", "page_set_used_pct"]
    assert summary.problems == ("kmq.jsonl: 1 sample of impossible size left out.",)


def test_a_file_without_figures_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: percent_pages_in_use is no number") as caught:
        loaded(tmp_path, row(percent_pages_in_use="full"))
    assert "kmq.jsonl" in str(caught.value)
    with pytest.raises(InputError, match="without any figure"):
        loaded(tmp_path, row("ascpuutil", product_code="km5"))
