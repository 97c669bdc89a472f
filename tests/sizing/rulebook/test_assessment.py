from __future__ import annotations

import math
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Change
from sizing.rulebook.assessment import Assessment, Falling, Reaching, with_advice

CHANGES = (Change(action="Do it."),)


class Suggesting(Falling):
    """Made up: below the limit something can be saved."""

    suggests: ClassVar[bool] = True


def assessed(
    observed: float, limit: float = 60.0, kind: type[Assessment] = Assessment
) -> Assessment:
    return kind(observed=observed, limit=limit, unit="%", advice="Nothing to change.")


@pytest.mark.parametrize(
    ("kind", "breaches"),
    [
        (Assessment, (False, False, True)),
        (Reaching, (False, True, True)),
        (Falling, (True, False, False)),
        (Suggesting, (False, False, False)),
    ],
)
def test_side_and_strictness_decide_what_is_a_breach(
    kind: type[Assessment], breaches: tuple[bool, bool, bool]
) -> None:
    assert tuple(assessed(value, kind=kind).breach for value in (59.0, 60.0, 61.0)) == breaches


def test_a_difference_of_rounding_is_exactly_at_the_limit() -> None:
    assert not assessed(math.nextafter(60.0, 61.0)).breach
    assert assessed(math.nextafter(60.0, 59.0), kind=Reaching).breach


def test_a_suggestion_passes_its_limit_without_a_breach_and_has_no_headroom() -> None:
    made = assessed(59.0, kind=Suggesting)
    assert made.passes_limit
    assert made.headroom_ratio is None


@pytest.mark.parametrize(
    ("observed", "limit", "kind", "ratio"),
    [
        (45.0, 60.0, Assessment, 0.25),
        (75.0, 60.0, Assessment, -0.25),
        (75.0, 60.0, Falling, 0.25),
        (45.0, 60.0, Falling, -0.25),
        (3.0, 0.0, Assessment, None),
    ],
)
def test_headroom_is_the_distance_to_the_limit_as_a_share_of_it(
    observed: float, limit: float, kind: type[Assessment], ratio: float | None
) -> None:
    assert assessed(observed, limit, kind).headroom_ratio == ratio


@given(st.floats(0.001, 1e6), st.floats(0.001, 1e6))
def test_headroom_is_negative_in_breach_only(observed: float, limit: float) -> None:
    made = assessed(observed, limit)
    assert made.headroom_ratio is not None
    assert (made.headroom_ratio < -1e-12) is made.breach or math.isclose(observed, limit)


def test_advice_and_changes_are_for_values_past_the_limit_only() -> None:
    within = with_advice(assessed(59.0), "Change it.", lambda: CHANGES)
    past = with_advice(assessed(61.0), "Change it.", lambda: CHANGES)
    assert (within.advice, within.changes) == ("Nothing to change.", ())
    assert (past.advice, past.changes) == ("Change it.", CHANGES)
    assert with_advice(assessed(61.0), "Change it.").changes == ()


def test_a_value_in_order_keeps_the_advice_for_one_past_the_limit_beside_its_own() -> None:
    assert with_advice(assessed(59.0), "Change it.").advice_past == "Change it."
    assert with_advice(assessed(61.0), "Change it.").advice_past == ""
