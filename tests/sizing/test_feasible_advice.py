"""Advice of every rule, for any inputs it takes: typed in a known form, and possible."""

import math
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin

import pytest
from annotated_types import Ge, Gt, Le, Lt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from mqcap.domain.finding import Effect
from mqcap.domain.metric import SubjectKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.log_space import LOG_CAP_CYLINDERS, LOGS_MAX
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules
from sizing.rules.page_set import PAGE_SET_MAX_CYLINDERS
from tests.sizing.builders import finding

pytestmark = pytest.mark.thorough

RULES = all_rules()
MOST: Final = {
    "maxchl": 9_999,
    "outbuff_kb": 4_000,
    "maxarch": 1_000,
    "adapters": 120,
    "smds_buffers": 9_999,
    "batch_interval_ms": 299_999,
    "processes": 32_767,
    TypedKind.ims_buffers: 9_999,
    "log_file_pages": 65_535,
    "engines": 16,
    "buffers": 999_999_999,
}
"""Greatest values that the products accept."""


def taken(annotation: Any, metadata: tuple[Any, ...]) -> SearchStrategy[Any]:
    """Any value that a field takes, by its type and limits."""
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return taken(parts[0], (*metadata, *parts[1:]))
    if NoneType in parts:
        [known] = [part for part in parts if part is not NoneType]
        return st.none() | taken(known, metadata)
    if annotation is bool:
        return st.booleans()
    if annotation is str:
        return st.just("QSG1")
    low = max((0.0, *bounds(metadata, Ge, "ge"), *bounds(metadata, Gt, "gt")))
    high = min((1e5, *bounds(metadata, Le, "le"), *bounds(metadata, Lt, "lt")))
    above = any(isinstance(mark, Gt) for mark in metadata)
    if annotation is int:
        return st.integers(math.ceil(low) + above, int(high))
    return st.floats(max(low, 1e-3) if above else low, high, allow_subnormal=False)


def bounds(metadata: tuple[Any, ...], kind: type, name: str) -> list[float]:
    """The limits of one kind among the marks of a field."""
    return [float(getattr(mark, name)) for mark in metadata if isinstance(mark, kind)]


def inputs_of(rule: Rule) -> SearchStrategy[dict[str, Any]]:
    fields = rule.inputs.model_fields.items()
    return st.fixed_dictionaries(
        {name: taken(field.annotation, tuple(field.metadata)) for name, field in fields}
    )


def most_cylinders(rule: Rule) -> int:
    is_page_set = rule.traits.subject_kind is SubjectKind.page_set
    return PAGE_SET_MAX_CYLINDERS if is_page_set else LOG_CAP_CYLINDERS


def possible(rule: Rule, typed: TypedAmount, inputs: dict[str, Any]) -> None:
    if typed.kind in {TypedKind.cylinders, TypedKind.more_data_sets}:
        assert 0 < typed.value <= most_cylinders(rule)
    if typed.kind == TypedKind.more_data_sets:
        assert 0 < typed.data_sets <= LOGS_MAX - (inputs.get("active_logs") or 0)
    assert typed.value <= MOST.get(typed.kind, math.inf)
    assert typed.value > 0 or typed.kind == "log_compression"


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
@settings(max_examples=20)
@given(data=st.data())
def test_no_rule_ever_types_what_is_not_possible(rule: Rule, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(rule))
    judged = finding(rule.id, **inputs)
    for change in judged.changes:
        if change.amount is None:
            continue
        assert change.amount.kind in rule.traits.amounts, "the rule does not declare this kind"
        possible(rule, change.amount, inputs)
        assert change.side_effects
        assert change.effect is not Effect.enough or not rule.traits.first_step
        assert ("A first step, to be measured" in change.action) is (
            change.effect is Effect.measure
        )
