"""The rulebook for a reader: its list, one entry in full, and the check of worked examples."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from mqcap.domain.errors import InputError
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.domain.names.short_names import the_name_meant
from mqcap.domain.numbers import figure
from sizing.advice import Advice, advice_for, all_advice, misprints_of
from sizing.rulebook.entry import Entry, Form, Rule, value_sources_of
from sizing.rulebook.input_sources import (
    FromAsk,
    FromConsole,
    FromEstate,
    FromHours,
    FromLearnt,
    FromLoss,
    FromMetric,
    FromRecords,
    FromRulebook,
)
from sizing.rulebook.registry import all_rules, entries
from sizing.verify import Vector, Verification

ADVICE_TOPIC: Final = "advice"
_INDENT: Final = "    "


class Item(NamedTuple):
    """Entry of the list: a rule, a calculator or a piece of advice."""

    id: str
    kind: str
    topic: str
    title: str
    citation: str
    subject_kind: str | None = None
    """What a rule is evaluated for; ``None`` for calculators and advice."""


def items(
    topic: str | None = None,
    subject_kind: SubjectKind | None = None,
    rule_ids: Collection[str] | None = None,
) -> list[Item]:
    """Return entries by topic and id: all, or those that meet every given condition.

    The topic ``advice`` has the texts; with ``subject_kind`` or ``rule_ids`` only rules are
    returned, those of that kind or with these ids.

    Raises:
        ConfigurationError: there is no such topic.
    """
    rules = all_rules()
    listed = [
        Item(
            entry.id,
            entry.kind,
            entry.topic,
            entry.title,
            str(entry.citation),
            str(rules[entry.id].traits.subject_kind) if entry.id in rules else None,
        )
        for entry in entries().values()
    ] + [
        Item(advice.id, "advice", ADVICE_TOPIC, advice.title, str(advice.citation))
        for advice in all_advice().values()
    ]
    if topic is not None:
        remedy = "`mqcap rules list` has the topic of each rule."
        topics = sorted({entry.topic for entry in listed})
        topic = the_name_meant(topic, topics, "topic", remedy=remedy)
        listed = [item for item in listed if item.topic == topic]
    if subject_kind is not None:
        kinds = {name: {of.traits.subject_kind, *of.traits.also_of} for name, of in rules.items()}
        listed = [item for item in listed if subject_kind in kinds.get(item.id, ())]
    if rule_ids is not None:
        listed = [item for item in listed if item.id in rule_ids]
    return sorted(listed, key=lambda item: (item.topic, item.id))


def lines(listed: Collection[Item], columns: int) -> list[str]:
    """Return the number of entries and, of each, id and title; kind, topic and source.

    A longer line of the latter ends after a whole word with ``...``, at most ``columns`` wide.
    """
    text = [f"{len(listed)} in the list"]
    for item in listed:
        about = f" for a {item.subject_kind.replace('_', ' ')}" if item.subject_kind else ""
        source = f"{item.kind}{about}; {item.topic}; {item.citation}"
        text.append(f"{item.id}: {item.title}")
        text.append(f"{_INDENT}{shorten(source, columns - len(_INDENT), placeholder=' ...')}")
    return text


_VECTORS: Final = TypeAdapter(tuple[Vector, ...])


def describe(identity: str) -> str:
    """Return one entry in full; ConfigurationError where nothing has this id."""
    registered, texts = entries(), all_advice()
    known = {*registered, *texts}
    identity = the_name_meant(identity, known, "rule", remedy="mqcap rules list prints all.")
    if identity in texts:
        return "\n".join((*_advice_lines(texts[identity]), *_misprint_lines(identity)))
    return "\n".join(_entry_lines(registered[identity]))


def read_vectors(file: Path) -> tuple[Vector, ...]:
    """Return worked examples of a JSON file: a list, or an object with it under ``vectors``.

    InputError where the file cannot be read or is not such a list.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            "cannot be read as JSON", file=str(file), found=str(error), expected="a list of vectors"
        ) from error
    if isinstance(document, Mapping):
        document = document.get("vectors")
    try:
        return _VECTORS.validate_python(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise InputError(
            f"is not a list of vectors: {place}: {first['msg']}",
            file=str(file),
            expected="objects with rule, inputs, expected and tolerance",
        ) from error


def outcome(result: Verification) -> str:
    """Return lines: passed, failed with the difference, and rules without implementation."""
    absent = sorted({vector.rule for vector in result.without_implementation})
    lines = [
        f"passed: {len(result.passed)}",
        f"failed: {len(result.failed)}",
        *(_failure_lines(failure.vector, failure.difference) for failure in result.failed),
        f"without implementation: {len(result.without_implementation)}",
        *(f"  {rule}" for rule in absent),
    ]
    return "\n".join(lines)


def is_clean(result: Verification) -> bool:
    """Return whether every vector passed."""
    return not result.failed and not result.without_implementation


def _failure_lines(vector: Vector, difference: str) -> str:
    inputs = json.dumps(vector.inputs, default=str)
    source = f"\n    source: {vector.source}" if vector.source else ""
    return f"  {vector.rule}: {difference}\n    inputs: {inputs}{source}"


def _entry_lines(entry: Entry) -> Iterator[str]:
    yield f"{entry.id}: {entry.title}"
    yield f"kind: {entry.kind}; topic: {entry.topic}"
    if isinstance(entry, Rule):
        yield from _rule_lines(entry)
    elif entry.explanation:
        yield f"says: {_one_line(entry.explanation)}"
    yield f"source: {entry.citation}"
    for number, form in enumerate(entry.forms):
        yield "inputs:" if number == 0 else "or, asked in another way:"
        yield from _form_lines(form)
    yield from _helping_lines(entry.id)
    yield from _misprint_lines(entry.id)


def _rule_lines(rule: Rule) -> Iterator[str]:
    series = rule.forecast_series
    yield f"subject: {rule.traits.subject_kind}"
    yield f"resource: {rule.traits.resource.label}"
    yield f"limit: {_one_line(rule.explanation)}"
    past = "above" if rule.direction is Direction.upward else "below"
    if rule.result.suggests:
        exactly = "is not one" if rule.strict else "is one"
        yield f"suggestion, never a breach: a value {past} the limit; exactly at it {exactly}"
    else:
        exactly = "is allowed" if rule.strict else "is a breach"
        yield f"breach: a value {past} the limit; a value exactly at it {exactly}"
        yield f"severity of a breach: {rule.traits.breach_severity}"
    if rule.traits.first_step:
        why = rule.traits.first_step
        yield f"figure of its advice: a first step, to be measured, because {why}"
    if series is None:
        yield f"date of crossing: none is forecast, because {rule.why_undated}"
    else:
        yield f"date of crossing: from the forecast of {series.metric} ({series.statistic})"


def _form_lines(form: Form) -> Iterator[str]:
    sources = value_sources_of(form.inputs)
    for name, field in form.inputs.model_fields.items():
        shown = field.alias or name
        unit = unit_of(shown)
        need = "required" if field.is_required() else f"default {field.default}"
        where = (
            ", else ".join(_ORIGINS[type(source)](source) for source in sources[name])
            or "given by the caller"
        )
        yield f"  {shown}{f' [{unit}]' if unit else ''} ({need}{_range(field)}): {where}"


def _range(field: FieldInfo) -> str:
    limits = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
    ranges = [
        f"{sign} {getattr(constraint, name)}"
        for constraint in field.metadata
        for name, sign in limits.items()
        if getattr(constraint, name, None) is not None
    ]
    return f", {' and '.join(ranges)}" if ranges else ""


def _of_metric(source: FromMetric) -> str:
    carrier = f" of {source.record}" if source.record else ""
    window = f" over {source.days} days" if source.days else ""
    return f"measured: {source.metric} ({source.statistic}{window}){carrier}"


_ORIGINS: Final[Mapping[type, Callable[[Any], str]]] = {
    FromMetric: _of_metric,
    FromHours: lambda source: f"measured: busiest hours of {source.metric} of {source.record}",
    FromLearnt: lambda source: f"learnt: {source.cost}, where its interval is narrow enough",
    FromRulebook: lambda source: f"default: {figure(source.value)}, {source.document}",
    FromEstate: lambda source: (
        f"estate: {source.key}" + (f" (see {source.shown_by})" if source.shown_by else "")
    ),
    FromRecords: lambda source: f"stated in the records: {source.fact}",
    FromConsole: lambda _: "console log",
    FromLoss: lambda source: f"computed for each loss: {source.figure}",
    FromAsk: lambda source: f"asked: {source.question}",
}


def _advice_lines(advice: Advice) -> Iterator[str]:
    yield f"{advice.id}: {advice.title}"
    yield f"kind: advice; topic: {ADVICE_TOPIC}"
    yield f"says: {_one_line(advice.text)}"
    yield f"source: {advice.citation}"
    if advice.helps:
        yield f"helps: {' '.join(advice.helps)}"
    yield from _helping_lines(advice.id)


def _helping_lines(identity: str) -> Iterator[str]:
    for advice in advice_for(identity):
        yield f"advice {advice.id}: {_one_line(advice.text)} [{advice.citation}]"


def _misprint_lines(identity: str) -> Iterator[str]:
    for flag in misprints_of(identity):
        yield f"flag {flag.flag}: {flag.finding}; read here as: {flag.reading} [{flag.source}]"


def _one_line(text: str) -> str:
    return " ".join(text.split())


_UNITS: Final = {
    "_mib_per_s": "MiB/s",
    "_mib_per_h": "MiB/h",
    "_mib_per_hour": "MiB/h",
    "_mb_per_s": "MB/s",
    "_bytes_per_s": "bytes/s",
    "_per_s": "per s",
    "_per_h": "per h",
    "_mib": "MiB",
    "_gib": "GiB",
    "_kib": "KiB",
    "_mb": "MB",
    "_gb": "GB",
    "_kb": "KB",
    "_bytes": "bytes",
    "_pages": "pages",
    "_pct": "%",
    "_ratio": "ratio",
    "_us": "us",
    "_ms": "ms",
    "_min": "min",
    "_minutes": "min",
    "_hours": "h",
    "_days": "days",
    "_s": "s",
    "_h": "h",
}
"""Endings, longest of a family first."""


def unit_of(name: str) -> str:
    """Return the unit that a name ends in; empty for counts, switches and words."""
    return next((unit for end, unit in _UNITS.items() if name.lower().endswith(end)), "")


def rule_ids(incomplete: str) -> list[str]:
    """Return the rules, calculators and advice that begin so, in any case."""
    begin = incomplete.upper()
    return sorted(name for name in {*entries(), *all_advice()} if name.startswith(begin))


def topics(incomplete: str) -> list[str]:
    """Return the topics of rules that begin so."""
    return sorted({item.topic for item in items() if item.topic.startswith(incomplete)})
