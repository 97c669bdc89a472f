"""What every rule says, case by case: ``findings.txt`` holds the answers to ``cases.yaml``.

The cases of the table of limits come first. A line of text stands where its rule says it first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding
from mqcap.settings import load_settings
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import get
from tests.sizing.builders import RULES, Value, finding
from tests.sizing.test_limits import CASES

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
