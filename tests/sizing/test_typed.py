from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.finding import InputValue
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from sizing.typed_amount import Typed, TypedKind, parse
from tests.sizing.builders import DAY, Policy
from tests.sizing.test_every_rule import SUBJECTS

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("CYL(4883)", Typed(TypedKind.cylinders, 4_883)),
        ("25 x CYL(5825)", Typed(TypedKind.more_data_sets, 5_825, 25)),
        ("BUFFERS(60000)", Typed(TypedKind.buffers, 60_000)),
        ("SIZE(4194304K)", Typed(TypedKind.structure_kib, 4_194_304)),
        ("MEMLIMIT=3G", Typed(TypedKind.memlimit_gib, 3)),
        ("MAXCHL(9999)", Typed(TypedKind.maxchl, 9_999)),
        ("OUTBUFF=4000", Typed(TypedKind.outbuff_kb, 4_000)),
        ("COMPLOG=RLE", Typed(TypedKind.log_compression, 0)),
        ("ICF engines: 2", Typed(TypedKind.engines, 2)),
        ("1 channel", Typed(TypedKind.channels, 1)),
        ("3 queue managers", Typed(TypedKind.queue_managers, 3)),
    ],
)
def test_each_form_is_taken_apart(text: str, typed: Typed) -> None:
    assert parse(text) == typed


@pytest.mark.parametrize("text", ["", "CYL(many)", "CYL(5) or so"])
def test_other_text_is_no_figure(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
@settings(max_examples=25)
@given(number=st.integers(2, 100), optional=st.booleans())
def test_every_figure_that_a_rule_types_has_a_known_form(
    rule: Rule, number: int, optional: bool
) -> None:
    values = [
        InputValue(name=name, value=number, source="test")
        for name, field in rule.inputs.model_fields.items()
        if field.is_required() or (optional and name != "dual_logging")
    ]
    finding = judge(rule, SUBJECTS[rule.traits.subject_kind], DAY, values, Policy())
    assert all(parse(change.typed) for change in finding.changes if change.typed)
