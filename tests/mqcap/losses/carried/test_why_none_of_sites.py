"""Why nothing of a site is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.places import Place
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.carried.why_none import parts_of_sites
from tests.mqcap.whatif.sharing_group import facts_of

EAST = Place.model_validate(
    {
        "site": "EAST",
        "qmgrs": [{"name": "QM/1"}],
        "hosts": [{"name": "mq1"}],
        "ztpf": [{"name": "TPF1"}],
    }
)
PARTS = {"EAST", "EAST/QM%2F1", "EAST/mq1", "EAST/TPF1"}


@pytest.fixture(name="facts")
def given_facts(tmp_path: Path) -> DayFacts:
    facts = facts_of(tmp_path)
    return facts._replace(estate=facts.estate.model_copy(update={"places": (EAST,)}))


def test_every_part_of_a_site_is_known(facts: DayFacts) -> None:
    assert parts_of_sites(facts) == PARTS


@pytest.mark.parametrize("subject", sorted(PARTS))
def test_what_if_says_why_a_part_of_a_site_cannot_be_lost(facts: DayFacts, subject: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        loss_of(facts, subject)
    assert f"{subject} cannot be lost: nothing else takes its work" in str(refused.value)
    assert "expected PLEX1/CF01, PLEX1/CF02" in str(refused.value)
