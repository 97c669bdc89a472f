"""The full threshold of a structure, by samples of a monitor."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules
from sizing.rules.cf_structure import FULLTHRESHOLD_PCT as OF_SMF
from sizing.rules.structure_sampled import FULLTHRESHOLD_PCT
from tests.sizing.builders import finding

PAIRS = [("CFS-SAMPLED-FULL", "CFS-FULL"), ("CFS-SAMPLED-STORAGE", "CFS-FULL-ELEMENTS")]


@pytest.mark.parametrize(("sampled", "of_smf"), PAIRS)
@pytest.mark.parametrize("used_pct", [74, 75, 79, 80, 81])
def test_samples_are_graded_as_the_figures_of_smf(
    sampled: str, of_smf: str, used_pct: float
) -> None:
    def severity(rule_id: str) -> Severity:
        rule = all_rules()[rule_id]
        assessed = rule.assess(rule.inputs.model_validate({"used_pct": used_pct}))
        return severity_of(assessed, rule.traits, load_settings().grade_policy(rule_id))

    assert severity(sampled) is severity(of_smf)


@pytest.mark.parametrize(("sampled", "of_smf"), PAIRS)
def test_the_rule_of_smf_comes_first_and_no_size_is_advised(sampled: str, of_smf: str) -> None:
    assert all_rules()[sampled].traits.superseded_by == of_smf
    assert FULLTHRESHOLD_PCT == OF_SMF
    made = finding(sampled, used_pct=80)
    assert (made.breach, made.changes) == (True, ())
    assert "SMF 74.4, where it has arrived, decides" in made.caveats[0]


@pytest.mark.parametrize(("sampled", "_"), PAIRS)
def test_without_samples_nothing_is_asked_of_the_site(sampled: str, _: str) -> None:
    assert not all_rules()[sampled].applies_to({})
