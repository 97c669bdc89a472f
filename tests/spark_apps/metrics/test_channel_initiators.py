"""Tasks, storage and batches of channel initiators."""

from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics.channel_initiators import NO_LIMIT_MIB, channel_batches, storage, tasks
from tests.spark_apps.rows import START, between, figures, records, sections

CHINIT = "PLEX1/CSQ1/CHINIT"
MESSAGE = {"used_31bit_mib": 400.0, "free_31bit_mib": 1_200.0}
HOUR = timedelta(hours=1)
QUARTER_USED = {"used_mib": 400.0, "available_mib": 1_200.0, "used_pct": 25.0}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            {"limits": {"PLEX1/CSQ1": 1_000.0}, "console_event": [MESSAGE]}
            | {"section_qcct": [{"qcctstus": 999}]},
            QUARTER_USED,
        ),
        (
            {"limits": {"PLEX1/CSQ1": 1_600.0}, "section_qcct": [{"qcctstus": 400}]},
            QUARTER_USED,
        ),
        ({"section_qcct": [{"qcctstus": 400}]}, {"used_mib": 400.0}),
    ],
    ids=["of the message", "of the record, with the limit of the settings", "without a limit"],
)
def test_31_bit_storage_is_that_of_the_console_else_of_records_and_settings(
    rows: dict[str, Any], expected: dict[str, float]
) -> None:
    made = {f"chinit_31bit_{name}": level for name, level in expected.items()}
    assert figures(storage, CHINIT, **rows) == made


def test_records_fill_the_hours_that_no_message_touches() -> None:
    qcct = [{"qcctstus": 7, **between(START, START + 3 * HOUR)}]
    found = figures(storage, CHINIT, console_event=[MESSAGE], section_qcct=qcct)
    assert found["chinit_31bit_used_mib"] == [400.0, 7.0, 7.0]


@pytest.mark.parametrize(("gap", "covered_seconds"), [(0.5, 1_800), (2.0, 7_200), (2.5, 3_600)])
def test_a_message_holds_until_the_next_but_not_over_a_long_gap(
    gap: float, covered_seconds: int
) -> None:
    later = {**MESSAGE, "event_utc": START + gap * HOUR, "used_31bit_mib": 1.0}
    rows = records(storage(sections(console_event=[MESSAGE, later])))
    [first] = [row for row in rows if (row.metric, row.level) == ("chinit_31bit_used_mib", 400)]
    length = first.interval_end_utc - first.interval_start_utc
    assert length.total_seconds() == covered_seconds


def test_no_memory_limit_means_no_share() -> None:
    rows = [{"qcctstab": 512, "qcctslim": NO_LIMIT_MIB}]
    assert figures(storage, CHINIT, section_qcct=rows) == {"chinit_64bit_used_mib": 512.0}


def test_a_record_too_old_for_64_bit_figures_leaves_them_to_the_console() -> None:
    events = [{"used_64bit_mib": 256.0, "free_64bit_mib": 768.0}]
    found = figures(storage, CHINIT, section_qcct=[{"qcctstus": 3}], console_event=events)
    assert found["chinit_64bit_used_pct"] == 25.0


def test_a_batch_is_as_large_as_all_channels_make_it() -> None:
    rows = [
        {"qcstchnm": name, "qcstnmsg": messages, "qcstbatc": batches}
        for name, messages, batches in (("A", 90, 10), ("B", 30, 20), ("C", 0, 0))
    ]
    assert figures(channel_batches, CHINIT, section_qcst=rows) == {"channel_batch_messages": 4.0}


def test_the_busiest_task_speaks_and_idle_adapters_are_not_used() -> None:
    both = [
        {"section_index": 0, "qctreqn": 9, "qcteltm": 60.0, "qctwttm": 40.0},
        {"section_index": 1, "qctreqn": 0, "qcteltm": 0.0, "qctwttm": 100.0},
    ]
    assert figures(
        tasks, CHINIT, section_qctdsp=both, section_qctadp=both, section_qctssl=both[:1]
    ) == {
        "chinit_dispatchers_count": 2.0,
        "chinit_dispatcher_busy_pct": 60.0,
        "chinit_adapters_count": 2.0,
        "chinit_adapters_used_count": 1.0,
        "chinit_ssltasks_count": 1.0,
        "chinit_ssltask_busy_pct": 60.0,
    }
