"""Entries of the estate about a subject, the most special first."""

from __future__ import annotations

from typing import Final

import pytest
from pydantic import BaseModel

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager
from mqcap.domain.estate.configured import LinuxHost, ZtpfSystem
from mqcap.domain.estate.entries import GroupFacts, entries_of, guests_of, unit_of
from mqcap.domain.metric import SubjectKind
from sizing.operands import operand_ranges

ESTATE = Estate.model_validate(
    {
        "sysplexes": [
            {
                "sysplex": "PLEX1",
                "qmgrs": [
                    {"name": "CSQ1", "qsg": "QSG", "buffer_pools": [{"number": 3}]},
                    {"name": "CSQ2", "qsg": "QSG"},
                ],
                "cfs": [{"name": "CF01", "structures": [{"name": "QSG@APPL1"}]}],
                "linux": [{"name": "LNX1"}],
                "ztpf": [{"name": "TPF1"}],
            },
            {"sysplex": "PLEX2", "qmgrs": [{"name": "CSQ1"}]},
        ]
    }
)


def places(subject: str, kind: SubjectKind) -> list[str]:
    return [place for _, place in entries_of(subject, kind, ESTATE)]


def test_a_pool_has_its_own_entry_before_that_of_its_queue_manager() -> None:
    assert places("PLEX1/CSQ1/BP03", SubjectKind.buffer_pool) == ["PLEX1/CSQ1/BP03", "PLEX1/CSQ1"]
    assert places("PLEX1/CSQ1/BP04", SubjectKind.buffer_pool) == ["PLEX1/CSQ1"]
    assert places("PLEX2/CSQ1", SubjectKind.queue_manager) == ["PLEX2/CSQ1"]


def test_an_unknown_queue_manager_has_no_entry() -> None:
    assert places("PLEX1/CSQ9", SubjectKind.queue_manager) == []
    assert places("PLEX9/CSQ1", SubjectKind.queue_manager) == []


def test_a_structure_has_its_entry_its_facility_and_its_group() -> None:
    entries = entries_of("PLEX1/CF01/QSG@APPL1", SubjectKind.structure, ESTATE)
    assert [place for _, place in entries] == [
        "PLEX1/CF01/QSG@APPL1",
        "PLEX1/CF01",
        "PLEX1, group QSG",
    ]
    assert entries[-1][0] == GroupFacts(2)


def test_a_group_that_nobody_configured_has_no_count() -> None:
    [(facts, _)] = entries_of("PLEX1/CF09/XXXXAPPL", SubjectKind.structure, ESTATE)
    assert facts == GroupFacts(None)


def test_linux_and_ztpf_are_known_from_the_estate_only() -> None:
    assert guests_of(ESTATE, SubjectKind.linux_host) == {"PLEX1/LNX1"}
    assert guests_of(ESTATE, SubjectKind.ztpf_system) == {"PLEX1/TPF1"}
    assert guests_of(ESTATE, SubjectKind.queue_manager) == set()
    assert places("PLEX1/LNX1", SubjectKind.linux_host) == ["PLEX1/LNX1"]
    assert places("PLEX1/LNX1", SubjectKind.ztpf_system) == []


UNIT_OF_ENDING: Final = {
    "_mib_per_s": "MiB/s",
    "_mib_per_day": "MiB/day",
    "_us_per_transaction": "us",
    "_per_s": "count/s",
    "_mib": "MiB",
    "_kb": "KB",
    "_minutes": "min",
    "_hours": "h",
    "_s": "s",
    "_pct": "%",
    "_gigabits": "Gbit/s",
}


@pytest.mark.parametrize("model", [QueueManager, CouplingFacility, LinuxHost, ZtpfSystem])
def test_a_key_that_ends_in_a_unit_declares_it(model: type[BaseModel]) -> None:
    entry = model.model_construct()
    assert isinstance(entry, QueueManager | CouplingFacility | LinuxHost | ZtpfSystem)
    for key in model.model_fields:
        named = next((unit for end, unit in UNIT_OF_ENDING.items() if key.endswith(end)), "")
        assert unit_of(entry, key) == named


def test_the_unit_of_a_key_is_that_of_the_operand_with_its_range() -> None:
    manager = QueueManager(name="CSQ1")
    units = {
        operand.key: (unit, operand.unit)
        for operand in operand_ranges()
        if (unit := unit_of(manager, operand.key))
    }
    assert "active_log_size_mib" in units
    assert all(declared == listed for declared, listed in units.values())


def test_what_is_no_key_of_the_estate_has_no_unit() -> None:
    assert unit_of(QueueManager(name="CSQ1"), "group_queue_managers") == ""
    assert unit_of(GroupFacts(3), "group_queue_managers") == ""


def test_what_is_agreed_about_one_queue_comes_before_that_of_its_queue_manager() -> None:
    queues = [{"name": "A/B", "consumer_away_minutes": 60}, {"name": "A"}]
    qmgr = {"name": "QM1", "consumer_away_minutes": 30, "queues": queues}
    estate = Estate.model_validate({"places": [{"site": "EAST", "qmgrs": [qmgr]}]})
    kind = SubjectKind.distributed_queue
    [(own, place), (_, of_qmgr)] = entries_of("EAST/QM1/A%2FB", kind, estate)
    assert (getattr(own, "consumer_away_minutes", None), place) == (60, "EAST/QM1/A%2FB")
    assert of_qmgr == "EAST/QM1"
    assert len(entries_of("EAST/QM1/A", kind, estate)) == 2
    assert len(entries_of("EAST/QM1/B", kind, estate)) == 1


def test_a_queue_that_is_not_on_zos_has_the_entry_of_its_queue_manager() -> None:
    site = {"site": "EAST", "qmgrs": [{"name": "QM/1", "consumer_away_minutes": 30}]}
    estate = Estate.model_validate({"places": [site]})
    for kind, subject in (
        (SubjectKind.distributed_queue, "EAST/QM%2F1/APP.IN"),
        (SubjectKind.distributed_queue_manager, "EAST/QM%2F1"),
    ):
        [(entry, place)] = entries_of(subject, kind, estate)
        assert (getattr(entry, "consumer_away_minutes", None), place) == (30, "EAST/QM%2F1")
        assert unit_of(entry, "consumer_away_minutes") == "min"
        assert entries_of("EAST/OTHER/APP.IN", kind, estate) == []


def test_a_channel_has_the_entry_of_its_queue_manager_and_none_of_a_queue() -> None:
    qmgr = {"name": "QM1", "queues": [{"name": "CHANNEL", "consumer_away_minutes": 60}]}
    estate = Estate.model_validate({"places": [{"site": "EAST", "qmgrs": [qmgr]}]})
    kind = SubjectKind.distributed_channel
    [(_, place)] = entries_of("EAST/QM1/CHANNEL/A", kind, estate)
    assert place == "EAST/QM1"
