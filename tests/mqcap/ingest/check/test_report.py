"""The report of ``smf check``: lines of facts, checks, advice and the conclusion."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.source import SourceSummary
from mqcap.ingest.check.cross_checks import CheckResult, FailedRow
from mqcap.ingest.check.dump_summary import ClockOffset, DumpSummary, Writer
from mqcap.ingest.check.report import NAMED_GAPS, NAMED_REPEATS, advice, report
from mqcap.ingest.smf.corruption import Corruption

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
WRITER = Writer("SYS1", "CSQ1", ((115, 1),))
TOTALS = SourceSummary(
    framing="rdw",
    content_bytes=1_000,
    decoded_bytes=900,
    skipped_bytes=100,
    quarantined_bytes=0,
    record_count=2,
    rows_by_dataset={"section_qjst": 2, "console_event": 0},
    first_interval_utc=NINE,
    last_interval_utc=NINE + HALF_HOUR,
)


def summary(totals: SourceSummary = TOTALS, **changed: Any) -> DumpSummary:
    values: dict[str, Any] = {
        "source": "smf",
        "source_title": "SMF dump",
        "totals": totals,
        "names": {"smfid": {"SYS1"}},
        "queue_managers": (("CSQ1", "9.4.0", "QSG1"),),
        "records": {"115.1": 2},
        "clocks": (ClockOffset("SYS1", -300, NINE, NINE),),
        "intervals": {WRITER: [(NINE, NINE + HALF_HOUR)]},
        "repeats": (),
        "check_results": (),
        "corruptions": frozenset(),
    }
    return DumpSummary(**values | changed)


def text(of: DumpSummary) -> str:
    """The report with single spaces."""
    return " ".join(report(Path("day.smf"), of, 200).split())


def test_the_facts_name_systems_queue_managers_and_intervals() -> None:
    shown = text(summary())
    for words in (
        "SMF dump, complete records with descriptor words (rdw)",
        "1,000 = 900 decoded + 100 skipped + 0 quarantined",
        "2 by type: 115.1 (2)",
        "system SYS1 UTC-05:00",
        "queue manager CSQ1 MQ 9.4.0, queue sharing group QSG1",
        "SYS1/CSQ1 1 interval of 1,800 s in 115.1",
        "2026-03-02 09:00:00 to 2026-03-02 09:30:00 UTC",
        "QJST 2",
    ):
        assert words in shown
    assert "console_event" not in shown


@pytest.mark.parametrize(
    ("decoded", "balanced"),
    [(899, False), (900, True), (901, False)],
    ids=["one-less", "equal", "one-more"],
)
def test_bytes_that_are_not_accounted_for_are_named(decoded: int, balanced: bool) -> None:
    shown = text(summary(replace(TOTALS, decoded_bytes=decoded)))
    assert ("(NOT BALANCED)" not in shown) is balanced


@pytest.mark.parametrize(
    ("count", "more"), [(NAMED_GAPS, ""), (NAMED_GAPS + 1, "1 more"), (NAMED_GAPS + 2, "2 more")]
)
def test_the_first_gaps_are_named_and_the_others_counted(count: int, more: str) -> None:
    times = [NINE + 2 * HALF_HOUR * number for number in range(count + 1)]
    intervals = {WRITER: [(time, time + HALF_HOUR) for time in times]}
    shown = text(summary(intervals=intervals))
    assert shown.count("(0 h 30 min 00 s)") == min(count, NAMED_GAPS)
    assert "gap SYS1/CSQ1 115.1: 2026-03-02 09:30:00 to 2026-03-02 10:00:00 UTC" in shown
    assert (" more" in shown) is bool(more)
    assert more in shown


def test_a_changed_clock_is_named_with_the_instants_between_which_it_changed() -> None:
    clocks = (
        ClockOffset("SYS1", 60, NINE, NINE + HALF_HOUR),
        ClockOffset("SYS1", 330, NINE + 2 * HALF_HOUR, NINE + 3 * HALF_HOUR),
    )
    expected = (
        "UTC+01:00, UTC+05:30 from between 2026-03-02 09:30:00 and 2026-03-02 10:00:00 UTC on"
    )
    assert expected in text(summary(clocks=clocks))


def test_repeated_records_are_named_with_both_places() -> None:
    shown = text(summary(repeats=((5_000, 18),) * (NAMED_REPEATS + 1)))
    assert "6: byte 5,000 (first at 18), byte" in shown
    assert "(first at 18) and more" in shown


def test_a_failed_check_names_the_row_with_what_was_found_and_expected() -> None:
    failed = CheckResult("a check", 10, 1, [FailedRow(4_590, "115.1 of SYS1/CSQ1", "3", "1 to 2")])
    shown = text(summary(check_results=(failed, CheckResult("another", 4))))
    assert "byte 4,590: 115.1 of SYS1/CSQ1" in shown
    assert "found 3, expected 1 to 2" in shown
    assert "1 failed" in shown
    assert "passed" in shown
    assert "Result: read to the last byte, but 1 figures fail the cross checks." in shown


@pytest.mark.parametrize(
    ("quarantined", "result"),
    [
        (0, "Result: read to the last byte; nothing is corrupt."),
        (999, "Result: corrupt; 99.9 % of the bytes could not be read."),
        (1, "Result: corrupt; 0.1 % of the bytes could not be read."),
        (1_000, "Result: corrupt; 100 % of the bytes could not be read."),
    ],
)
def test_the_conclusion_states_the_share_that_could_not_be_read(
    quarantined: int, result: str
) -> None:
    assert result in text(summary(replace(TOTALS, quarantined_bytes=quarantined)))


@pytest.mark.parametrize(
    "cut_off",
    [{"is_unpacked": False}, {"corruptions": frozenset({Corruption.truncated})}],
    ids=["gzip", "dump"],
)
def test_of_a_file_that_is_cut_off_the_missing_rest_comes_before_the_share_that_is_unread(
    cut_off: dict[str, Any],
) -> None:
    shown = text(summary(replace(TOTALS, quarantined_bytes=1), **cut_off))
    assert (
        "Result: corrupt; the file is cut off behind 1,000 bytes of content. What followed is"
        " missing, and how much that is, is not known. Of what is there, 0.1 % could not be read."
    ) in shown


def test_problems_are_listed_and_names_are_no_markup() -> None:
    shown = text(summary(replace(TOTALS, problems=("[red]SYS1[/red] is odd.",))))
    assert "Problems: - [red]SYS1[/red] is odd." in shown


def test_a_file_without_intervals_says_so() -> None:
    empty = replace(TOTALS, first_interval_utc=None, last_interval_utc=None)
    assert "no intervals" in text(summary(empty, intervals={}))


def advised(*corruptions: Corruption, framing: str = "rdw", source: str = "smf") -> list[str]:
    """The advice on a complete dump with some corrupt ranges."""
    shown = summary(
        replace(TOTALS, framing=framing),
        source=source,
        records={"115.1": 1, "115.231": 1, "74.4": 1},
        corruptions=frozenset(corruptions),
    )
    return list(advice(shown))


@pytest.mark.parametrize(
    ("corruptions", "framing", "expected"),
    [
        ("", "rdw", None),
        ("truncated", "rdw", "The dump is truncated"),
        ("lost_segment", "rdwseg", "Segments of spanned records are missing"),
        ("wrong_length", "rdw", "Record lengths do not lead from record to record"),
        ("wrong_content", "rdw", "Records are complete but their content is corrupt"),
        ("wrong_length wrong_content", "rdw", "Record lengths do not lead from"),
        ("too_short", "rdw", "Records are complete but their content is corrupt"),
        ("too_short", "rdwseg", "Segments of spanned records are missing"),
        ("too_short", "bdw", "Segments of spanned records are missing"),
    ],
)
def test_each_kind_of_corruption_has_its_advice(
    corruptions: str, framing: str, expected: str | None
) -> None:
    sentences = advised(*map(Corruption, corruptions.split()), framing=framing)
    assert len(sentences) == (expected is not None)
    assert all(sentence.startswith(expected or "") for sentence in sentences)


def test_only_dumps_have_advice() -> None:
    assert advised(Corruption.truncated, source="console") == []
