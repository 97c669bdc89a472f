"""Facts about systems of a sysplex."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.systems import SystemFacts


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


@pytest.mark.parametrize(
    "facts",
    [{"smfid": "SYS12"}, {"smfid": "sys1"}, {"smc": ["SMC"]}, {"cpc": ""}, {"machine": "CPC1"}],
)
def test_other_names_and_keys_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SystemFacts.model_validate({"smfid": "SYS1"} | facts)


def test_a_system_has_one_entry() -> None:
    entry = {"smfid": "SYS1"}
    with pytest.raises(ValidationError, match="more than one entry: SYS1"):
        Sysplex.model_validate({"sysplex": "PLEX1", "systems": [entry, entry]})


@pytest.mark.parametrize(
    ("smfids", "refused"), [((), False), (("SYS1",), False), (("SYS2",), True)]
)
def test_a_system_is_a_member_of_the_sysplex(smfids: tuple[str, ...], refused: bool) -> None:
    document = {"sysplex": "PLEX1", "smfids": smfids, "systems": [{"smfid": "SYS1"}]}
    if refused:
        with pytest.raises(ValidationError, match="SYS1 in none of smfids: SYS2"):
            Sysplex.model_validate(document)
    else:
        assert Sysplex.model_validate(document).systems[0].smfid == "SYS1"
