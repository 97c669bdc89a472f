"""What places of inputs and names in their files do not agree on."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.estate import Estate, Sysplex
from mqcap.steps.load_problems import place_problems
from tests.spark_apps.manifests import manifest

ESTATE = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEXA", smfids=("SYS1", "SYS2")),
        Sysplex(sysplex="PLEXB", smfids=("SYS1", "SYS3")),
    )
)


def problems(**facts: Any) -> list[str]:
    made = manifest("a", **facts)
    return list(place_problems(made, "day.smf", [made], ESTATE))


@pytest.mark.parametrize(
    "facts",
    [
        {"smfids": ("SYS2",)},
        {"smfids": ("SYS9",)},
        {"root": "PLEXA"},
        {"root": "PLEXB", "smfids": ("SYS1", "SYS3", "SYS9")},
        {"sysplex_by_smfid": {"SYS1": "PLEXB"}},
        {"root": "PLEXA", "sysplex_by_smfid": {"SYS1": "PLEX1"}},
        {"smfids": ()},
    ],
)
def test_a_file_whose_place_is_certain_is_nothing_to_report(facts: dict[str, Any]) -> None:
    assert problems(**facts) == []


def test_a_system_of_two_sysplexes_in_no_input_is_reported_with_file_and_key() -> None:
    [found] = problems()
    assert found.startswith("day.smf: system SYS1 is in several sysplexes (PLEXA, PLEXB) and the ")
    assert "no entry of ingest.inputs with a sysplex" in found


def test_a_system_of_two_sysplexes_by_records_is_reported() -> None:
    every = [manifest(name, smfids=("SYS9",), sysplex_by_smfid={"SYS9": plex})
             for name, plex in (("b", "PLEXC"), ("c", "PLEXD"))]  # fmt: skip
    made = manifest("a", smfids=("SYS9",))
    [found] = place_problems(made, "day.smf", [made, *every], ESTATE)
    assert "system SYS9 is in several sysplexes (PLEXC, PLEXD)" in found


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"smfids": ("SYS3",)}, "system SYS3 is of PLEXB in estate and of PLEXA by ingest.inputs"),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}}, "SYS1 is of PLEXB by its RMF records and of"),
    ],
)
def test_a_system_of_another_sysplex_than_the_input_is_reported(
    facts: dict[str, Any], text: str
) -> None:
    [found] = problems(root="PLEXA", **facts)
    assert text in found


def test_a_place_that_the_estate_has_no_more_is_reported() -> None:
    [found] = problems(root="PLEXC", smfids=("SYS2",))
    assert found.startswith("day.smf: ingest.inputs had the file of PLEXC, which estate does not")
