"""Calculators: vectors, limits, misprints and sources."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import sizing
from mqcap.domain.errors import ConfigurationError
from sizing.advice import all_advice, all_misprints
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import stated_headroom
from sizing.rulebook.registry import all_rules, entries, get
from sizing.verify import Tolerance, Vector, compare, verify
from tests.many_values import for_each
from tests.sizing.test_every_rule import judged

SMALL = Tolerance(rel=1e-3, abs=1e-9)


def data(name: str) -> list[dict[str, Any]]:
    """The entries of a YAML file beside this one."""
    result: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))
    return result


def _name(item: dict[str, Any]) -> str:
    return str(item["rule"])


@for_each("stated", data("stated.yaml"), ids=_name)
def test_what_the_report_states_in_words(stated: dict[str, Any]) -> None:
    vector = Vector(**stated, tolerance=SMALL)
    assert compare(get(vector.rule).answer(vector.inputs), vector) == ""


@pytest.mark.parametrize("level", data("levels.yaml"), ids=_name)
def test_below_at_and_above_a_level(level: dict[str, Any]) -> None:
    for number, expected in level["cases"]:
        answer = get(level["rule"]).answer({**level["fixed"], level["name"]: number})
        assert answer[level["key"]] is expected, number


@pytest.mark.parametrize(
    ("rule", "inputs", "problem"),
    [
        ("LNX-SSL", {"cipher": "ROT13"}, "expected ECDHE_ECDSA_AES_256_GCM_SHA384, NULL_SHA"),
        ("CH-TLS-START", {"cipher": "TLS_RSA_WITH_RC4_128_SHA256"}, "expected TLS_AES_128_GCM"),
        ("CHI-X004I", {"message": "CSQX001I"}, "expected CSQX004I"),
        ("REC-PROGRESS", {"message": "CSQR001I"}, "expected CSQR030I or CSQR032I"),
        ("CFB-LOGSPACE", {"message": "CSQE120I"}, "expected CSQE121I"),
        (
            "PS-MSGS-PER-PAGE",
            {"message_bytes_with_headers_except_mqmd": 3636, "maxshortmsgs": 0},
            "expected PS-PAGES-PER-MSG",
        ),
        (
            "LOG-ACTIVE-CAPACITY",
            {"active_logs": 311, "log_size_gb": 4},
            "less than or equal to 310",
        ),
        ("LOG-MAXARCH", {"maxarch": 1001, "log_size_gb": 4}, "less than or equal to 1000"),
        (
            "REC-BUDGET",
            {"target_total_min": 10, "react_and_restore_min": 10.5},
            "no time is left for restart",
        ),
        ("CHI-MAXCH", {"epvt_gib": 1.6, "kb_per_channel": 90, "maxchl": 10_000}, "9999"),
    ],
)
def test_a_question_that_has_no_answer_says_why(
    rule: str, inputs: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        get(rule).answer(inputs)


VECTORS = [
    Vector.model_validate(item)
    for item in json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
]
IMPLEMENTED = [vector for vector in VECTORS if vector.rule in entries()]


def _name_of_vectors(vector: Vector) -> str:
    return f"{vector.rule}-{'-'.join(str(value) for value in vector.inputs.values())}"[:80]


@for_each("vector", IMPLEMENTED, ids=_name_of_vectors)
def test_the_reports_own_examples(vector: Vector) -> None:
    assert compare(entries()[vector.rule].answer(vector.inputs), vector) == ""


FLAG = re.compile(r"F-\d\d")


def test_each_flag_is_listed_once_and_refers_to_existing_entries() -> None:
    flags = [item.flag for item in all_misprints()]
    assert flags == [f"F-{number:02}" for number in range(1, 55)]
    known = set(entries()) | set(all_advice())
    for item in all_misprints():
        assert item.ids
        assert set(item.ids) <= known, item.flag
        assert item.finding
        assert item.reading


def test_every_flag_that_the_code_names_is_explained() -> None:
    folder = Path(sizing.__file__ or "").parent
    named = {
        flag for path in folder.rglob("*.py") for flag in FLAG.findall(path.read_text("utf-8"))
    }
    assert named <= {item.flag for item in all_misprints()}


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
@settings(max_examples=5)
@given(number=st.integers(2, 99))
def test_observed_limit_and_changes_follow_from_the_printed_inputs(rule: Rule, number: int) -> None:
    finding = judged(rule, number)
    printed = {value.name: value.value for value in finding.inputs}
    again = rule.assess(rule.inputs.model_validate(printed))
    assert (again.observed, again.limit) == (finding.observed, finding.limit_value)
    headroom = stated_headroom(again, rule.traits)
    assert (again.breach, headroom) == (finding.breach, finding.headroom_ratio)
    assert finding.arithmetic[: len(again.arithmetic)] == again.arithmetic
    assert again.changes == finding.changes


@for_each("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_the_arithmetic_says_the_limit(rule: Rule) -> None:
    assert any("limit" in line for line in judged(rule, 7).arithmetic)


def vector(**changed: Any) -> Vector:
    values: dict[str, Any] = {
        "rule": "BP-FREE-15",
        "inputs": {"qpstcbsl": 160, "qpstnbuf": 1_000},
        "expected": {"free_pct": 16, "breach": False},
    }
    return Vector(**(values | changed))


def test_each_vector_is_in_one_list_and_a_failure_says_what_differs_or_is_not_taken() -> None:
    good, unknown = vector(), vector(rule="NO-SUCH-RULE")
    bad = [vector(expected={"free_pct": 15, "breach": False}), vector(inputs={"pages": 1})]
    result = verify([good, *bad, unknown])
    assert (result.passed, result.without_implementation) == ((good,), (unknown,))
    assert [failure.vector for failure in result.failed] == bad
    first, second = result.failed
    assert first.difference == "free_pct: expected 15, got 16.0"
    assert "cannot be answered" in second.difference


@pytest.mark.parametrize(
    ("figure", "expected", "tolerance", "differs"),
    [
        (16.0, 16, Tolerance(), False),
        (16.01, 16, Tolerance(), True),
        (16.01, 16, Tolerance(abs=0.02), False),
        (16.01, 16, Tolerance(rel=0.001), False),
        (True, True, Tolerance(), False),
        (1, True, Tolerance(), True),
        (True, 1, Tolerance(), True),
        ("a", "a", Tolerance(), False),
        (None, 3, Tolerance(), True),
    ],
)
def test_figures_are_equal_within_the_tolerance(
    figure: object, expected: object, tolerance: Tolerance, differs: bool
) -> None:
    made = vector(expected={"x": expected}, tolerance=tolerance)
    assert bool(compare({"x": figure}, made)) is differs
