"""Tasks, storage and batches of channel initiators."""

from datetime import timedelta

import pytest

from spark_apps.metrics import channel_initiators
from tests.spark_apps.rows import START, between, levels, records, sections

CHINIT = "PLEX1/CSQ1/CHINIT"
MESSAGE = {"used_31bit_mib": 400.0, "free_31bit_mib": 1_200.0}
HOUR = timedelta(hours=1)


def test_the_console_gives_31_bit_storage_with_its_denominator() -> None:
    rows = channel_initiators.storage(
        sections({"PLEX1/CSQ1": 1_000.0}, console_event=[MESSAGE], section_qcct=[
            {"qcctstus": 999},
        ])
    )  # fmt: skip
    assert levels(rows) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0],
        ("chinit_31bit_available_mib", CHINIT): [1_200.0],
        ("chinit_31bit_used_pct", CHINIT): [25.0],
    }


def test_without_messages_31_bit_use_is_from_records_and_the_limit_from_settings() -> None:
    rows = [{"qcctstus": 400}]
    limited = sections({"PLEX1/CSQ1": 1_600.0}, section_qcct=rows)
    assert levels(channel_initiators.storage(limited)) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0],
        ("chinit_31bit_available_mib", CHINIT): [1_200.0],
        ("chinit_31bit_used_pct", CHINIT): [25.0],
    }
    unlimited = sections(section_qcct=rows)
    assert levels(channel_initiators.storage(unlimited)) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0]
    }


def test_records_fill_the_hours_that_no_message_touches() -> None:
    rows = channel_initiators.storage(
        sections(
            console_event=[MESSAGE],
            section_qcct=[{"qcctstus": 7, **between(START, START + 3 * HOUR)}],
        )
    )
    assert levels(rows)["chinit_31bit_used_mib", CHINIT] == [400.0, 7.0, 7.0]


@pytest.mark.parametrize(("gap", "covered_seconds"), [(0.5, 1_800), (2.0, 7_200), (2.5, 3_600)])
def test_a_message_holds_until_the_next_but_not_over_a_long_gap(
    gap: float, covered_seconds: int
) -> None:
    events = [
        {**MESSAGE, "event_utc": START},
        {**MESSAGE, "event_utc": START + gap * HOUR, "used_31bit_mib": 1.0},
    ]
    rows = channel_initiators.storage(sections(console_event=events))
    [first] = [
        row for row in records(rows) if (row.metric, row.level) == ("chinit_31bit_used_mib", 400)
    ]
    length = first.interval_end_utc - first.interval_start_utc
    assert length.total_seconds() == covered_seconds


def test_no_memory_limit_means_no_share() -> None:
    rows = [{"qcctstab": 512, "qcctslim": 17_592_186_040_320}]
    result = channel_initiators.storage(sections(section_qcct=rows))
    assert levels(result) == {("chinit_64bit_used_mib", CHINIT): [512.0]}


def test_a_record_too_old_for_64_bit_figures_leaves_them_to_the_console() -> None:
    events = [{"used_64bit_mib": 256.0, "free_64bit_mib": 768.0}]
    rows = channel_initiators.storage(
        sections(section_qcct=[{"qcctstus": 3}], console_event=events)
    )
    assert levels(rows)["chinit_64bit_used_pct", CHINIT] == [25.0]


CSQ1 = "PLEX1/CSQ1"


def test_a_batch_is_as_large_as_all_channels_make_it() -> None:
    rows = [
        {"qcstchnm": "A", "qcstnmsg": 90, "qcstbatc": 10},
        {"qcstchnm": "B", "qcstnmsg": 30, "qcstbatc": 20},
        {"qcstchnm": "C", "qcstnmsg": 0, "qcstbatc": 0},
    ]
    assert levels(channel_initiators.channel_batches(sections(section_qcst=rows))) == {
        ("channel_batch_messages", CHINIT): [4.0]
    }


def test_the_busiest_task_speaks_and_idle_adapters_are_not_used() -> None:
    tasks = [
        {"section_index": 0, "qctreqn": 9, "qcteltm": 60.0, "qctwttm": 40.0},
        {"section_index": 1, "qctreqn": 0, "qcteltm": 0.0, "qctwttm": 100.0},
    ]
    rows = channel_initiators.tasks(
        sections(section_qctdsp=tasks, section_qctadp=tasks, section_qctssl=tasks[:1])
    )
    assert levels(rows) == {
        ("chinit_dispatchers_count", CHINIT): [2.0],
        ("chinit_dispatcher_busy_pct", CHINIT): [60.0],
        ("chinit_adapters_count", CHINIT): [2.0],
        ("chinit_adapters_used_count", CHINIT): [1.0],
        ("chinit_ssltasks_count", CHINIT): [1.0],
        ("chinit_ssltask_busy_pct", CHINIT): [60.0],
    }
