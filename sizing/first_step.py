"""Changes whose figure is a first step: what was counted does not tell how much is needed."""

from __future__ import annotations

from mqcap.domain.finding import Change, Effect
from mqcap.domain.typed_amount import TypedAmount


def first_step(action: str, amount: TypedAmount, side_effects: str, why: str) -> Change:
    """A change to be tried and measured; ``why`` says what no record tells.

    The words stand in the action itself, so that no page, mail or pack shows it as a promise.
    """
    return Change(
        action=f"{action} A first step, to be measured: {why}.",
        amount=amount,
        side_effects=side_effects,
        effect=Effect.measure,
    )
