"""Records of a coupling facility and its shared queues."""

from devtools.simulator.coupling_facility import (
    facility_groups,
    senders_of_structure,
    used_by_structure,
)
from devtools.simulator.events import LoadChange
from devtools.simulator.generate import facility_records
from devtools.simulator.parts_truth import ELEMENTS, ENTRIES, parts_of_facility
from devtools.simulator.senders import Sender
from devtools.simulator.spec import SysplexSpec
from tests.devtools.simulator.builders import ANCHOR, facility_part, plex_spec, qmgr_spec
from tests.devtools.simulator.reading import records_in


def test_a_system_writes_a_record_per_interval_with_all_sections() -> None:
    records = records_in(facility_records(facility_part()))
    assert [record.local_hour for record in records] == [*range(1, 24), 0]
    assert {record.smfid for record in records} == {"TST1"}
    assert [records[0].triplet(number)[2] > 0 for number in range(1, 7)] == [True] * 6


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
