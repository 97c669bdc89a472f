"""Facts that a site configures because no record carries them; ``None``: not configured.

``docs/estate.md`` lists where each is looked up and which rules ask for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationInfo,
    create_model,
)

from mqcap.domain.units import Amount, Count, Percent, Positive, Unit
from mqcap.operands.declared import SETTINGS, Setting, ValueForm

Name4 = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$]{1,4}$")]
Name8 = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$]{1,8}$")]
MachineName = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$_-]{1,16}$")]
VolumeSerial = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$-]{1,6}$")]
QueueName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._/%]{1,48}$")]
HostName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,32}$")]


@cache
def _zones() -> frozenset[str]:
    """Return the names of the tz database, which lists its folders anew on each call."""
    return frozenset(available_timezones())


def _known_zone(value: str) -> str:
    if value not in _zones():
        raise ValueError(f"{value!r} is not a time zone of the tz database, such as Europe/London")
    return value


ZoneName = Annotated[str, AfterValidator(_known_zone)]


class SystemClass(StrEnum):
    """Use of a queue manager; default views show production only."""

    production = "production"
    test = "test"
    disaster_recovery = "disaster_recovery"


class Configured(BaseModel, frozen=True, extra="forbid", populate_by_name=True):
    """Base: immutable, and an unknown key is an error."""


def listed_twice(names: Iterable[str]) -> str:
    """Return the names that occur more than once, in order, joined by commas."""
    return ", ".join(sorted(name for name, count in Counter(names).items() if count > 1))


class SystemFacts(Configured):
    """A system of a sysplex; ``None``: not known, and no transport rests on it."""

    smfid: Name4
    cpc: MachineName | None = None
    """The machine (central processor complex) that it runs on."""
    roce: bool | None = None
    """Whether it has RoCE adapters, which SMC-R needs, in a network with the other systems."""
    smc: tuple[Literal["SMC-R", "SMC-D"], ...] | None = None
    """Shared memory communications that are active in its TCP/IP; empty: none is."""

    @property
    def has_roce(self) -> bool | None:
        """Whether SMC-R is possible: as configured, or since it is active; ``None``: not known."""
        return True if self.smc and "SMC-R" in self.smc else self.roce


def _share_of(part: str, total: str) -> BeforeValidator:
    """Return what takes a configured share, else that of two keys where both are configured."""

    def share_pct(configured: object, info: ValidationInfo) -> object:
        own, every = info.data.get(part), info.data.get(total)
        if configured is not None or own is None or every is None:
            return configured
        return 100 * own / every

    return BeforeValidator(share_pct)


def _field(setting: Setting) -> tuple[Any, None]:
    if setting.form is ValueForm.switch:
        return Annotated[bool | None, Field(description=setting.meaning)], None
    number = int if setting.form is ValueForm.whole else float
    more_than = 0 if setting.low is None else None
    limits = Field(gt=more_than, ge=setting.low, le=setting.high, description=setting.meaning)
    is_of_measure = setting.unit in {"%", "KB", "MiB", "MiB/s", "GiB", "h", "min"}
    marks = [Unit(setting.unit)] if is_of_measure else []
    return Annotated[(number | None, limits, *marks)], None


if TYPE_CHECKING:

    class DeclaredSettings(Configured):
        """Settings of a queue manager that ``mqcap/operands`` declares as keys of the estate."""
else:
    DeclaredSettings = create_model(
        "DeclaredSettings",
        __base__=Configured,
        **{setting.key: _field(setting) for setting in SETTINGS.values() if setting.estate},
    )


class LogFacts(DeclaredSettings):
    """Log, its devices and recovery of one queue manager, beside what is declared as a setting."""

    zhyperlink_other_tokens: Count | None = None
    """Write tokens of other users of the same DS8000."""
    dfw_bypass_per_s: Annotated[Amount | None, Unit("count/s")] = None
    dasd_io_per_s: Annotated[Positive | None, Unit("count/s")] = None
    dfw_bypass_pct: Annotated[
        Amount | None, _share_of("dfw_bypass_per_s", "dasd_io_per_s"), Unit("%")
    ] = Field(default=None, validate_default=True)
    """Share of the I/Os that bypass the cache; where it is not set, that of the two rates."""
    log_volumes: tuple[VolumeSerial, ...] | None = None
    """Volumes of the active logs, of both copies, whose cache activity is read from SMF 74.5."""
    oldest_uow_s: Annotated[Amount | None, Unit("s")] = None
    """Age of the oldest unit of work, from DISPLAY CONN."""


class ChannelFacts(Configured):
    """Channel initiator, common storage and accounting of one queue manager."""

    omvs_maxprocuser: Annotated[int, Field(ge=1)] | None = None
    omvs_other_threads: Count | None = None
    """Threads of other address spaces under the same user id."""
    ecsa_free_mib: Annotated[Positive | None, Unit("MiB")] = None
    syncq_channels: Count | None = None
    """Defined channels with messages in SYSTEM.CHANNEL.SYNCQ."""
    channel_restart_max_s: Annotated[Positive | None, Unit("s")] = None
    """Time within which all channels must be back after a failure."""
    accounting_class: Annotated[int, Field(ge=1, le=3)] | None = None
    accounting_queues: Annotated[int, Field(ge=1)] | None = None
    """Queues that a transaction uses, for class 3."""
    accounting_transactions_per_day: Amount | None = None
    smf_capacity_mib_per_day: Annotated[Positive | None, Unit("MiB/day")] = None
    accounting_lost_count: Count | None = None
    """CSQW133E of a day."""


class ApplicationFacts(Configured):
    """Figures of applications and of the IMS bridge that a monitor or class 3 accounting shows."""

    uow_messages_max: Count | None = None
    """Most messages that one unit of work puts and gets."""
    common_key_messages: Count | None = None
    """Most messages of a shared queue under one message or correlation identifier."""
    cf_retries_pct: Annotated[Amount | None, Unit("%")] = None
    cf_retries_usual_pct: Annotated[Amount | None, Unit("%")] = None
    skips_per_get: Amount | None = None
    skips_per_get_usual: Amount | None = None
    opens_at_cf_pct: Annotated[Percent | None, Unit("%")] = None
    opens_at_cf_usual_pct: Annotated[Percent | None, Unit("%")] = None
    ims_region_occupancy_pct: Annotated[Percent | None, Unit("%")] = None
    ims_request_high_depth: Count | None = None
    ims_bridge_queues: tuple[QueueName, ...] | None = None
    """Request queues of the IMS bridge, whose depth is measured where STATQ is on for them."""
    ims_idle_regions: Count | None = None
    ims_checkpoint_minutes: Annotated[Positive | None, Unit("min")] = None
    ims_buffer_waits: Count | None = None
    ims_qbuf: Annotated[int, Field(ge=1)] | None = None
    ims_regions: Annotated[int, Field(ge=1)] | None = None


class BufferPoolFacts(Configured):
    """Buffer pool, by number."""

    number: Annotated[int, Field(ge=0, le=99)]
    short_lived: bool | None = None
    """Its queues hold messages for a short time; always true of pool 0."""


class StructureFacts(Configured):
    """Structure, by its z/OS name."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$_]{1,16}$")]
    storage_class_memory: bool | None = None
    duplexed: bool | None = None
    preference_list: tuple[Name8, ...] | None = None
    """PREFLIST of the CFRM policy; where it is not known, any facility may take the structure."""


