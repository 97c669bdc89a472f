"""Settings of any subject in one field of the form: ``PLEX1/CSQ1 maxarch=1000``.

The fields of the form are about one subject and about what is changed often; a plan may change both
copies of a structure, or what no field has.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from mq_capacity_page.pages.whatif.fields import FURTHER, GROUPS, FormField, groups_of
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.plan import PlanChange
from mqcap.whatif.parts import kinds_of

Value = float | int | bool | str

_SETTING: Final = re.compile(r"(?P<key>[a-z0-9_]+)=(?P<value>\S+)", re.ASCII)
_EXAMPLE: Final = "PLEX1/CF02/QSG1APPL1 structure_size_mib=5000; PLEX1/CSQ1 maxarch=1000"
_BOOLEANS: Final = {"yes": True, "true": True, "no": False, "false": False}
_FILLED_PARTS: Final = frozenset({"configuration", "hardware"})


def parse_further(text: str) -> list[dict[str, Any]]:
    """Return the parts of a scenario's ``configuration`` that the field holds.

    Raises:
        ConfigurationError: a part is no subject with settings.
    """
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
