"""Whose the structures of a coupling facility are."""

from __future__ import annotations

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.estate.structures import group_of_structure, sharing_groups

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
