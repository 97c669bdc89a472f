"""Why nothing of a site is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.places import Place
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.carried.why_none import reasons_of_sites
from tests.mqcap.whatif.sharing_group import facts_of

EAST = Place.model_validate(
    {
        "site": "EAST",
        "qmgrs": [{"name": "QM/1"}],
        "hosts": [{"name": "mq1"}],
        "ztpf": [{"name": "TPF1"}],
    }
)
PARTS = {
    "EAST": "it is a site, whose queue managers share no queues",
    "EAST/QM%2F1": "queue managers of a site share no queues",
    "EAST/mq1": "what runs on a host is in no queue sharing group",
    "EAST/TPF1": "z/TPF systems are in no queue sharing group",
}


@pytest.fixture(name="facts")
def given_facts(tmp_path: Path) -> DayFacts:
    facts = facts_of(tmp_path)
    return facts._replace(estate=facts.estate.model_copy(update={"places": (EAST,)}))


def test_every_part_of_a_site_has_a_reason_and_no_other_part(facts: DayFacts) -> None:
    found = reasons_of_sites(facts)
    assert found.keys() == PARTS.keys()
    assert all(found[subject].startswith(words) for subject, words in PARTS.items())


@pytest.mark.parametrize("subject", PARTS)
def test_what_if_says_why_a_part_of_a_site_cannot_be_lost(facts: DayFacts, subject: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        loss_of(facts, subject)
    assert f"{subject} cannot be lost: {PARTS[subject]}" in str(refused.value)
    assert "expected PLEX1/CF01, PLEX1/CF02" in str(refused.value)
