"""Conversion of the parameters of an address to a scenario.

The address is the scenario: everyone who opens the link sees the same result.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import yaml
from pydantic import ValidationError

from mq_capacity_page.pages.whatif.fields import (
    AMOUNT,
    CHECK,
    FURTHER,
    GROUPS,
    LOSE,
    FieldGroup,
    FormField,
    groups_of,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import PlanChange
from mqcap.whatif.parts import kinds_of
from mqcap.whatif.scenario import Scenario

_AMOUNT: Final = re.compile(
    r"(?P<low>[+-]?[\d.]+)(?:\s*(?:-|to)\s*(?P<high>[+-]?[\d.]+))?", re.ASCII
)
_EN_DASH: Final = "\N{EN DASH}"
_DIGITS_MAX: Final = 9
"""Of a whole number; no setting has more (ours)."""
_INTEGERS: Final = frozenset({"cfcc_level", "cfcc_level_from", "sharecnv", "sharecnv_from"})
_TRIGGERS: Final = {
    "workload": ("messages_per_s", "cf_busy_points"),
    "workload_channels": ("channels",),
    "hardware": ("engines", "lspr_ratio", "cfcc_level", "dasd_class"),
    "configuration": tuple(
        field.key
        for group in GROUPS
        for field in group.fields
        if field.part == "configuration" and field.key != "message_bytes"
    ),
    "configuration_sharing": ("sharecnv",),
    "growth": ("pct",),
}
"""A part takes effect once one of these fields is filled in; its other fields describe it."""


def scenario_from(
    subject: str, kind: SubjectKind, start: str, values: Mapping[str, str]
) -> Scenario:
    """Return the scenario that the parameters describe; without any it changes nothing.

    ConfigurationError where a value is not a number, or a part is not complete.
    """
    document = document_from(subject, kind, start, values)
    try:
        return Scenario.model_validate(document)
    except ValidationError as error:
        problems = "; ".join(_problem(dict(item)) for item in error.errors())
        raise ConfigurationError("the scenario is invalid", found=problems) from error


def document_from(
    subject: str, kind: SubjectKind, start: str, values: Mapping[str, str]
) -> dict[str, Any]:
    """Return the scenario as a document by section; ConfigurationError for what cannot be read."""
    parts: dict[str, dict[str, Any]] = defaultdict(dict)
    for group in groups_of(kind):
        for field in group.fields:
            value = _value(field, values.get(field.name, "").strip())
            if value is not None and field.name not in {FURTHER, LOSE}:
                parts[field.part][field.key] = value
    document: dict[str, Any] = {"start": start or None}
    for name, part in parts.items():
        if any(key in part for key in _TRIGGERS[name]):
            section = name.partition("_")[0]
            about = {"subjects": [subject]} if section == "growth" else {"subject": subject}
            document.setdefault(section, []).append(about | part)
    further = parse_further(values.get(FURTHER, ""))
    if further:
        document["configuration"] = [*document.get("configuration", []), *further]
    lost = values.get(LOSE, "").replace(",", " ").split()
    return document | ({"lose": lost} if lost else {})


def as_yaml(scenario: Scenario) -> str:
    """Return the scenario as a file for ``mqcap whatif``."""
    document = scenario.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


def form_parameters(groups: Sequence[FieldGroup], values: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that are fields of these groups, without empty ones."""
    names = {field.name for group in groups for field in group.fields}
    return {name: value for name, value in values.items() if name in names and value.strip()}


def _value(field: FormField, text: str) -> Any:
    if field.kind == CHECK:
        return text in {"on", "yes", "true", "1"}
    if not text:
        return None
    if field.key == "dual_logging":
        return text == "yes"
    if field.key in _INTEGERS:
        return _integer(field, text)
    return _amount(field, text) if field.kind == AMOUNT else text


