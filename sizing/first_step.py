"""Changes whose figure is a first step: what was counted does not show how much is needed."""

from mqcap.domain.finding import Change, Effect
from mqcap.domain.typed_amount import TypedAmount


def first_step(action: str, amount: TypedAmount, side_effects: str, why: str) -> Change:
    """Return a change to be tried and measured; ``why`` says what no record shows.

    The action itself says so, so that no page, email or change pack shows it as a promise.
    """
    return Change(
        action=f"{action} A first step, to be measured: {why}.",
        amount=amount,
        side_effects=side_effects,
        effect=Effect.measure,
    )
