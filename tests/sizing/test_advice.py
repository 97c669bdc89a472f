"""Advice of findings: texts and figures."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pydantic import ValidationError

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Effect, Finding
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.settings import load_settings
from sizing.advice import Advice, advice_for, all_advice
from sizing.rulebook.assessment import first_step
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules, entries, get
from tests.many_values import for_each
from tests.shared import ABSENT, shared_dir
from tests.sizing.builders import RULES, Value, finding
from tests.sizing.test_limits import CASES

ADVICE = list(all_advice().values())


@for_each("advice", ADVICE, ids=lambda advice: advice.id)
def test_advice_is_cited_and_helps_entries_that_exist(advice: Advice) -> None:
    assert advice.text.endswith(".")
    assert advice.citation.section
    assert advice.helps
    known = set(entries()) | set(all_advice())
    assert set(advice.helps) <= known


@for_each("advice", ADVICE, ids=lambda advice: advice.id)
def test_advice_is_attached_to_the_findings_of_a_rule(advice: Advice) -> None:
    """The text has to reach somebody: calculators are asked, rules tell by themselves."""
    helped = [rule for rule in advice.helps if rule in all_rules()]
    assert helped
    for rule in helped:
        assert advice in advice_for(rule)


def test_every_id_of_the_catalogue_has_an_answer() -> None:
    folder = shared_dir()
    if folder is None:
        pytest.skip(ABSENT)
    catalogue = (folder / "reference" / "rules.md").read_text("utf-8")
    ids = re.findall(r"^### ([A-Z0-9-]+)$", catalogue, re.MULTILINE)
    assert set(ids) <= set(entries()) | set(all_advice())


def test_the_action_itself_says_that_it_is_to_be_measured_and_why() -> None:
    amount = TypedAmount.of(TypedKind.ims_buffers, 200)
    change = first_step("Define 200 buffers.", amount, "storage", "the counter counts waits only")
    assert change.action == (
        "Define 200 buffers. A first step, to be measured: the counter counts waits only."
    )
    assert change.effect is Effect.measure
    assert change.amount == amount
    assert change.side_effects == "storage"


HERE: Final = Path(__file__).parent
FINDINGS: Final = HERE / "findings.txt"
SETTINGS: Final = load_settings()


def _read(inputs: Mapping[str, Any]) -> dict[str, Value]:
    return {
        name: BusiestHours.model_validate(value) if isinstance(value, dict) else value
        for name, value in inputs.items()
    }


def _figures(rule_id: str, inputs: Mapping[str, Value], result: Finding) -> str:
    """Severity, also with the settings as they come; figure and limit, of the series too."""
    rule = RULES[rule_id]
    try:
        assessment = rule.assess(rule.inputs.model_validate(inputs))
    except ValidationError:
        return f"{result.severity}: {'; '.join(result.missing)}"
    shipped = severity_of(assessment, rule.traits, SETTINGS.grade_policy(rule_id))
    graded = result.severity if shipped is result.severity else f"{result.severity} ({shipped})"
    breach = " in breach" if result.breach else ""
    series = "" if result.series_limit is None else f", series {result.series_limit:.9g}"
    return (
        f"{graded}{breach}: {result.observed:.9g} of {result.limit_value:.9g} {result.unit}{series}"
    )


def _texts(result: Finding) -> Iterator[str]:
    yield from (result.summary.partition(": ")[2], *result.arithmetic, result.advice)
    for change in result.changes:
        yield f"change ({change.effect}): {change.typed}. {change.action}"
        yield f"costs: {change.side_effects}"
    yield from (f"caveat: {line}" for line in result.caveats)


def _answer(rule_id: str, case: Mapping[str, Any]) -> Iterator[str]:
    """Yield the answer to one case: figures first, then what is said."""
    if "applies" in case:
        yield f"applies: {RULES[rule_id].applies_to(case['applies'])}"
    elif "answers" in case:
        try:
            answer = get(rule_id).answer(case["answers"])
        except ConfigurationError as error:
            yield f"refused: {error}"
        else:
            yield f"answers: { {name: answer[name] for name in sorted(answer)} }"
    else:
        inputs = _read(case)
        result = finding(rule_id, **inputs)
        yield _figures(rule_id, inputs, result)
        yield from _texts(result)


def _traits(rule: Rule) -> Iterator[str]:
    """Yield the traits that are not the usual ones, and the series that is forecast."""
    for trait in fields(rule.traits):
        value = getattr(rule.traits, trait.name)
        if trait.name != "applies" and value != trait.default:
            shown = [str(item) for item in value] if isinstance(value, tuple) else str(value)
            yield f"  {trait.name}: {shown}"
    forecast = rule.forecast_series
    yield f"  forecast: {forecast.metric if forecast else None}"


def _page() -> Iterator[str]:
    cases: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for rule_id, fixed, name, numbers, _ in sorted(CASES, key=lambda case: case[0]):
        at = [{**fixed, name: number} for number in numbers]
        cases[rule_id] = {"below, at and above the limit": at}
    for rule_id, sentences in yaml.safe_load((HERE / "cases.yaml").read_text("utf-8")).items():
        cases.setdefault(rule_id, {}).update(sentences)
    for rule_id, sentences in sorted(cases.items()):
        said: set[str] = set()
        yield rule_id
        yield from _traits(RULES[rule_id]) if rule_id in RULES else ()
        for sentence, asked in sentences.items():
            yield f"  {sentence}"
            for case in asked:
                figures, *texts = _answer(rule_id, case)
                given = ", ".join(f"{name} {value}" for name, value in case.items())
                yield f"    {given} -> {figures}"
                yield from (f"      {line}" for line in texts if line not in said)
                said.update(texts)


def test_every_rule_says_what_it_said() -> None:
    page = "\n".join(_page()) + "\n"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        FINDINGS.write_text(page, "utf-8")
    assert page == FINDINGS.read_text("utf-8")
