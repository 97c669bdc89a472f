"""What a simulated queue manager uses beside the usual: zHyperLink, SMDS, dynamic queues."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from devtools.simulator.events import Model
from mqcap.domain.estate.configured import ApplicationFacts, ChannelFacts, LogFacts

NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class ConfiguredFacts(LogFacts, ChannelFacts, ApplicationFacts):
    """Further keys of a queue manager that the settings file gets."""


class SharedMessageDataSet(Model):
    """The data set of one structure for large messages, and its buffers."""

    structure: Annotated[str, Field(pattern=r"^[A-Z0-9@#$_]{1,12}$")]
    """As MQ names it, without the queue sharing group."""
    blocks: Annotated[int, Field(ge=1)] = 100_000
    used_ratio: Share
    """Of its blocks at the worst moment."""
    buffers: Annotated[int, Field(ge=1)] = 300
    buffers_used_ratio: Share = 0.5


class ManagerFeatures(Model):
    """Ratios that hold in every interval; zero or ``None`` is a thing that is not used."""

    zhyperlink_write_us: Annotated[int, Field(ge=1)] | None = None
    """Time of a synchronous write of the log; ``None`` is a log without zHyperLink."""
    zhyperlink_fallback_ratio: Share = 0.01
    """Writes that became asynchronous."""
    steals_per_get_page: Share = 0.0
    """Buffers stolen for each page got, none of them with contention."""
    dynamic_queues_per_h: NotNegative = 0.0
    """Objects created and deleted in an hour."""
    deletes_per_create: NotNegative = 1.0
    list_calls_per_call: NotNegative = 0.0
    """Multiple-entry calls to structures for each single-entry one."""
    redrive_ratio: Share = 0.0
    """Calls of both kinds that were driven again."""
    shared_message_data_set: SharedMessageDataSet | None = None
    log_bypass_pct: Annotated[float, Field(ge=0, le=100)] | None = None
    """Of the I/Os to each volume in ``log_volumes``, those that find no room in non-volatile
    storage; ``None`` is no cache activity in the records."""
