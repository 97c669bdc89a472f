"""Stamped metrics as text as samples."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.exposition.source import ExpositionReading
from mqcap.ingest.text import TextFile
from tests.mqcap.ingest.reading import read_text

CONNECTIONS = 'ibmmq_qmgr_connection_count{qmgr="QM1",platform="UNIX"}'
PRIMARY = 'ibmmq_qmgr_log_current_primary_space_in_use_percentage{qmgr="QM1"}'
FIRST = datetime(2026, 7, 9, 0, 0, tzinfo=UTC)


def scrapes(*metrics: str, count: int = 4) -> str:
    """So many scrapes, one a minute, whose values count up from 1."""
    return "".join(
        f"# captured 2026-07-09T00:{minute:02}:00Z\n# TYPE ibmmq_x counter\n"
        + "".join(f"{metric} {minute + 1}\n" for metric in metrics)
        for minute in range(count)
    )


found = partial(read_text, name="metrics.prom")


def test_a_scrape_is_of_the_time_of_its_line(tmp_path: Path) -> None:
    rows, summary = found(tmp_path, scrapes(CONNECTIONS))
    assert [row["value"] for row in rows] == [1, 2, 3, 4]
    assert [row["reported_utc"].minute for row in rows] == [0, 1, 2, 3]
    assert rows[0]["reported_utc"] == FIRST
    assert {row["step_seconds"] for row in rows} == {60}
    assert {(row["qmgr"], row["figure"]) for row in rows} == {("QM1", "connection_count")}
    assert (summary.problems, summary.framing) == ((), "text")


@pytest.mark.parametrize("stamp", ["1783555200000", "1783555200", "1783555200.0"])
def test_a_stamp_of_a_sample_counts_in_either_unit(tmp_path: Path, stamp: str) -> None:
    text = f"# captured 2026-07-11T00:00:00Z\n{CONNECTIONS} 5 {stamp}\n"
    [row] = found(tmp_path, text)[0]
    assert row["reported_utc"] == FIRST


def test_labels_are_read_as_they_are_escaped(tmp_path: Path) -> None:
    text = scrapes('ibmmq_queue_depth{qmgr="QM1",description="a \\"}\\" \\n b",queue="A/B"}')
    rows, _ = found(tmp_path, text)
    assert [(row["object"], row["value"]) for row in rows] == [("A/B", v) for v in (1, 2, 3, 4)]


SCRAPES = scrapes(CONNECTIONS)
WITH_EXEMPLAR = SCRAPES.replace(" 2\n", ' 2 # {trace_id="x"} 1 1783555260\n')
UNREAD = "1 line left out: it cannot be read (first: line 6)."
NO_TIME = "1 line left out: its scrape has no time (first: line 6)."


@pytest.mark.parametrize(
    ("text", "expected", "problem"),
    [
        (SCRAPES + SCRAPES, [1, 2, 3, 4], ""),
        (f"go_goroutines 12\n{WITH_EXEMPLAR}# EOF\n", [1, 2, 3, 4], ""),
        (SCRAPES.replace(" 2\n", " 5.0331648e+07\n"), [1, 50_331_648, 3, 4], ""),
        *[(SCRAPES.replace(" 2\n", f" {no}\n"), [1, 3, 4], "") for no in ("NaN", "+Inf", "-Inf")],
        *[
            (SCRAPES.replace(" 2\n", f" {bad}\n"), [1, 3, 4], UNREAD)
            for bad in ("many", "1_0", "", "1e", "0x10")
        ],
        *[
            (SCRAPES.replace("2026-07-09T00:01:00Z", bad), [1, 3, 4], NO_TIME)
            for bad in ("2026-07-09T00:01:00", "2026-07-09T00:01:00+9900", "yesterday", "")
        ],
        (
            f"{SCRAPES}{PRIMARY} 4",
            [1, 2, 3, 4],
            "1 line left out: it is the last one and has no end.",
        ),
    ],
)
def test_what_is_no_sample_leaves_the_others_and_what_cannot_be_read_is_told(
    tmp_path: Path, text: str, expected: list[float], problem: str
) -> None:
    rows, summary = found(tmp_path, text)
    assert [row["value"] for row in rows] == expected
    assert [problem.partition(": ")[2] for problem in summary.problems[-1:]] == (
        [problem] if problem else []
    )
    assert len(summary.problems) == (2 if problem is NO_TIME else bool(problem))


def test_without_a_time_nothing_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without any sample that has a time") as caught:
        found(tmp_path, f"{CONNECTIONS} 44\n")
    assert "# captured 2026-11-22T10:00:00Z" in str(caught.value)


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("99999999999", 99_999_999_999.0), ("100000000000", 100_000_000.0), ("1.5", 1.5)],
)
def test_a_stamp_is_of_milliseconds_from_the_limit_on(
    tmp_path: Path, stamp: str, seconds: float
) -> None:
    path = tmp_path / "metrics.prom"
    path.write_text(f"ibmmq_x 1 {stamp}\n", encoding="utf-8")
    [(found_series, _)] = ExpositionReading(TextFile(path), "f" * 64).series()
    assert found_series.values == [(seconds, 1.0)]
