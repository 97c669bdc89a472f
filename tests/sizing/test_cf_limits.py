"""All rules about the engines of a coupling facility share its limits."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Finding
from sizing.cf_limits import ENGINES_MAX
from tests.sizing.builders import finding, typed

RULES_OF_SEVERAL_ENGINES: Final = ("CF-BUSY-N", "CF-SURVIVOR", "SYS-CF-CHECK")


def at(rule_id: str, busy_pct: float, engines: int) -> Finding:
    """Return the finding of a rule with nothing but its own load on the engines."""
    added: dict[str, dict[str, float | str]] = {
        "CF-SURVIVOR": {"lost_busy_pct": 0, "lost_engines": 1, "takes_over": "CF02"},
        "SYS-CF-CHECK": {"transactions_per_s": 0},
    }
    return finding(rule_id, busy_pct=busy_pct, engines=engines, **added.get(rule_id, {}))


@pytest.mark.parametrize("rule_id", ["CF-BUSY-1", "CF-SURVIVOR", "SYS-CF-CHECK"])
@pytest.mark.parametrize(("busy_pct", "breach"), [(29.9, False), (30, False), (30.1, True)])
def test_one_engine_may_be_30_percent_busy_in_every_rule(
    rule_id: str, busy_pct: float, breach: bool
) -> None:
    judged = at(rule_id, busy_pct, engines=1)
    assert (judged.limit_value, judged.breach) == (30, breach)


@pytest.mark.parametrize("rule_id", RULES_OF_SEVERAL_ENGINES)
@pytest.mark.parametrize(("busy_pct", "breach"), [(59.9, False), (60, False), (60.1, True)])
@pytest.mark.parametrize("engines", [2, 16])
def test_several_engines_may_be_60_percent_busy_in_every_rule(
    rule_id: str, busy_pct: float, breach: bool, engines: int
) -> None:
    judged = at(rule_id, busy_pct, engines)
    assert (judged.limit_value, judged.breach) == (60, breach)


@pytest.mark.parametrize("rule_id", RULES_OF_SEVERAL_ENGINES)
def test_no_rule_proposes_more_than_16_engines(rule_id: str) -> None:
    assert typed(at(rule_id, 80, engines=12)) == ["ICF engines: 16"]  # 80 x 12 / 60 = 16
    assert typed(at(rule_id, 80.1, engines=12)) == []  # 16.02


@pytest.mark.parametrize("rule_id", ["CF-BUSY-N", "CF-SURVIVOR"])
def test_the_advice_states_the_most_engines_of_one_image(rule_id: str) -> None:
    assert f"{ENGINES_MAX} at most" in at(rule_id, 80, engines=12).advice
