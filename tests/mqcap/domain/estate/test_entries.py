"""Entries of the estate about a subject: places, plans, shared names, structures, systems."""

from datetime import date
from typing import Any, Final

import pytest
from pydantic import BaseModel, ValidationError

from mqcap.domain.estate import CouplingFacility, Estate, PlannedChange, QueueManager, Sysplex
from mqcap.domain.estate.configured import LinuxHost, SystemClass, SystemFacts, ZtpfSystem
from mqcap.domain.estate.entries import (
    GroupFacts,
    entries_of,
    group_of_structure,
    guests_of,
    sharing_groups,
    unit_of,
)
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import SubjectKind
from mqcap.operands.declared import SETTINGS

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
    for unknown in ("PLEX1/CSQ9", "PLEX9/CSQ1"):
        assert places(unknown, SubjectKind.queue_manager) == []


def test_a_structure_has_its_entry_its_facility_and_its_group() -> None:
    entries = entries_of("PLEX1/CF01/QSG@APPL1", SubjectKind.structure, ESTATE)
    assert [place for _, place in entries] == [
        "PLEX1/CF01/QSG@APPL1",
        "PLEX1/CF01",
        "PLEX1, group QSG",
    ]
    assert entries[-1][0] == GroupFacts(2)
    [(unknown, _)] = entries_of("PLEX1/CF09/XXXXAPPL", SubjectKind.structure, ESTATE)
    assert unknown == GroupFacts(None)


def test_linux_and_ztpf_are_known_from_the_estate_only() -> None:
    assert guests_of(ESTATE, SubjectKind.linux_host) == {"PLEX1/LNX1"}
    assert guests_of(ESTATE, SubjectKind.ztpf_system) == {"PLEX1/TPF1"}
    assert guests_of(ESTATE, SubjectKind.queue_manager) == set()
    assert guests_of(ESTATE_OF_PLACES, SubjectKind.ztpf_system) == {"EAST/TPF1"}
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


def test_the_unit_of_a_key_is_that_of_its_operand_and_what_is_no_key_has_none() -> None:
    manager = QueueManager(name="CSQ1")
    units = {
        operand.key: (unit, operand.unit)
        for operand in SETTINGS.values()
        if (unit := unit_of(manager, operand.key))
    }
    assert "active_log_size_mib" in units
    assert all(declared == listed for declared, listed in units.values())
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


EAST = Place.model_validate(
    {
        "site": "EAST",
        "timezone": "Asia/Kolkata",
        "hosts": [{"name": "mq-1"}],
        "qmgrs": [{"name": "QM/1", "class": "test"}, {"name": "qm/1", "class": "test"}],
        "ztpf": [{"name": "TPF1"}],
    }
)
WEST = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "QM/1"}]})
ESTATE_OF_PLACES = Estate(sysplexes=(Sysplex(sysplex="PLEX1"),), places=(EAST, WEST))


def test_a_place_has_its_own_zone_and_names_that_differ_by_case_and_may_be_in_two_places() -> None:
    assert ESTATE_OF_PLACES.zones() == {"PLEX1": "UTC", "EAST": "Asia/Kolkata", "WEST": "UTC"}
    assert ESTATE_OF_PLACES.sites_of_qmgrs() == {"QM/1": ("EAST", "WEST"), "qm/1": ("EAST",)}


def test_the_class_is_that_of_the_escaped_name_or_of_the_most_important_one_of_the_place() -> None:
    subjects = ("EAST/QM%2F1/APP.IN", "WEST/QM%2F1", "EAST/mq-1", "NOWHERE/mq-1")
    test, production = SystemClass.test, SystemClass.production
    found = [ESTATE_OF_PLACES.class_of(subject) for subject in subjects]
    assert found == [test, production, test, production]


def test_a_system_belongs_to_what_lists_it_and_has_its_zone() -> None:
    both = WEST.model_copy(update={"ztpf": (ZtpfSystem(name="TPF1"), ZtpfSystem(name="TPF2"))})
    plex = Sysplex(sysplex="PLEX1", timezone="America/Chicago", ztpf=(ZtpfSystem(name="tpf2"),))
    estate = Estate(sysplexes=(plex,), places=(EAST, both))
    expected = {"tpf2": ("PLEX1",), "TPF1": ("EAST", "WEST"), "TPF2": ("WEST",)}
    assert estate.sites_of_ztpf() == expected
    zones = estate.zone_by_system()
    assert (zones["ztpf tpf2"], zones["ztpf TPF2"]) == ("America/Chicago", "UTC")
    assert "ztpf TPF1" not in zones


@pytest.mark.parametrize(
    ("qmgrs", "problem"),
    [
        ([{"name": "QM1"}, {"name": "QM1"}], "listed twice: QM1"),
        (
            [{"name": "QM1", "queues": [{"name": "A"}, {"name": "B"}, {"name": "A"}]}],
            "queues of QM1 are listed twice: A",
        ),
    ],
)
def test_a_queue_manager_or_queue_is_listed_once(qmgrs: list[Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Place.model_validate({"site": "EAST", "qmgrs": qmgrs})


DAY = date(2026, 3, 2)


def test_the_values_of_a_change_are_the_keys_that_it_sets() -> None:
    change = PlannedChange.model_validate(
        {"from": "2026-03-02", "active_logs": 12, "dual_logging": False, "note": "CHG1"}
    )
    assert change.first_day == DAY
    assert change.values() == {"active_logs": 12, "dual_logging": False}


CF = "PLEX1/CF01"


@pytest.mark.parametrize(
    ("name", "group"), [("QSG1APPL1", "QSG1"), ("QS@@APPL1", "QS"), ("ISGLOCK", "ISGL")]
)
def test_a_structure_begins_with_the_name_of_its_group(name: str, group: str) -> None:
    assert group_of_structure(f"{CF}/{name}") == group


def test_groups_are_those_of_the_estate_and_those_with_structures_of_their_own() -> None:
    estate = Estate.model_validate(
        {"sysplexes": [{"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1", "qsg": "QSG1"}]}]}
    )
    structures = [f"{CF}/QSG2CSQ_ADMIN", f"{CF}/ISGLOCK", "PLEX2/CF01/QSG3CSQ_ADMIN"]
    assert sharing_groups("PLEX1", structures, estate) == {"QSG1", "QSG2"}
    assert sharing_groups("PLEX1", [f"{CF}/ISGLOCK"], Estate()) == set()


@pytest.mark.parametrize(
    ("facts", "has_roce"),
    [
        ({}, None),
        ({"roce": False}, False),
        ({"roce": True}, True),
        ({"smc": []}, None),
        ({"smc": ["SMC-D"]}, None),
        ({"smc": ["SMC-R"], "roce": False}, True),
    ],
)
def test_active_smc_r_tells_of_its_adapters(facts: dict[str, Any], has_roce: bool | None) -> None:
    assert SystemFacts.model_validate({"smfid": "SYS1"} | facts).has_roce is has_roce


def test_a_member_of_a_sysplex_has_one_entry() -> None:
    one = {"sysplex": "PLEX1", "systems": [{"smfid": "SYS1"}]}
    for smfids in ((), ("SYS1",)):
        assert Sysplex.model_validate(one | {"smfids": smfids}).systems[0].smfid == "SYS1"
    with pytest.raises(ValidationError, match="SYS1 in none of smfids: SYS2"):
        Sysplex.model_validate(one | {"smfids": ("SYS2",)})
    with pytest.raises(ValidationError, match="more than one entry: SYS1"):
        Sysplex.model_validate(one | {"systems": [{"smfid": "SYS1"}] * 2})
