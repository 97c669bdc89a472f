"""Records of a coupling facility and its shared queues."""

from devtools.simulator.coupling_facility import senders_of_structure
from devtools.simulator.events import LoadChange
from devtools.simulator.spec import Sender, SysplexSpec
from devtools.simulator.truth import ELEMENTS, ENTRIES, parts_of_facility
from tests.devtools.simulator.builders import ANCHOR, facility, plex_spec, qmgr_spec

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
    plain, filled = facility(), facility(plex=shared(PAY))
    assert (filled.entries - plain.entries).tolist() == [[9_000] * len(filled)]
    assert (filled.elements - plain.elements).tolist() == [[9_000 * 6] * len(filled)]
    planted = {(part.metric, part.part): part.by_day[ANCHOR] for part in parts_of_facility(filled)}
    assert planted[ENTRIES, "PAY.SHARED"] == 9_000 * 86_400
    assert planted[ELEMENTS, "PAY.SHARED"] == 6 * 9_000 * 86_400
    assert planted[ENTRIES, ""] == filled.entries.sum() * 3_600
