"""The what-if form: its fields by kind of subject, and its parameters as a scenario and back.

The address is the scenario: everyone who opens the link sees the same result.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

import yaml
from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import beside
from mqcap.domain.plan import PlanChange
from mqcap.operands.declared import SETTINGS
from mqcap.whatif.parts import kinds_of
from mqcap.whatif.scenario import Scenario
from sizing.table import rows

AMOUNT: Final = "amount"
CHOICE: Final = "choice"
CHECK: Final = "check"
TEXT: Final = "text"
NUMBER: Final = "number"
"""Unit of what the label itself names in the plural."""
FURTHER: Final = "more"
"""Name of the field that holds settings of any subject."""
LOSE: Final = "lose"
"""Name of the field that holds what is lost."""
CONFIGURATION: Final = "configuration"
"""Section of a scenario with settings."""


class FormField(NamedTuple):
    """Input of the form; its name is the parameter in the address."""

    name: str
    label: str
    part: str
    """Section of the scenario; an underscore and a word distinguish two parts of one section."""
    key: str
    unit: str = ""
    kind: str = AMOUNT
    choices: tuple[str, ...] = ()
    suggests: str = ""
    """Kind of subject whose names are offered for a text."""

    @property
    def is_of_today(self) -> bool:
        """Return true if the field changes something that has a value today."""
        return self.part == CONFIGURATION or self.key == "engines"


class FieldGroup(NamedTuple):
    """Fields under one heading, for the kinds of subjects that have them."""

    heading: str
    kinds: frozenset[SubjectKind]
    fields: tuple[FormField, ...]


def _choice(name: str, label: str, part: str, key: str, *choices: str) -> FormField:
    return FormField(name, label, part, key, kind=CHOICE, choices=choices)


def _named(name: str, label: str, key: str, suggests: str) -> FormField:
    return FormField(name, label, "workload", key, kind=TEXT, suggests=suggests)


def _settings(group: str) -> Iterator[FormField]:
    for setting in SETTINGS.values():
        field = setting.field
        if field is None or field.group != group:
            continue
        if field.choices:
            yield _choice(field.name, field.label, CONFIGURATION, setting.key, *field.choices)
        else:
            unit = field.unit or setting.unit
            yield FormField(field.name, field.label, CONFIGURATION, setting.key, unit)


_SHARING: Final = "configuration_sharing"
_CHANNELS: Final = "workload_channels"
_EVERY: Final = frozenset(SubjectKind)
_MANAGER: Final = frozenset({SubjectKind.queue_manager})
_CHINIT: Final = frozenset({SubjectKind.channel_initiator})
_FACILITY: Final = frozenset({SubjectKind.coupling_facility})
_DASD_TYPES: Final = [str(row["dasd_type"]) for row in rows("log_dasd_ceiling")]
_DASD: Final = ("", *dict.fromkeys(_DASD_TYPES[_DASD_TYPES.index("ESS 800") :]))
"""Types of the table that a site may still have (ours)."""
_PUTS: Final = ("put_then_commit", "put10_commit", "put_out_of_syncpoint")
_GETS: Final = ("get_then_commit", "get10_commit", "get_out_of_syncpoint", "none")
_SHARECNV: Final = ("", "0", "1", "10")

_GROWTH: Final = FormField("growth", "Growth of everything measured", "growth", "pct", "%")
_LOST: Final = FormField(
    LOSE, "Lost coupling facilities or members", "lose", "text", "names, with spaces between", TEXT
)
_FURTHER: Final = FormField(
    FURTHER, "Subject key=value; subject key=value", "further", "text", kind=TEXT
)

GROUPS: Final = (
    FieldGroup("Growth", _EVERY, (_GROWTH,)),
    FieldGroup(
        "New messages",
        _MANAGER,
        (
            FormField("rate", "Messages", "workload", "messages_per_s", "per second"),
            FormField("size", "Message with headers", "workload", "message_bytes", "bytes"),
            FormField("persistent", "Persistent", "workload", "persistent", kind=CHECK),
            _choice("put", "Put", "workload", "put", *_PUTS),
            _choice("get", "Get", "workload", "get", *_GETS),
            _choice("moved", "Moved by channel", "workload", "moved", "no", "sent", "received"),
            FormField("batch", "Achieved batch", "workload", "batch_size", "messages"),
            _named("structure", "Shared queue in", "structure", "structure"),
            _named("duplex", "Duplexed in", "duplexed_in", "coupling_facility"),
            _named("pageset", "Private queue in", "page_set", "page_set"),
            FormField("outage", "Consumer outage", "workload", "outage_minutes", "minutes"),
            FormField("level", "CFCC level", "workload", "cfcc_level"),
        ),
    ),
    FieldGroup(
        "New channels",
        _MANAGER | _CHINIT,
        (
            FormField("channels", "Channels", _CHANNELS, "channels", NUMBER),
            _choice("kind", "Kind", _CHANNELS, "channel_kind", "message", "client"),
            FormField("chsize", "Message", _CHANNELS, "message_bytes", "bytes"),
            _choice("sharecnv", "SHARECNV", _CHANNELS, "sharecnv", "1", "0", "10"),
            _choice("mqlevel", "MQ version", _CHANNELS, "mq_level", "", "9.4", "pre-9.4"),
            FormField("tls", "TLS", _CHANNELS, "tls", kind=CHECK),
        ),
    ),
    FieldGroup(
        "Logs",
        _MANAGER,
        (
            *_settings("Logs"),
            _choice("dasdfrom", "Present DASD", "hardware", "dasd_class_from", *_DASD),
            _choice("dasd", "New DASD", "hardware", "dasd_class", *_DASD),
            FormField("dasdsize", "Typical message", "hardware", "message_bytes", "bytes"),
        ),
    ),
    FieldGroup("Backups", _MANAGER, tuple(_settings("Backups"))),
    FieldGroup(
        "Present client channels",
        _MANAGER | _CHINIT,
        (
            _choice("sharefrom", "Present SHARECNV", _SHARING, "sharecnv_from", *_SHARECNV),
            _choice("shareto", "New SHARECNV", _SHARING, "sharecnv", *_SHARECNV),
            FormField("conversations", "Conversations", _SHARING, "client_conversations", NUMBER),
            FormField("convsize", "Message", _SHARING, "message_bytes", "bytes"),
        ),
    ),
    FieldGroup(
        "Coupling facility",
        _FACILITY,
        (
            FormField("engines", "New number of engines", "hardware", "engines"),
            FormField("ratio", "CPU time, new / present", "hardware", "lspr_ratio", "LSPR ratio"),
            FormField("cfccfrom", "Present CFCC level", "hardware", "cfcc_level_from"),
            FormField("cfcc", "New CFCC level", "hardware", "cfcc_level"),
            FormField("points", "Additional CPU busy", "workload", "cf_busy_points", "points"),
        ),
    ),
    FieldGroup("Tasks and storage", _CHINIT, tuple(_settings("Tasks and storage"))),
    FieldGroup(
        "Size", frozenset({SubjectKind.buffer_pool}), tuple(_settings("Size of a buffer pool"))
    ),
    FieldGroup("Size", frozenset({SubjectKind.page_set}), tuple(_settings("Size of a page set"))),
    FieldGroup(
        "Size and offload",
        frozenset({SubjectKind.structure}),
        (
            *_settings("Size and offload"),
            _choice("offload", "Offload to", CONFIGURATION, "offload", "", "SMDS"),
            FormField("offsize", "Typical message", CONFIGURATION, "message_bytes", "bytes"),
        ),
    ),
    FieldGroup("Loss", _MANAGER | _FACILITY, (_LOST,)),
    FieldGroup("Further settings, of any subject", _EVERY, (_FURTHER,)),
)


def field_words(parameters: Mapping[str, str]) -> list[str]:
    """Return what is filled in, in the words of the form; untouched choices are left out."""
    by_name = {field.name: field for group in GROUPS for field in group.fields}
    words = []
    for name, value in parameters.items():
        field = by_name.get(name)
        if field is None:
            words.append(f"{name} {value}")
        elif field.kind == CHECK:
            words.append(field.label)
        elif not field.choices or value != field.choices[0]:
            unit = beside(value, "" if field.kind == TEXT or field.unit == NUMBER else field.unit)
            parts = (field.label, value.replace("_", " "), unit)
            words.append(" ".join(filter(None, parts)))
    return words


def groups_of(kind: SubjectKind) -> list[FieldGroup]:
    """Return the groups of fields that a kind of subject has."""
    return [group for group in GROUPS if kind in group.kinds]


_AMOUNT: Final = re.compile(
    r"(?P<low>[+-]?[\d.]+)(?:\s*(?:-|to)\s*(?P<high>[+-]?[\d.]+))?", re.ASCII
)
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
        problems = [
            f"{' '.join(part for part in item['loc'] if isinstance(part, str))}: "
            f"{item['msg'].removeprefix('Value error, ')}"
            for item in error.errors()
        ]
        raise ConfigurationError("the scenario is invalid", found="; ".join(problems)) from error


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
        if not text.isdecimal() or len(text) > _DIGITS_MAX:
            raise ConfigurationError(f"{field.label} is not a whole number", found=text)
        return int(text)
    return _amount(field, text) if field.kind == AMOUNT else text


def _amount(field: FormField, text: str) -> float | tuple[float, float]:
    match = _AMOUNT.fullmatch(text.replace(",", "").replace("\N{EN DASH}", "-"))
    low, high = (match["low"], match["high"]) if match else ("", None)
    try:
        return (float(low), float(high)) if high else float(low)
    except ValueError as error:
        raise ConfigurationError(
            f"{field.label} is not a number",
            found=text,
            expected="a number such as 50, or a range such as 50-80",
        ) from error


Value = float | int | bool | str

_SETTING: Final = re.compile(r"(?P<key>[a-z0-9_]+)=(?P<value>\S+)", re.ASCII)
_EXAMPLE: Final = "PLEX1/CF02/QSG1APPL1 structure_size_mib=5000; PLEX1/CSQ1 maxarch=1000"
_BOOLEANS: Final = {"yes": True, "true": True, "no": False, "false": False}


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
    kinds = kinds_of(subject)
    fields = {
        field.key: field
        for group in GROUPS
        if any(group in groups_of(kind) for kind in kinds)
        for field in group.fields
        if field.part in {"configuration", "hardware"}
    }
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
