"""The fields of the what-if form: what can be changed of which kind of subject, and its unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mqcap.domain.metric import SubjectKind

AMOUNT: Final = "amount"
CHOICE: Final = "choice"
CHECK: Final = "check"
TEXT: Final = "text"


class FormField(NamedTuple):
    """One input of the form; its name is the parameter in the address."""

    name: str
    label: str
    part: str
    """Section of the scenario that it belongs to; an underscore and a word tell two apart."""
    key: str
    unit: str = ""
    kind: str = AMOUNT
    choices: tuple[str, ...] = ()
    suggests: str = ""
    """Kind of subject whose names are offered for a text."""


class FieldGroup(NamedTuple):
    """Fields under one heading, for the kinds of subjects that have them."""

    heading: str
    kinds: frozenset[SubjectKind]
    fields: tuple[FormField, ...]


_MANAGER: Final = frozenset({SubjectKind.queue_manager})
_MANAGER_OR_CHINIT: Final = _MANAGER | {SubjectKind.channel_initiator}
_FACILITY: Final = frozenset({SubjectKind.coupling_facility})
_STRUCTURE: Final = frozenset({SubjectKind.structure})
_DASD: Final = (
    "ESS 800",
    "DS8000 (RAID 5)",
    "DS8000 (RAID 10)",
    "DS8800 (RAID 5)",
    "DS8870 (RAID 5) 4 stripes",
    "DS8870 (RAID 5) 4 stripes + zHPF",
    "DS8900F (RAID 5) 4 stripes",
    "DS8900F (RAID 5) 4 stripes + zHPF",
)
_PUTS: Final = ("put_then_commit", "put10_commit", "put_out_of_syncpoint")
_GETS: Final = ("get_then_commit", "get10_commit", "get_out_of_syncpoint", "none")

GROUPS: Final = (
    FieldGroup(
        "Growth",
        frozenset(SubjectKind),
        (FormField("growth", "More of what is measured", "growth", "pct", "%"),),
    ),
    FieldGroup(
        "New messages",
        _MANAGER,
        (
            FormField("rate", "Messages", "workload", "messages_per_s", "per second"),
            FormField("size", "Message with headers", "workload", "message_bytes", "bytes"),
            FormField("persistent", "Persistent", "workload", "persistent", kind=CHECK),
            FormField("put", "Put", "workload", "put", kind=CHOICE, choices=_PUTS),
            FormField("get", "Got here", "workload", "get", kind=CHOICE, choices=_GETS),
            FormField(
                "moved", "By channel", "workload", "moved", kind=CHOICE,
                choices=("no", "sent", "received"),
            ),
            FormField("batch", "Achieved batch", "workload", "batch_size", "messages"),
            FormField(
                "structure", "Shared queue in", "workload", "structure", kind=TEXT,
                suggests="structure",
            ),
            FormField(
                "duplex", "Duplexed in", "workload", "duplexed_in", kind=TEXT,
                suggests="coupling_facility",
            ),
            FormField(
                "pageset", "Private queue in", "workload", "page_set", kind=TEXT,
                suggests="page_set",
            ),
            FormField("outage", "Consumer may be away", "workload", "outage_minutes", "minutes"),
            FormField("level", "CFCC level", "workload", "cfcc_level"),
        ),
    ),
    FieldGroup(
        "New channels",
        _MANAGER_OR_CHINIT,
        (
            FormField("channels", "Channels", "workload_channels", "channels"),
            FormField(
                "kind", "Kind", "workload_channels", "channel_kind", kind=CHOICE,
                choices=("message", "client"),
            ),
            FormField("chsize", "Message", "workload_channels", "message_bytes", "bytes"),
            FormField(
                "sharecnv", "SHARECNV", "workload_channels", "sharecnv", kind=CHOICE,
                choices=("1", "0", "10"),
            ),
            FormField(
                "mqlevel", "MQ level", "workload_channels", "mq_level", kind=CHOICE,
                choices=("9.4", "pre-9.4"),
            ),
            FormField("tls", "TLS", "workload_channels", "tls", kind=CHECK),
        ),
    ),
    FieldGroup(
        "Logs",
        _MANAGER,
        (
            FormField("logsize", "Active log", "configuration", "active_log_size_mib", "MiB"),
            FormField("logs", "Active logs per copy", "configuration", "active_logs"),
            FormField("archive", "Archiving one log", "configuration", "archive_minutes", "min"),
            FormField(
                "dual", "Dual logging", "configuration", "dual_logging", kind=CHOICE,
                choices=("", "yes", "no"),
            ),
            FormField(
                "dasdfrom", "DASD today", "hardware", "dasd_class_from", kind=CHOICE,
                choices=("", *_DASD),
            ),
            FormField(
                "dasd", "DASD to come", "hardware", "dasd_class", kind=CHOICE,
                choices=("", *_DASD),
            ),
            FormField("dasdsize", "Typical message", "hardware", "message_bytes", "bytes"),
        ),
    ),
    FieldGroup(
        "Client channels of today",
        _MANAGER_OR_CHINIT,
        (
            FormField(
                "sharefrom", "SHARECNV today", "configuration_sharing", "sharecnv_from",
                kind=CHOICE, choices=("", "0", "1", "10"),
            ),
            FormField(
                "shareto", "SHARECNV to come", "configuration_sharing", "sharecnv",
                kind=CHOICE, choices=("", "0", "1", "10"),
            ),
            FormField(
                "conversations", "Conversations", "configuration_sharing",
                "client_conversations",
            ),
            FormField("convsize", "Message", "configuration_sharing", "message_bytes", "bytes"),
        ),
    ),
    FieldGroup(
        "Coupling facility",
        _FACILITY,
        (
            FormField("engines", "Engines to come", "hardware", "engines"),
            FormField("ratio", "CPU time there / here", "hardware", "lspr_ratio", "LSPR ratio"),
            FormField("cfccfrom", "CFCC level today", "hardware", "cfcc_level_from"),
            FormField("cfcc", "CFCC level to come", "hardware", "cfcc_level"),
            FormField("points", "More busy", "workload", "cf_busy_points", "points"),
        ),
    ),
    FieldGroup(
        "Offload",
        _STRUCTURE,
        (
            FormField(
                "offload", "Offload to", "configuration", "offload", kind=CHOICE,
                choices=("", "SMDS"),
            ),
            FormField("offsize", "Typical message", "configuration", "message_bytes", "bytes"),
        ),
    ),
)  # fmt: skip


def words_of(given: Mapping[str, str]) -> list[str]:
    """What is filled in, as on the form; a choice left as the form offers it is not said."""
    known = {each.name: each for group in GROUPS for each in group.fields}
    said = []
    for name, value in given.items():
        asked = known.get(name)
        if asked is None:
            said.append(f"{name} {value}")
        elif asked.kind == CHECK:
            said.append(asked.label)
        elif not asked.choices or value != asked.choices[0]:
            said.append(" ".join(filter(None, (asked.label, value.replace("_", " "), asked.unit))))
    return said


def groups_of(kind: SubjectKind) -> list[FieldGroup]:
    """The groups that a kind of subject has."""
    return [group for group in GROUPS if kind in group.kinds]
