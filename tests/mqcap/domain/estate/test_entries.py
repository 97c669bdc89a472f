"""Entries of the estate about a subject, the most special first."""

from __future__ import annotations

from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import GroupFacts, entries_of, guests_of
from mqcap.domain.metric import SubjectKind

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
    found = entries_of("PLEX1/CF01/QSG@APPL1", SubjectKind.structure, ESTATE)
    assert [place for _, place in found] == [
        "PLEX1/CF01/QSG@APPL1",
        "PLEX1/CF01",
        "PLEX1, group QSG",
    ]
    assert found[-1][0] == GroupFacts(2)


def test_a_group_that_nobody_configured_has_no_count() -> None:
    [(facts, _)] = entries_of("PLEX1/CF09/XXXXAPPL", SubjectKind.structure, ESTATE)
    assert facts == GroupFacts(None)


def test_linux_and_ztpf_are_known_from_the_estate_only() -> None:
    assert guests_of(ESTATE, SubjectKind.linux_host) == {"PLEX1/LNX1"}
    assert guests_of(ESTATE, SubjectKind.ztpf_system) == {"PLEX1/TPF1"}
    assert guests_of(ESTATE, SubjectKind.queue_manager) == set()
    assert places("PLEX1/LNX1", SubjectKind.linux_host) == ["PLEX1/LNX1"]
    assert places("PLEX1/LNX1", SubjectKind.ztpf_system) == []
