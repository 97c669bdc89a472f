from __future__ import annotations

import re

import pytest

from sizing.advice import Advice, advice_for, all_advice
from sizing.rulebook.registry import all_rules, entries
from tests.many_values import for_each
from tests.shared import ABSENT, shared_dir

ADVICE = list(all_advice().values())


@for_each("advice", ADVICE, ids=lambda advice: advice.id)
def test_advice_is_cited_and_helps_entries_that_exist(advice: Advice) -> None:
    assert advice.text.endswith(".")
    assert advice.citation.section
    assert advice.helps
    known = set(entries()) | set(all_advice())
    assert set(advice.helps) <= known


@for_each("advice", ADVICE, ids=lambda advice: advice.id)
def test_advice_is_attached_to_the_findings_of_a_rule(advice: Advice) -> None:
    """The text has to reach somebody: calculators are asked, rules tell by themselves."""
    helped = [rule for rule in advice.helps if rule in all_rules()]
    assert helped
    for rule in helped:
        assert advice in advice_for(rule)


def test_a_finding_finds_the_advice_that_helps_it() -> None:
    assert "CF-ENGINE-TYPE" in [advice.id for advice in advice_for("CF-BUSY-N")]
    assert advice_for("NO-SUCH-RULE") == ()


def test_every_id_of_the_catalogue_has_an_answer() -> None:
    folder = shared_dir()
    if folder is None:
        pytest.skip(ABSENT)
    catalogue = (folder / "reference" / "rules.md").read_text("utf-8")
    ids = re.findall(r"^### ([A-Z0-9-]+)$", catalogue, re.MULTILINE)
    assert set(ids) <= set(entries()) | set(all_advice())
