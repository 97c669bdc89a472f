"""Releases of MQ, and megabytes of MQM."""

import pytest

from sizing.mq_release import (
    has_buffers_below_the_bar,
    newer_release,
    no_channels_above_bar,
    use_above_bar,
)
from sizing.mqm import blocks_of, megabytes_of
from tests.sizing.builders import finding


@pytest.mark.parametrize(
    ("version", "below"),
    [("9.2.0", True), ("9.3.5", True), ("9.4", False), ("10.0.0", False), (None, False)],
)
def test_buffers_are_below_the_bar_before_9_4(version: str | None, below: bool) -> None:
    assert has_buffers_below_the_bar(version) is below
    assert bool(newer_release(version)) is below


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
