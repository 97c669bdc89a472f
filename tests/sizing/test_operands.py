"""Ranges of operands and settings, and releases of MQ."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import QueueManager
from mqcap.domain.metric import SubjectKind
from sizing.mq_release import (
    has_buffers_below_the_bar,
    newer_release,
    no_channels_above_bar,
    use_above_bar,
)
from sizing.mqm import blocks_of, megabytes_of
from sizing.operands import (
    OperandRange,
    RangeCertainty,
    Restart,
    ValueForm,
    highest,
    lowest,
    operand_range,
    operand_ranges,
)
from tests.sizing.builders import finding

CHINIT = SubjectKind.channel_initiator
MANAGER = SubjectKind.queue_manager


def entry(kind: SubjectKind, key: str) -> OperandRange:
    operand = operand_range(kind, key)
    assert operand is not None
    return operand


@pytest.mark.parametrize(
    ("kind", "key", "value", "fits"),
    [
        (MANAGER, "maxarch", 9, False),
        (MANAGER, "maxarch", 10, True),
        (MANAGER, "maxarch", 11, True),
        (MANAGER, "maxarch", 999, True),
        (MANAGER, "maxarch", 1_000, True),
        (MANAGER, "maxarch", 1_001, False),
        (MANAGER, "maxarch", 10.5, False),
        (MANAGER, "active_log_size_mib", 0, False),
        (MANAGER, "active_log_size_mib", 0.1, True),
        (MANAGER, "active_log_size_mib", 4_096, True),
        (MANAGER, "active_log_size_mib", 4_096.1, False),
        (MANAGER, "page_set_backup_hours", 0, False),
        (MANAGER, "page_set_backup_hours", 1e6, True),
        (CHINIT, "channels_moved", -1, False),
        (CHINIT, "channels_moved", 0, True),
        (CHINIT, "adapters", True, False),
        (CHINIT, "adapters", "many", False),
        (MANAGER, "dual_logging", True, True),
        (MANAGER, "dual_logging", 1, False),
    ],
)
def test_a_value_fits_from_the_lowest_to_the_highest(
    kind: SubjectKind, key: str, value: object, fits: bool
) -> None:
    assert (entry(kind, key).refusal(value) == "") is fits


@pytest.mark.parametrize(
    ("kind", "key", "value", "text"),
    [
        (
            MANAGER,
            "maxarch",
            5_000,
            (
                "maxarch is out of range: found 5,000, expected whole number, 10 to 1,000 volumes "
                "(IBM MQ 8.0 and 9.2, CSQ6LOGP)"
            ),
        ),
        (
            MANAGER,
            "archive_minutes",
            -1,
            (
                "archive_minutes is out of range: found -1, expected more than 0 min "
                "(the times of CSQJ002I and CSQJ139I)"
            ),
        ),
        (
            CHINIT,
            "channels_moved",
            "all",
            (
                "channels_moved is out of range: found all, expected whole number, 0 or more "
                "channels (DISPLAY CHSTATUS)"
            ),
        ),
        (
            MANAGER,
            "dual_logging",
            2,
            "dual_logging is out of range: found 2, expected true or false (IBM MQ 8.0, CSQ6LOGP)",
        ),
    ],
)
def test_a_refusal_names_key_value_range_and_source(
    kind: SubjectKind, key: str, value: object, text: str
) -> None:
    assert entry(kind, key).refusal(value) == text


def test_each_key_of_a_kind_has_one_row() -> None:
    keys = [(each.subject_kind, each.key) for each in operand_ranges()]
    assert len(keys) == len(set(keys))
    assert operand_range(MANAGER, "buffers") is None


def test_a_default_lies_in_its_range() -> None:
    numeric = [
        each for each in operand_ranges() if each.form is not ValueForm.switch and each.default
    ]
    outside = [each.key for each in numeric if each.refusal(float(each.default))]
    assert len(numeric) >= 10
    assert outside == ["ssltasks"], "its default starts none, which is no size to plan with"


def test_only_what_no_document_has_is_to_be_checked() -> None:
    unsure = {each.key for each in operand_ranges() if each.certainty is RangeCertainty.C}
    assert unsure == {"actchl", "ssltasks"}


def test_a_channel_initiator_reads_its_tasks_when_it_starts() -> None:
    assert {
        entry(CHINIT, key).restart for key in ("adapters", "dispatchers", "memlimit_gib", "maxchl")
    } == {Restart.channel_initiator}
    assert entry(SubjectKind.buffer_pool, "buffers").restart is Restart.none
    assert entry(MANAGER, "outbuff_kb").restart is Restart.queue_manager


def in_estate(key: str, value: float) -> bool:
    """Whether a queue manager of the estate may have the value."""
    try:
        QueueManager.model_validate({"name": "CSQ1", key: value})
    except ValidationError:
        return False
    return True


def test_the_estate_takes_every_value_of_a_range() -> None:
    ends = [
        (each.key, end)
        for each in operand_ranges()
        if each.key in QueueManager.model_fields
        for end in (each.low, each.high)
        if end is not None
    ]
    assert len(ends) > 10
    assert [(key, end) for key, end in ends if not in_estate(key, end)] == []


@pytest.mark.parametrize("key", ["active_logs", "maxarch", "outbuff_kb", "logload"])
def test_the_estate_refuses_what_is_out_of_range(key: str) -> None:
    own = entry(MANAGER, key)
    assert own.low is not None
    assert own.high is not None
    assert not in_estate(key, own.low - 1)
    assert not in_estate(key, own.high + 1)


@pytest.mark.parametrize(
    ("kind", "key", "value"), [(MANAGER, "maxarch", 1_000), (CHINIT, "maxchl", 9_999)]
)
def test_the_highest_value_of_an_operand_is_that_of_the_table(
    kind: SubjectKind, key: str, value: int
) -> None:
    assert highest(kind, key) == value


def test_the_lowest_value_of_an_operand_is_that_of_the_table() -> None:
    assert lowest(SubjectKind.buffer_pool, "buffers") == 100
    with pytest.raises(ValueError, match="nothing of a queue_manager has no lowest value"):
        lowest(MANAGER, "nothing")


@pytest.mark.parametrize(
    ("kind", "key"), [(MANAGER, "archive_minutes"), (MANAGER, "nothing"), (CHINIT, "maxarch")]
)
def test_an_operand_without_a_highest_value_is_an_error(kind: SubjectKind, key: str) -> None:
    with pytest.raises(ValueError, match=f"{key} of a {kind.value} has no highest value"):
        highest(kind, key)


@pytest.mark.parametrize(
    ("version", "below"),
    [("9.2.0", True), ("9.3.5", True), ("9.4", False), ("9.4.0", False), ("10.0.0", False)],
)
def test_buffers_are_below_the_bar_before_9_4(version: str, below: bool) -> None:
    assert has_buffers_below_the_bar(version) is below
    assert bool(newer_release(version)) is below


def test_an_unknown_release_is_not_taken_for_an_early_one() -> None:
    assert not has_buffers_below_the_bar(None)
    assert newer_release(None) == ()


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("9.3.0", "At 9.3.0 only accounting and statistics use this storage"),
        ("9.3.1", "At 9.3.1 more of this storage is used"),
        ("9.3.5", "MP16 has buffers of channels in it from 9.4 on"),
        ("9.4.0", "At 9.4.0 channels use this storage"),
        ("10.0.0", "At 10.0.0 channels use this storage"),
        (None, "The release here is not known."),
    ],
)
def test_a_finding_on_64_bit_storage_says_what_its_release_keeps_there(
    version: str | None, words: str
) -> None:
    assert words in use_above_bar(version)
    judged = finding("CHI-80-64BIT", used_pct=76, used_mib=1_500, mq_version=version)
    about = [caveat for caveat in judged.caveats if "this storage" in caveat]
    assert about == [use_above_bar(version)]


@pytest.mark.parametrize(
    ("version", "reason"), [("9.3.5", "this is 9.3.5"), ("9.4", ""), ("9.4.1", ""), (None, "")]
)
def test_only_a_release_before_9_4_has_no_channels_above_the_bar(
    version: str | None, reason: str
) -> None:
    found = no_channels_above_bar(version)
    assert found.endswith(reason)
    assert bool(found) is bool(reason)


@pytest.mark.parametrize(
    ("blocks", "megabytes"), [(244_140, 1_000), (244_141, 1_001), (127_997, 525)]
)
def test_megabytes_hold_the_blocks(blocks: int, megabytes: int) -> None:
    assert megabytes_of(blocks) == megabytes
    assert blocks_of(megabytes) >= blocks


def test_whole_blocks_of_some_megabytes_are_those_megabytes_again() -> None:
    assert blocks_of(1_000) == 244_140
    assert all(megabytes_of(blocks_of(size)) == size for size in (1, 910, 1_100, 5_250))
