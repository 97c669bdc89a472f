"""Advice for the request to the mainframe team."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mqcap.domain.source import SourceSummary
from mqcap.ingest.check.dump_summary import DumpSummary
from mqcap.ingest.check.report import advice
from mqcap.ingest.smf.corruption import Corruption

COMPLETE = {"115.1": 1, "115.231": 1, "74.4": 1}


def summary(
    corruptions: Iterable[Corruption] = (), framing: str = "rdw", source: str = "smf"
) -> DumpSummary:
    return DumpSummary(
        source=source,
        source_title="SMF dump",
        totals=SourceSummary(
            framing=framing,
            content_bytes=0,
            decoded_bytes=0,
            skipped_bytes=0,
            quarantined_bytes=0,
            record_count=0,
            rows_by_dataset={},
            first_interval_utc=None,
            last_interval_utc=None,
            hour_dates=(),
            problems=(),
        ),
        names={},
        queue_managers=(),
        records=dict(COMPLETE),
        clocks=(),
        intervals={},
        repeated_records=0,
        repeats=(),
        check_results=(),
        corruptions=frozenset(corruptions),
    )


def test_a_sound_and_complete_dump_needs_no_advice() -> None:
    assert list(advice(summary())) == []


@pytest.mark.parametrize(
    ("corruption", "framing", "expected"),
    [
        (Corruption.truncated, "rdw", "The dump is truncated"),
        (Corruption.lost_segment, "rdwseg", "Segments of spanned records are missing"),
        (Corruption.wrong_length, "rdw", "Record lengths do not lead from record to record"),
        (Corruption.wrong_content, "rdw", "Records are complete but their content is corrupt"),
        (Corruption.too_short, "rdw", "Records are complete but their content is corrupt"),
        (Corruption.too_short, "rdwseg", "Segments of spanned records are missing"),
        (Corruption.too_short, "bdw", "Segments of spanned records are missing"),
    ],
)
def test_each_kind_of_corruption_has_its_advice(
    corruption: Corruption, framing: str, expected: str
) -> None:
    (sentence,) = advice(summary([corruption], framing))
    assert sentence.startswith(expected)


def test_wrong_lengths_explain_wrong_content() -> None:
    both = summary([Corruption.wrong_length, Corruption.wrong_content])
    (sentence,) = advice(both)
    assert sentence.startswith("Record lengths")


def test_only_dumps_have_advice() -> None:
    assert list(advice(summary([Corruption.truncated], source="console"))) == []
