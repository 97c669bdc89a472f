"""The volume of accounting records, and accounting records that were lost."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities

PER_MIB: Final = 1_048_576
"""So many transactions of n bytes each are n MiB."""
ROOM: Final = {"accounting_class": 1, "smf_capacity_mib_per_day": 436}


@pytest.mark.parametrize(
    ("accounting_class", "queues", "caveats"),
    [(3, 1, 1), (3, 2, 0), (3, 8, 0), (3, 9, 1), (1, 1, 0)],
)
def test_a_volume_outside_the_measured_numbers_of_queues_says_that_it_is_extrapolated(
    accounting_class: int, queues: int, caveats: int
) -> None:
    judged = finding(
        "SMF-ACCT-BYTES",
        transactions_per_day=PER_MIB,
        accounting_class=accounting_class,
        smf_capacity_mib_per_day=1e6,
        queues=queues,
    )
    assert len(judged.caveats) == caveats
    assert all("extrapolated (ours)" in caveat for caveat in judged.caveats)


def test_too_much_volume_is_answered_by_streams_compression_or_class_1() -> None:
    judged = finding("SMF-ACCT-BYTES", transactions_per_day=2 * PER_MIB, **ROOM)
    assert "class 1" in judged.advice
    assert "zEDC" in judged.advice
    assert judged.changes == ()
    assert judged.arithmetic == (
        "volume = 2,097,152 x 436 bytes / 1048576 = 872 MiB a day",
        "limit = 436 MiB/day",
    )


def test_the_volume_is_evaluated_only_where_accounting_is_configured() -> None:
    assert not RULES["SMF-ACCT-BYTES"].applies_to({"smf_capacity_mib_per_day": 436})
    assert RULES["SMF-ACCT-BYTES"].applies_to({"accounting_class": 3})
    unknown = finding("SMF-ACCT-BYTES", transactions_per_day=1, accounting_class=1)
    assert unknown.severity is Severity.unknown
    assert unknown.missing[0].startswith("smf_capacity_mib_per_day: ")


@pytest.mark.parametrize(("volume", "breach"), [(435.9, False), (436, False), (436.1, True)])
def test_the_measured_volume_replaces_the_estimated_one(volume: float, breach: bool) -> None:
    judged = finding(
        "SMF-ACCT-BYTES", transactions_per_day=PER_MIB, volume_mib_per_day=volume, **ROOM
    )
    assert (judged.observed, judged.breach, judged.series_limit) == (volume, breach, 436)
    assert "class 1 state no interval" in judged.caveats[0]


@pytest.mark.parametrize(
    ("known", "applies"),
    [
        ({"transactions_per_day": 5.0, "volume_mib_per_day": 1.0}, False),
        ({"transactions_per_day": 5.0, "volume_mib_per_day": 1.0, **ROOM}, True),
        ({"volume_mib_per_day": 1.0, "smf_capacity_mib_per_day": 436}, True),
        ({"transactions_per_day": 5.0}, True),
    ],
    ids=["room not known", "room known", "room alone", "configured number"],
)
def test_records_alone_do_not_ask_for_the_room_of_smf(
    known: dict[str, object], applies: bool
) -> None:
    assert RULES["SMF-ACCT-BYTES"].applies_to(known) is applies


def test_the_first_lost_record_is_a_breach_that_is_only_watched() -> None:
    assert severities("SMF-LOST", "lost_per_h", 0, 0.01, 500) == [
        Severity.ok, Severity.watch, Severity.watch,
    ]  # fmt: skip
    judged = finding("SMF-LOST", lost_per_h=0.01)
    assert judged.breach
    assert judged.headroom_ratio is None
    assert "log streams" in judged.advice
