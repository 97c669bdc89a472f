"""Lines of metrics as text, as series with the time of their scrapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.exposition.lines import Exposition
from mqcap.ingest.text import TextFile

STAMP = "# captured 2026-07-09T00:00:00Z\n"
STAMPED_S = 1_783_555_200.0


def opened(folder: Path, text: str) -> Exposition:
    path = folder / "metrics.prom"
    path.write_text(text, encoding="utf-8")
    return Exposition(TextFile(path))


def test_samples_of_one_name_and_its_labels_are_one_series(tmp_path: Path) -> None:
    line = 'ibmmq_queue_depth{qmgr="QM1",queue="A"} 7\n'
    other = 'ibmmq_queue_depth{qmgr="QM1",queue="B"} 8\n'
    exposition = opened(tmp_path, STAMP + line + other + STAMP.replace("00:00Z", "01:00Z") + line)
    [(first, first_bytes), (second, _)] = exposition.series()
    assert first.metric == {"__name__": "ibmmq_queue_depth", "qmgr": "QM1", "queue": "A"}
    assert first.values == [(STAMPED_S, 7.0), (STAMPED_S + 60, 7.0)]
    assert (second.metric["queue"], second.values) == ("B", [(STAMPED_S, 8.0)])
    assert first_bytes == 2 * len(line)
    assert exposition.problems == ()


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("99999999999", 99_999_999_999.0), ("100000000000", 100_000_000.0), ("1.5", 1.5)],
)
def test_a_stamp_is_of_milliseconds_from_the_limit_on(
    tmp_path: Path, stamp: str, seconds: float
) -> None:
    [(series, _)] = opened(tmp_path, f"ibmmq_x 1 {stamp}\n").series()
    assert series.values == [(seconds, 1.0)]


def test_lines_that_are_cut_or_have_no_number_are_counted(tmp_path: Path) -> None:
    text = f'{STAMP}ibmmq_x 1\nibmmq_x 1e\nibmmq_y{{qmgr="Q'
    exposition = opened(tmp_path, text)
    [(series, _)] = exposition.series()
    assert series.metric == {"__name__": "ibmmq_x"}
    assert exposition.problems == (
        "1 line left out: it cannot be read (first: line 3).",
        "1 line left out: it is the last one and has no end.",
    )


def test_samples_before_the_first_stamp_have_no_time(tmp_path: Path) -> None:
    exposition = opened(tmp_path, f"ibmmq_x 1\n{STAMP}ibmmq_x 2\n")
    [(series, _)] = exposition.series()
    assert [value for _, value in series.values] == [2.0]
    assert exposition.problems == ("1 line left out: its scrape has no time (first: line 1).",)


def test_text_without_any_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="any sample that has a time"):
        list(opened(tmp_path, "ibmmq_x 1\n").series())