def _amount(field: FormField, text: str) -> float | tuple[float, float]:
    """Amount as typed: ``50``, ``1,000`` or a range such as ``50-80`` or ``50 to 80``."""
    match = _AMOUNT.fullmatch(text.replace(",", "").replace(_EN_DASH, "-"))
    low, high = (match["low"], match["high"]) if match else ("", None)
    try:
        return (float(low), float(high)) if high else float(low)
    except ValueError as error:
        raise ConfigurationError(
            f"{field.label} is not a number",
            found=text,
            expected="a number such as 50, or a range such as 50-80",
        ) from error


def _integer(field: FormField, text: str) -> int:
    if not text.isdecimal() or len(text) > _DIGITS_MAX:
        raise ConfigurationError(f"{field.label} is not a whole number", found=text)
    return int(text)


def _problem(item: dict[str, Any]) -> str:
    place = " ".join(str(part) for part in item["loc"] if not isinstance(part, int))
    return f"{place}: {item['msg'].removeprefix('Value error, ')}"


Value = float | int | bool | str

_SETTING: Final = re.compile(r"(?P<key>[a-z0-9_]+)=(?P<value>\S+)", re.ASCII)
_EXAMPLE: Final = "PLEX1/CF02/QSG1APPL1 structure_size_mib=5000; PLEX1/CSQ1 maxarch=1000"
_BOOLEANS: Final = {"yes": True, "true": True, "no": False, "false": False}
_FILLED_PARTS: Final = frozenset({"configuration", "hardware"})


def parse_further(text: str) -> list[dict[str, Any]]:
    """Return parts of ``configuration``; ConfigurationError for one that cannot be read."""
    return [_part(part.split()) for part in text.split(";") if part.strip()]


def further_text(parts: Iterable[tuple[str, Mapping[str, Value]]]) -> str:
    """Return subjects and their settings as the text that ``parse_further`` reads."""
    return "; ".join(
        " ".join([subject, *(f"{key}={as_typed(value)}" for key, value in settings.items())])
        for subject, settings in parts
        if settings
    )


def parameters_of(changes: Iterable[PlanChange], start: date | None = None) -> dict[str, str]:
    """Return changes of a plan as the parameters of the form; empty when none has a setting.

    ``start`` is the day from which they are in force; ``None`` leaves it to the form.
    The form is that of the first subject. What it has no field for, and every other subject, is
    in the field of further settings.
    """
    typed = [change for change in changes if change.settings]
    if not typed:
        return {}
    subject = typed[0].subject
    fields = _fields_by_key(subject)
    filled: dict[str, str] = {}
    further: list[tuple[str, dict[str, Value]]] = []
    for change in typed:
        own = fields if change.subject == subject else {}
        filled |= {
            own[key].name: as_typed(value) for key, value in change.settings.items() if key in own
        }
        rest = {key: value for key, value in change.settings.items() if key not in own}
        further.append((change.subject, rest))
    text = further_text(further)
    begin = {"start": start.isoformat()} if start is not None else {}
    return {"subject": subject, **begin, **filled} | ({FURTHER: text} if text else {})


def as_typed(value: Value) -> str:
    """Return a value as a person types it in the form, with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else f"{value}"


def _part(words: list[str]) -> dict[str, Any]:
    subject, *settings = words
    matches = [_SETTING.fullmatch(word) for word in settings]
    if not settings or None in matches:
        raise ConfigurationError(
            "the further settings cannot be read", found=" ".join(words), expected=_EXAMPLE
        )
    values = {match["key"]: _typed(match["value"]) for match in matches if match}
    return {"subject": subject, **values}


def _typed(text: str) -> Value:
    """Return what ``as_typed`` has made text of."""
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _fields_by_key(subject: str) -> dict[str, FormField]:
    kinds = kinds_of(subject)
    groups = [group for group in GROUPS if any(group in groups_of(kind) for kind in kinds)]
    return {
        field.key: field
        for group in groups
        for field in group.fields
        if field.part in _FILLED_PARTS
    }
