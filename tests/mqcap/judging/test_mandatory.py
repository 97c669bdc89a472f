"""Which rules are mandatory for a site."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.judging.mandatory import MandatoryRules, is_mandatory
from mqcap.settings import load_settings
from sizing.rulebook.registry import all_rules

FILL, DAY_ACTIVE = "LOG-FILL-30MIN", "LOG-DAY-ACTIVE"


@pytest.mark.parametrize(
    ("grading", "mandatory"),
    [
        ({}, (True, False)),
        ({FILL: {"breach": Severity.watch}}, (False, False)),
        ({DAY_ACTIVE: {"breach": Severity.act}}, (True, True)),
        ({FILL: {"breach": Severity.act}, DAY_ACTIVE: {"breach": Severity.watch}}, (True, False)),
    ],
)
def test_the_grading_of_the_site_counts_before_that_of_the_rule(
    grading: dict[str, dict[str, Severity]], mandatory: tuple[bool, bool]
) -> None:
    settings = load_settings(grading=grading)
    known = MandatoryRules(settings)
    assert (FILL in known, DAY_ACTIVE in known) == mandatory
    assert (is_mandatory(settings, all_rules()[FILL]), FILL in known) == (mandatory[0],) * 2


def test_an_unknown_rule_is_not_mandatory() -> None:
    known = MandatoryRules(load_settings())
    assert "OLD-RULE" not in known
    assert None not in known
