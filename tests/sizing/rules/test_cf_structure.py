"""How full an application structure is: by entries and by elements."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice

both_rules = pytest.mark.parametrize(
    ("rule_id", "counted"), [("CFS-FULL", "entries"), ("CFS-FULL-ELEMENTS", "elements")]
)


@both_rules
def test_a_structure_is_full_when_it_reaches_80_percent(rule_id: str, counted: str) -> None:
    assert severities(rule_id, "used_pct", 67.9, 68.1, 79.9, 80, 80.1) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act, Severity.act,
    ]  # fmt: skip
    below, reached = finding(rule_id, used_pct=79.9), finding(rule_id, used_pct=80)
    assert (below.breach, reached.breach) == (False, True)
    assert f"80 % of the structure's {counted} are in use" in reached.summary
    assert reached.arithmetic == (f"limit = 80 % of the structure's {counted}",)


@both_rules
@pytest.mark.parametrize(
    ("used_pct", "size_mib", "wanted_mib"),
    [
        (80, 100, 115),  # 80 x 100 / 70 = 114.3
        (84, 100, 121),  # exactly 120 would be the first tier itself
        (100, 7, 11),  # 10
    ],
)
def test_a_larger_structure_is_below_the_first_offload_tier(
    rule_id: str, counted: str, used_pct: float, size_mib: float, wanted_mib: int
) -> None:
    judged = finding(rule_id, used_pct=used_pct, size_mib=size_mib)
    assert typed(judged) == [f"SIZE({wanted_mib * 1_024}K)"]
    [change] = judged.changes
    assert change.effect is Effect.enough
    assert change.side_effects.startswith(f"{wanted_mib - size_mib} MiB of CF storage")
    after = after_advice(rule_id, used_pct=used_pct, size_mib=size_mib)
    assert after.observed is not None
    assert after.observed < 70
    assert after.breach is False


@both_rules
def test_a_structure_of_unknown_size_gets_advice_without_a_figure(
    rule_id: str, counted: str
) -> None:
    judged = finding(rule_id, used_pct=95)
    assert judged.advice.startswith("Enlarge the structure")
    assert judged.changes == ()
    assert finding(rule_id, used_pct=79.9, size_mib=100).changes == ()
