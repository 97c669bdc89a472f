"""Keys of a scenario's configuration: which a subject has, and values that are refused."""

import re
from collections.abc import Mapping
from typing import Any, Final

from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import (
    BufferPoolFacts,
    ChannelFacts,
    LinuxHost,
    StructureFacts,
    ZtpfSystem,
)
from mqcap.domain.estate.places import DistributedQueue
from mqcap.domain.metric import CHANNEL_PART, SubjectKind
from mqcap.domain.names.short_names import near_or_all
from mqcap.operands.declared import SETTINGS, setting_of

_ESTATE: Final[Mapping[SubjectKind, frozenset[str]]] = {
    SubjectKind.queue_manager: frozenset({*QueueManager.model_fields, "class"}),
    SubjectKind.channel_initiator: frozenset(
        {*ChannelFacts.model_fields, "chinit_31bit_limit_mib", "mq_version"}
    ),
    SubjectKind.buffer_pool: frozenset(BufferPoolFacts.model_fields) - {"number"},
    SubjectKind.page_set: frozenset(),
    SubjectKind.coupling_facility: frozenset(CouplingFacility.model_fields),
    SubjectKind.structure: frozenset(StructureFacts.model_fields),
    SubjectKind.group_structure: frozenset(),
    SubjectKind.linux_host: frozenset(LinuxHost.model_fields),
    SubjectKind.ztpf_system: frozenset(ZtpfSystem.model_fields),
    SubjectKind.distributed_queue_manager: frozenset({"clients_max", "consumer_away_minutes"}),
    SubjectKind.ztpf_queue: frozenset(),
    SubjectKind.distributed_queue: frozenset(DistributedQueue.model_fields),
    SubjectKind.distributed_channel: frozenset(),
    SubjectKind.mq_host: frozenset(),
    SubjectKind.site_object: frozenset(),
}
"""Keys that the estate has for each kind of subject."""
_LISTS: Final = frozenset(
    {
        "name",
        "planned",
        "buffer_pools",
        "structures",
        "active_log_names",
        "stands_in_for",
        "preference_list",
    }
)
_TOP: Final = (
    SubjectKind.queue_manager,
    SubjectKind.coupling_facility,
    SubjectKind.linux_host,
    SubjectKind.ztpf_system,
    SubjectKind.distributed_queue_manager,
)
_OF_SCENARIOS: Final[Mapping[SubjectKind, tuple[str, ...]]] = {
    SubjectKind.channel_initiator: (
        "sharecnv",
        "sharecnv_from",
        "client_conversations",
        "message_bytes",
        "mq_level",
        "mq_level_from",
    ),
    SubjectKind.structure: ("offload", "message_bytes"),
}
"""Keys that only a scenario has."""
_FORMS: Final[tuple[tuple[re.Pattern[str], tuple[SubjectKind, ...]], ...]] = (
    (re.compile(r"[^/]+/[^/]+/CHINIT"), (SubjectKind.channel_initiator,)),
    (re.compile(r"[^/]+/[^/]+/BP\d\d"), (SubjectKind.buffer_pool,)),
    (re.compile(r"[^/]+/[^/]+/PS\d\d"), (SubjectKind.page_set,)),
    (re.compile(rf"[^/]+/[^/]+/{CHANNEL_PART}/[^/]+"), (SubjectKind.distributed_channel,)),
    (
        re.compile(r"[^/]+/[^/]+/[^/]+"),
        (SubjectKind.structure, SubjectKind.distributed_queue),
    ),
    (re.compile(r"[^/]+/[^/]+"), _TOP),
)


def kinds_of(subject: str) -> tuple[SubjectKind, ...]:
    """Return the kinds that a subject of this form can have; empty for no such form."""
    return next((kinds for form, kinds in _FORMS if form.fullmatch(subject)), ())


def keys_of(kind: SubjectKind) -> frozenset[str]:
    """Return every key that a configuration change of this kind of subject can set."""
    own = {setting.key for setting in SETTINGS.values() if kind in setting.of}
    return (_ESTATE[kind] | own) - _LISTS


def estate_keys_of(kind: SubjectKind) -> frozenset[str]:
    """Return the keys of ``keys_of`` that the estate has too."""
    return _ESTATE[kind] - _LISTS


def check_keys(subject: str, values: Mapping[str, Any]) -> None:
    """Check that the subject has every key, and that every value is in its range.

    Raises:
        ValueError: a key is unknown, or a value is out of range.
    """
    kinds = kinds_of(subject)
    if not kinds and values:
        raise ValueError("settings are of a queue manager or CF, such as PLEX1/CSQ1, or of a part "
                         "of it, such as PLEX1/CSQ1/CHINIT, BP01, PS03 or a structure")  # fmt: skip
    allowed = {key for kind in kinds for key in keys_of(kind)}
    unknown = sorted(set(values) - allowed)
    if unknown:
        offered = sorted(allowed.union(*(_OF_SCENARIOS.get(kind, ()) for kind in kinds)))
        expected = "; ".join(dict.fromkeys(near_or_all(key, offered) for key in unknown))
        raise ValueError(f"no such setting: {' '.join(unknown)}; expected {expected}")
    for key, value in values.items():
        for end in _ends(value):
            _check(kinds, key, end)


def _check(kinds: tuple[SubjectKind, ...], key: str, value: object) -> None:
    entries = [entry for kind in kinds if (entry := setting_of(kind, key)) is not None]
    for entry in entries:
        refusal = entry.refusal(value)
        if refusal:
            raise ValueError(refusal)


def _ends(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)
