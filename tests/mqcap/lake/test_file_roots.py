"""Sysplex or site of delivered files."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from tests.spark_apps.manifests import manifest

ESTATE = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEXA", smfids=("SYS1", "SYS2")),
        Sysplex(sysplex="PLEXB", smfids=("SYS1",)),
    ),
    places=(Place(site="EAST"),),
)


def test_a_system_of_two_sysplexes_has_none() -> None:
    by_smfid, shared = sysplexes_of_systems(ESTATE, [])
    assert by_smfid == {"SYS2": "PLEXA"}
    assert shared == {"SYS1"}


def test_records_that_name_two_sysplexes_place_no_system() -> None:
    files = [manifest("a", sysplex_by_smfid={"SYS8": "PLEXC", "SYS9": "PLEXC", "SYS2": "X"}),
             manifest("b", sysplex_by_smfid={"SYS9": "PLEXD"})]  # fmt: skip
    by_smfid, shared = sysplexes_of_systems(ESTATE, files)
    assert by_smfid == {"SYS2": "PLEXA", "SYS8": "PLEXC"}
    assert shared == {"SYS1", "SYS9"}


def test_records_of_a_placed_file_place_no_other_file() -> None:
    placed = manifest("a", root="PLEXA", sysplex_by_smfid={"SYS9": "PLEX1"})
    assert "SYS9" not in sysplexes_of_systems(ESTATE, [placed]).by_smfid


@pytest.mark.parametrize(
    ("facts", "root"),
    [
        ({"root": "PLEXB"}, "PLEXB"),
        ({"root": "EAST"}, "EAST"),
        ({"root": "GONE"}, None),
        ({}, None),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}}, "PLEXB"),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}, "root": "PLEXA"}, "PLEXA"),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}, "smfids": ("SYS1", "SYS2")}, None),
        ({"sysplex_by_smfid": {"SYS2": "PLEXA"}, "smfids": ("SYS2",)}, None),
        ({"sysplex_by_smfid": {"SYS1": "X", "SYS2": "Y"}, "smfids": ("SYS1", "SYS2")}, None),
    ],
)
def test_a_file_is_of_its_input_else_of_the_sysplex_that_its_records_name(
    facts: dict[str, Any], root: str | None
) -> None:
    shared = sysplexes_of_systems(ESTATE, []).shared
    assert roots_of_files(ESTATE, [manifest("a", **facts)], shared).get("a") == root
