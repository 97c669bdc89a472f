from __future__ import annotations

from mqcap.domain.finding import Effect
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.first_step import first_step
from sizing.rulebook.registry import all_rules


def test_the_action_itself_says_that_it_is_to_be_measured_and_why() -> None:
    amount = TypedAmount.of(TypedKind.ims_buffers, 200)
    change = first_step("Define 200 buffers.", amount, "storage", "the counter counts waits only")
    assert change.action == (
        "Define 200 buffers. A first step, to be measured: the counter counts waits only."
    )
    assert change.effect is Effect.measure
    assert change.amount == amount
    assert change.side_effects == "storage"


def test_a_rule_that_declares_a_first_step_can_emit_an_amount() -> None:
    rules = [rule for rule in all_rules().values() if rule.traits.first_step]
    assert rules
    assert all(rule.traits.amounts for rule in rules)
