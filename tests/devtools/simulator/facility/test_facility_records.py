"""Records of a coupling facility and its shared queues."""

from __future__ import annotations

from collections.abc import Sequence

from devtools.simulator.events import LoadChange, Silence
from devtools.simulator.facility.coupling_facility import (
    facility_groups,
    senders_of_structure,
    used_by_structure,
)
from devtools.simulator.generate import facility_records
from devtools.simulator.parts_truth import ELEMENTS, ENTRIES, parts_of_facility
from devtools.simulator.senders import Sender
from devtools.simulator.spec import SysplexSpec
from tests.devtools.simulator.builders import ANCHOR, facility_part, plex_spec, qmgr_spec
from tests.devtools.simulator.reading import Record, records_in


def written(
    *, days: int = 1, system: int = 0, split: bool = False, silences: Sequence[Silence] = ()
) -> list[Record]:
    """Return the records of one facility by one system."""
    part = facility_part(days, system, split_records=split, silences=tuple(silences))
    return [record for _, rows in facility_records(part) for record in records_in(rows)]


def hours(records: Sequence[Record]) -> list[int]:
    """Return the local hour in which each record was written, at the end of its interval."""
    return [record.local_us // 3_600_000_000 % 24 for record in records]


def test_a_system_writes_a_record_per_interval_with_all_sections() -> None:
    records = written()
    assert hours(records) == [*range(1, 24), 0]
    assert {record.smfid for record in records} == {"TST1"}
    assert [records[0].triplet(number)[2] > 0 for number in range(1, 7)] == [True] * 6


def test_a_split_record_is_three_pieces_that_together_have_each_section_once() -> None:
    complete, pieces = written(), written(split=True)
    assert len(pieces) == 3 * len(complete)
    assert hours(pieces)[::24] == hours(pieces)[:1] * 3
    first = pieces[::24]
    for number in range(1, 7):
        counts = [piece.triplet(number)[2] for piece in first]
        assert sorted(counts) == [0, 0, complete[0].triplet(number)[2]]
    areas = [piece.data[piece.triplet(0)[0] :][piece.triplet(0)[1] - 12 :] for piece in first]
    assert [(area[:2], area[2:4]) for area in areas] == [
        (b"\0\3", bytes((0, number))) for number in (1, 2, 3)
    ]


def test_a_silent_system_has_no_record_in_its_hours() -> None:
    silence = Silence(system="TST1", day_offset=0, first_hour=9, hours=3)
    assert hours(written(silences=[silence])) == [*range(1, 10), *range(13, 24), 0]


PAY = Sender(
    queue="PAY.SHARED",
    application="PAYAPP",
    structure="APPL1",
    message_bytes=1_000,
    held=9_000,
    held_change=LoadChange(day_offset=0, before=0.5),
)


def shared(*senders: Sender) -> SysplexSpec:
    """The small sysplex, in which both members of the group have these queues."""
    return plex_spec(qmgrs=tuple(qmgr_spec(place, senders=senders) for place in (0, 1)))


def test_a_queue_of_all_members_is_in_its_structure_once() -> None:
    private = PAY.model_copy(update={"queue": "PAY.IN", "structure": ""})
    plex = shared(PAY, private)
    assert senders_of_structure(plex, "QSGAAPPL1") == [PAY]
    assert senders_of_structure(plex, "QSGAAPPL2") == []


def test_its_messages_are_entries_and_elements_of_the_records_and_of_the_truth() -> None:
    plain = facility_part()
    filled = facility_part(plex=shared(PAY))
    (before,), (after,) = (used_by_structure(part.facility) for part in (plain, filled))
    assert (after[0] - before[0]).tolist() == [9_000] * len(filled)
    assert (after[1] - before[1]).tolist() == [9_000 * 6] * len(filled)
    planted = {
        (part.metric, part.part): part.by_day[ANCHOR] for part in parts_of_facility(filled.facility)
    }
    assert planted[ENTRIES, "PAY.SHARED"] == 9_000 * 86_400
    assert planted[ELEMENTS, "PAY.SHARED"] == 6 * 9_000 * 86_400
    assert planted[ENTRIES, ""] == after[0].sum() * 3_600
    assert facility_groups(filled).keys() == facility_groups(plain).keys()
