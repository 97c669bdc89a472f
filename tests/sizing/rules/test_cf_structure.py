"""How full an application structure is: by entries and by elements."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
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


@pytest.mark.parametrize(
    ("entries", "elements", "first"),
    [(70.1, 70, "entries"), (70, 70, "elements"), (5, 70, "elements")],
)
def test_the_fuller_of_entries_and_elements_ends_first(
    entries: float, elements: float, first: str
) -> None:
    answer = RULES["CFS-FULL"].answer({"entries_used_pct": entries, "elements_used_pct": elements})
    assert answer["exhausts_first"] == first
    assert answer["used_pct"] == max(entries, elements)


@pytest.mark.parametrize(
    ("used_pct", "levels"),
    [
        (69.9, (False, False, False)),
        (70, (True, False, False)),
        (80, (True, True, False)),
        (89.9, (True, True, False)),
        (90, (True, True, True)),
    ],
)
def test_each_level_on_the_way_counts_when_it_is_reached(
    used_pct: float, levels: tuple[bool, bool, bool]
) -> None:
    answer = RULES["CFS-FULL"].answer({"entries_used_pct": used_pct, "elements_used_pct": 10})
    assert (answer["offload_tier_1"], answer["breach"], answer["scm_prestaging"]) == levels
