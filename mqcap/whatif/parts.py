"""The parts of a scenario; an amount may be a single number or the two ends of a range."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

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
from mqcap.domain.subject import Subject
from mqcap.operands.declared import SETTINGS, setting_of


def _with(is_right: Callable[[float, float], bool], words: str) -> AfterValidator:
    """Return what refuses a number, or the ends of a range, that is not right."""

    def checked(value: float | tuple[float, float]) -> float | tuple[float, float]:
        if not is_right(_ends(value)[0], _ends(value)[-1]):
            raise ValueError(words)
        return value

    return AfterValidator(checked)


Amount = Annotated[
    float | tuple[float, float],
    _with(lambda low, high: low <= high, "the first of a range must not be larger than the second"),
]
"""A number, or the two ends of a range."""
Positive = Annotated[Amount, _with(lambda low, _: low > 0, "must be larger than 0")]
NotNegative = Annotated[Amount, _with(lambda low, _: low >= 0, "must not be negative")]
PutPattern = Literal["put_out_of_syncpoint", "put_then_commit", "put10_commit"]
GetPattern = Literal["get_out_of_syncpoint", "get_then_commit", "get10_commit", "none"]
MqLevel = Literal["pre-9.4", "9.4"]
NUMBER_MAX: Final = 1e12
"""No setting and no load is larger in its unit (ours)."""
_OF_MESSAGES: Final = ("message_bytes", "persistent")


class ScenarioPart(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """Base of all parts: an unknown key is an error, and so is a number that nothing has."""

    @model_validator(mode="after")
    def _of_possible_size(self) -> Self:
        for name, value in {**self.__dict__, **(self.model_extra or {})}.items():
            for number in _ends(value):
                if isinstance(number, int | float) and not abs(number) <= NUMBER_MAX:
                    raise ValueError(f"{name} is beyond {NUMBER_MAX:g}")
        return self


class ScenarioGrowth(ScenarioPart):
    """Growth of measured and forecast values in per cent; negative for a decline."""

    subjects: Annotated[tuple[str, ...], Field(min_length=1)]
    """Subjects, or patterns such as ``PLEX1/*``."""
    metrics: tuple[str, ...] = ()
    """Names of metrics; empty: every metric that grows with the load."""
    pct: Amount


class AddedWorkload(ScenarioPart):
    """Load that is added at all hours: in the unit of a series, or as messages and channels."""

    subject: Subject
    """A queue manager; for amounts of a series also a channel initiator or coupling facility."""
    log_mib_per_s: Amount | None = None
    cf_busy_points: Amount | None = None
    channels: NotNegative | None = None
    messages_per_s: NotNegative | None = None
    message_bytes: Positive | None = None
    """Bytes of user data with headers, without the MQMD."""
    persistent: bool | None = None
    put: PutPattern = "put_then_commit"
    get: GetPattern = "get_then_commit"
    """Way in which this queue manager gets the messages; ``none`` when it does not."""
    moved: Literal["no", "sent", "received"] = "no"
    """Channel traffic: ``sent`` or ``received`` over a channel of this queue manager."""
    batch_size: Positive = 1
    """Messages in a batch as achieved, not BATCHSZ."""
    structure: Subject | None = None
    """``PLEX1/CF01/QSG1APPL1``: the messages are on shared queues in it."""
    duplexed_in: str | None = None
    """``PLEX1/CF02`` when the structure is duplexed."""
    cflevel: Literal[4, 5] = 5
    """Level of the CFSTRUCT object; 5 with shared message data sets."""
    cfcc_level: Annotated[int, Field(ge=1)] | None = None
    page_set: str | None = None
    """``PLEX1/CSQ1/PS03``: where private messages accumulate during an outage of the consumer."""
    outage_minutes: NotNegative | None = None
    """Longest outage of the consumer for which messages must be kept."""
    channel_kind: Literal["message", "client"] = "message"
    sharecnv: Literal[0, 1, 10] = 1
    conversations: Positive = 1
    """Current conversations on one client channel."""
    mq_level: MqLevel | None = None
    """``None``: as configured or recorded, else 9.4."""
    tls: bool = False

    @model_validator(mode="after")
    def _complete(self) -> AddedWorkload:
        if self.messages_per_s is not None:
            missing = [name for name in _OF_MESSAGES if getattr(self, name) is None]
            if missing:
                raise ValueError(f"messages_per_s also needs {' and '.join(missing)}")
        if self.structure and self.outage_minutes is not None and self.cfcc_level is None:
            raise ValueError("outage_minutes on a structure also needs cfcc_level (D CF shows it)")
        return self


class HardwareChange(ScenarioPart):
    """Another machine, coupling facility or DASD subsystem under the same load."""

    subject: Subject
    """``PLEX1`` for the machines, ``PLEX1/CF01`` for a CF, ``PLEX1/CSQ1`` for its log's DASD."""
    engines: Positive | None = None
    lspr_ratio: Positive | None = None
    """CPU time of the same work on it, as a multiple of today's (CPU-LSPR)."""
    cfcc_level_from: Annotated[int, Field(ge=1)] | None = None
    cfcc_level: Annotated[int, Field(ge=1)] | None = None
    dasd_class_from: str | None = None
    dasd_class: str | None = None
    """As MP16 names it, such as ``DS8900F (RAID 5) 4 stripes + zHPF``."""
    message_bytes: Positive | None = None
    """Size of a typical persistent message, on which the maximum log rate of the DASD depends."""

    @model_validator(mode="after")
    def _complete(self) -> HardwareChange:
        if (self.cfcc_level is None) is not (self.cfcc_level_from is None):
            raise ValueError("cfcc_level and cfcc_level_from belong together (D CF shows today's)")
        if self.dasd_class is not None and self.message_bytes is None:
            raise ValueError("dasd_class also needs message_bytes")
        return self


_ESTATE: Final[Mapping[SubjectKind, frozenset[str]]] = {
    SubjectKind.queue_manager: frozenset({*QueueManager.model_fields, "class"}),
    SubjectKind.channel_initiator: frozenset(
        {*ChannelFacts.model_fields, "chinit_31bit_limit_mib", "mq_version"}
    ),
    SubjectKind.buffer_pool: frozenset(BufferPoolFacts.model_fields) - {"number"},
    SubjectKind.coupling_facility: frozenset(CouplingFacility.model_fields),
    SubjectKind.structure: frozenset(StructureFacts.model_fields),
    SubjectKind.linux_host: frozenset(LinuxHost.model_fields),
    SubjectKind.ztpf_system: frozenset(ZtpfSystem.model_fields),
    SubjectKind.distributed_queue_manager: frozenset({"clients_max", "consumer_away_minutes"}),
    SubjectKind.distributed_queue: frozenset(DistributedQueue.model_fields),
}
"""Keys that the estate has for kinds of subjects; of others it has none."""
_NO_SETTINGS: Final = {
    *("name", "planned", "buffer_pools", "structures"),
    *("active_log_names", "stands_in_for", "preference_list"),
}
"""Keys of the estate that no scenario sets."""
_TOP: Final = (
    SubjectKind.queue_manager,
    SubjectKind.coupling_facility,
    SubjectKind.linux_host,
    SubjectKind.ztpf_system,
    SubjectKind.distributed_queue_manager,
)
_OF_SCENARIOS: Final[Mapping[SubjectKind, tuple[str, ...]]] = {
    SubjectKind.channel_initiator: (
        *("sharecnv", "sharecnv_from", "client_conversations", "message_bytes"),
        *("mq_level", "mq_level_from"),
    ),
    SubjectKind.structure: ("offload", "message_bytes"),
}
_FORMS: Final[Mapping[str, tuple[SubjectKind, ...]]] = {
    r"[^/]+/[^/]+/CHINIT": (SubjectKind.channel_initiator,),
    r"[^/]+/[^/]+/BP\d\d": (SubjectKind.buffer_pool,),
    r"[^/]+/[^/]+/PS\d\d": (SubjectKind.page_set,),
    rf"[^/]+/[^/]+/{CHANNEL_PART}/[^/]+": (SubjectKind.distributed_channel,),
    r"[^/]+/[^/]+/[^/]+": (SubjectKind.structure, SubjectKind.distributed_queue),
    r"[^/]+/[^/]+": _TOP,
}


def kinds_of(subject: str) -> tuple[SubjectKind, ...]:
    """Return the kinds that a subject of this form can have; empty for no such form."""
    return next((kinds for form, kinds in _FORMS.items() if re.fullmatch(form, subject)), ())


def keys_of(kind: SubjectKind) -> frozenset[str]:
    """Return every key that a configuration change of this kind of subject can set."""
    own = {setting.key for setting in SETTINGS.values() if kind in setting.of}
    return estate_keys_of(kind) | own


def estate_keys_of(kind: SubjectKind) -> frozenset[str]:
    """Return the keys of ``keys_of`` that the estate has too."""
    return _ESTATE.get(kind, frozenset()) - _NO_SETTINGS


def check_keys(subject: str, values: Mapping[str, Any]) -> None:
    """Check that the subject has every key, and every value is in its range; else a ValueError."""
    kinds = kinds_of(subject)
    if not kinds and values:
        raise ValueError(
            "settings are of a queue manager or CF, such as PLEX1/CSQ1, or of a part of it, such "
            "as PLEX1/CSQ1/CHINIT, BP01, PS03 or a structure"
        )
    allowed = {key for kind in kinds for key in keys_of(kind)}
    unknown = sorted(set(values) - allowed)
    if unknown:
        offered = sorted(allowed.union(*(_OF_SCENARIOS.get(kind, ()) for kind in kinds)))
        expected = "; ".join(dict.fromkeys(near_or_all(key, offered) for key in unknown))
        raise ValueError(f"no such setting: {' '.join(unknown)}; expected {expected}")
    for key, value in values.items():
        for kind, end in product(kinds, _ends(value)):
            setting = setting_of(kind, key)
            if setting is not None and (refusal := setting.refusal(end)):
                raise ValueError(refusal)


def _ends(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


class ConfigurationChange(ScenarioPart, frozen=True, extra="allow", allow_inf_nan=False):
    """Other settings and sizes of a subject: any key of the estate or of ``mqcap/operands``.

    Further SHARECNV of a channel initiator's client channels, and offload of a structure.
    """

    subject: Subject
    active_log_size_mib: Amount | None = None
    active_logs: Amount | None = None
    dual_logging: bool | None = None
    engines: Amount | None = None
    sharecnv_from: Literal[0, 1, 10] | None = None
    sharecnv: Literal[0, 1, 10] | None = None
    client_conversations: Positive | None = None
    """Conversations of all client channels, the same before and after."""
    message_bytes: Positive | None = None
    mq_level: MqLevel | None = None
    """``None``: as configured or recorded, else 9.4."""
    mq_level_from: MqLevel | None = None
    """That of before the change; ``None``: the same."""
    offload: Literal["SMDS"] | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Settings and sizes with their new values."""
        names = ("active_log_size_mib", "active_logs", "dual_logging", "engines")
        values = {name: getattr(self, name) for name in names} | (self.model_extra or {})
        return {name: value for name, value in values.items() if value is not None}

    @property
    def estate_values(self) -> dict[str, Any]:
        """Those of ``settings`` that are keys of the estate file."""
        estate_keys = {key for kind in kinds_of(self.subject) for key in estate_keys_of(kind)}
        return {name: value for name, value in self.settings.items() if name in estate_keys}

    @model_validator(mode="after")
    def _one_kind(self) -> ConfigurationChange:
        logs = (self.active_log_size_mib, self.active_logs, self.dual_logging)
        if self.engines is not None and any(value is not None for value in logs):
            raise ValueError("engines belong to a coupling facility, logs to a queue manager")
        check_keys(self.subject, self.settings)
        of_sharing = (self.sharecnv_from, self.client_conversations, self.message_bytes)
        if self.sharecnv is not None and None in of_sharing:
            raise ValueError(
                "sharecnv also needs sharecnv_from, client_conversations and message_bytes"
            )
        if self.mq_level_from is not None and None in {self.mq_level, self.sharecnv}:
            raise ValueError("mq_level_from also needs mq_level and sharecnv")
        if self.offload is not None and self.message_bytes is None:
            raise ValueError("offload also needs message_bytes")
        return self
