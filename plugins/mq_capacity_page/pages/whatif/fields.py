"""The fields of the what-if form: what can be changed of which kind of subject, and its unit."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import beside
from mqcap.operands.declared import SETTINGS

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
    """Yield the fields of the settings that are declared for a group."""
    for setting in SETTINGS.values():
        declared = setting.field
        if declared is None or declared.group != group:
            continue
        if declared.choices:
            yield _choice(
                declared.name, declared.label, CONFIGURATION, setting.key, *declared.choices
            )
        else:
            unit = declared.unit or setting.unit
            yield FormField(declared.name, declared.label, CONFIGURATION, setting.key, unit)


_SHARING: Final = "configuration_sharing"
_CHANNELS: Final = "workload_channels"
_EVERY: Final = frozenset(SubjectKind)
_MANAGER: Final = frozenset({SubjectKind.queue_manager})
_CHINIT: Final = frozenset({SubjectKind.channel_initiator})
_FACILITY: Final = frozenset({SubjectKind.coupling_facility})
_STRUCTURE: Final = frozenset({SubjectKind.structure})
_POOL: Final = frozenset({SubjectKind.buffer_pool})
_PAGE_SET: Final = frozenset({SubjectKind.page_set})
_DASD: Final = (
    "", "ESS 800", "DS8000 (RAID 5)", "DS8000 (RAID 10)", "DS8800 (RAID 5)",
    "DS8870 (RAID 5) 4 stripes", "DS8870 (RAID 5) 4 stripes + zHPF", "DS8900F (RAID 5) 4 stripes",
    "DS8900F (RAID 5) 4 stripes + zHPF",
)  # fmt: skip
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
    FieldGroup("Size", _POOL, tuple(_settings("Size of a buffer pool"))),
    FieldGroup("Size", _PAGE_SET, tuple(_settings("Size of a page set"))),
    FieldGroup(
        "Size and offload",
        _STRUCTURE,
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