class LinuxHost(Configured):
    """A queue manager on Linux and what its tools show at the peak."""

    name: HostName
    network_gigabits: Annotated[Positive | None, Unit("Gbit/s")] = None
    network_used_gigabits: Annotated[Amount | None, Unit("Gbit/s")] = None
    """Of the busier direction."""
    lock_waits: Count | None = None
    lock_requests: Annotated[int, Field(ge=1)] | None = None
    """Differences of WaitCount and RequestCount (amqldmpa) of the busiest queue."""
    lock_wait_pct: Annotated[
        Percent | None, _share_of("lock_waits", "lock_requests"), Unit("%")
    ] = Field(default=None, validate_default=True)
    """Share of the requests that waited; where it is not set, that of the two counts."""
    log_file_pages: Annotated[int, Field(ge=64, le=65_535)] | None = None
    log_mib_per_s: Annotated[Amount | None, Unit("MiB/s")] = None
    clients: Count | None = None
    clients_max: Annotated[int, Field(ge=1, le=65_536)] | None = None
    """Most clients by LNX-CLIENTS for the own scenario, or measured."""
    cpu_pct: Annotated[Percent | None, Unit("%")] = None
    disk_pct: Annotated[Percent | None, Unit("%")] = None
    disk_usual_pct: Annotated[Percent | None, Unit("%")] = None
    working_set_mib: Annotated[Amount | None, Unit("MiB")] = None
    real_mib: Annotated[Positive | None, Unit("MiB")] = None


class ZtpfSystem(Configured):
    """A z/TPF system with 64-bit queues, as ZMQSC DISPLAY QMGR shows it."""

    name: HostName
    mqm_blocks: Annotated[int, Field(ge=1)] | None = None
    """MQM allocated, in blocks of 4 KB."""
    mqm_in_use_blocks: Count | None = None
    mqm_high_water_blocks: Count | None = None
    mqmswpl_pct: Annotated[float | None, Field(gt=0, le=100), Unit("%")] = None
    sweeps_per_day: Count | None = None
    """MQSC0801I of 64-bit queues."""
