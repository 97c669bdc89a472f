"""The level at which a page set expands, by samples of a monitor."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.judge import NEAR, severity_of
from sizing.rulebook.registry import all_rules
from sizing.rules.page_set import EXPANSION_PCT as OF_SMF
from sizing.rules.page_set_sampled import EXPANSION_PCT
from tests.sizing.builders import finding

SMF_RULE, SAMPLED = "PS-EXPAND-90", "PS-SAMPLED-90"


@pytest.mark.parametrize(("used_pct", "breach"), [(89, False), (90, False), (91, True)])
def test_a_page_set_expands_above_its_level(used_pct: float, breach: bool) -> None:
    made = finding(SAMPLED, used_pct=used_pct)
    assert made.breach is breach
    assert "larger page set" in made.advice
    assert made.advice.startswith(NEAR) is not breach


@pytest.mark.parametrize(
    ("used_pct", "severity"),
    [(84, Severity.ok), (85, Severity.watch), (90, Severity.watch), (91, Severity.act)],
)
def test_samples_are_graded_as_the_figures_of_smf(used_pct: float, severity: Severity) -> None:
    for rule_id in (SMF_RULE, SAMPLED):
        rule, policy = all_rules()[rule_id], load_settings().grade_policy(rule_id)
        assessed = rule.assess(rule.inputs.model_validate({"used_pct": used_pct}))
        assert severity_of(assessed, rule.traits, policy) is severity


def test_a_finding_of_smf_is_reported_instead_and_the_samples_say_so() -> None:
    assert all_rules()[SAMPLED].traits.superseded_by == SMF_RULE
    assert EXPANSION_PCT == OF_SMF
    assert "SMF, where it has arrived, decides" in finding(SAMPLED, used_pct=50).caveats[0]


def test_without_samples_nothing_is_asked_of_the_site() -> None:
    rule = all_rules()[SAMPLED]
    assert not rule.applies_to({})
    assert rule.applies_to({"used_pct": 1.0})
