"""Why a part has no loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.estate.places import Place
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.why_none import parts_without_loss, reasons_without_loss
from mqcap.losses.make import losses_of_day
from tests.mqcap.judging.observations import with_series
from tests.mqcap.whatif.sharing_group import CF01, CF03, CSQ1, estate, facility, facts_of, member


@pytest.fixture
def facts(tmp_path: Path) -> DayFacts:
    """CF01 without engines, CF09 not measured; CSQ1 alone in its group, CSQ2 not in the estate."""
    cfs = (facility("CF02", 3), facility("CF03", 2), facility("CF09", 1))
    members = (member("CSQ1"), member("CSQ8", qsg=None))
    facts = facts_of(tmp_path, configured=estate(cfs, members))
    observed = with_series(facts.observed, {("cf_engine_count", CF01): []})
    return facts._replace(observed=observed)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("CF01", "the number of its engines is not known; set engines"),
        ("CF03", "no structure of MQ is in it"),
        ("CF09", "no busy time of it was measured (SMF 74.4)"),
        ("CSQ1", "it is the only member of QSG1 in the estate"),
        ("CSQ2", "it is not in the estate, so its queue sharing group is not known"),
        ("CSQ8", "it is in no queue sharing group"),
    ],
)
def test_each_part_without_a_loss_has_its_reason(facts: DayFacts, part: str, words: str) -> None:
    [reason] = reasons_without_loss(facts, part)
    assert reason.startswith(f"PLEX1/{part}: {words}")


def test_a_part_is_found_in_any_case_and_each_of_them_is_named(facts: DayFacts) -> None:
    assert reasons_without_loss(facts, "csq8") == reasons_without_loss(facts, "CSQ8") != []
    assert {CF01, CF03, CSQ1, "PLEX1/CSQ8"} <= set(parts_without_loss(facts))


def test_what_is_not_known_has_none(facts: DayFacts) -> None:
    assert reasons_without_loss(facts, "CSQ77") == []


def test_every_part_has_a_loss_or_a_reason(facts: DayFacts) -> None:
    lost = {loss.lost for loss in losses_of_day(facts)}
    explained = {reason.partition(":")[0] for reason in reasons_without_loss(facts, "PLEX1/")}
    assert {CF01, CF03, CSQ1} <= explained
    assert not lost & explained


def test_parts_of_a_site_have_a_reason_and_share_its_sentence(facts: DayFacts) -> None:
    place = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "QM1"}, {"name": "QM2"}]})
    there = facts._replace(estate=facts.estate.model_copy(update={"places": (place,)}))
    [every] = reasons_without_loss(there, "EAST")
    assert every.startswith("EAST, EAST/QM1, EAST/QM2: nothing else takes its work")
    assert reasons_without_loss(there, "QM1")[0].startswith("EAST/QM1: nothing else takes")
