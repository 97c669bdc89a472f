"""Conversion of the parameters of an address to a scenario.

The address is the scenario: everyone who opens the link sees the same result.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from mq_capacity_page.pages.whatif.further import parse_further
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
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

    Raises:
        ConfigurationError: a value is not a number, or a part is not complete.
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
    """Return the scenario as a document, section by section.

    Raises:
        ConfigurationError: a value is not a number, or the further settings cannot be read.
    """
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
