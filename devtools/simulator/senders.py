"""Specification of who causes load: applications with their queues, and groups of channels."""

from typing import Annotated

from pydantic import Field

from devtools.simulator.events import LoadChange, Model
from mqcap.domain.estate.configured import Name8

ObjectName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/%]{1,48}$")]


class Sender(Model):
    """An application that puts persistent messages to a queue; another gets all of them."""

    queue: ObjectName
    application: Name8
    """Its connection name."""
    user: Name8 = "MQUSER"
    weight: Annotated[float, Field(gt=0)] = 1.0
    """Its part of the log at the anchor, relative to the other senders."""
    change: LoadChange | None = None
    message_bytes: Annotated[int, Field(ge=1)] = 2_048
    buffer_pool: Annotated[int, Field(ge=0, le=99)] = 0
    structure: Annotated[str, Field(pattern=r"^[A-Z0-9@#$_]{0,12}$")] = ""
    """Of a shared queue: its structure as MQ names it; empty for a private queue."""
    depth: Annotated[int, Field(ge=0)] = 0
    """Highest depth of the queue in each interval."""
    held: Annotated[int, Field(ge=0)] = 0
    """Messages that stay on the queue at the anchor; those of a shared queue fill its structure."""
    held_change: LoadChange | None = None
    messages_per_commit: Annotated[int, Field(ge=1)] = 4
    """Messages put and got in a unit of work."""
    skips_per_get: Annotated[float, Field(ge=0)] = 0.0
    is_dynamic: bool = False
    """Whether the queue is a new dynamic one in each interval, ``queue`` being its prefix."""


class ChannelGroup(Model):
    """Instances of one channel; a part of all channels of the queue manager."""

    name: Annotated[str, Field(pattern=r"^[A-Z0-9._/%]{1,20}$")]
    weight: Annotated[float, Field(gt=0)] = 1.0
    change: LoadChange | None = None
    message_bytes: Annotated[int, Field(ge=0)] = 2_048


class ChannelPartner(Model):
    """The queue manager at the other end of one of the busiest channels."""

    qmgr: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,10}$")]
    message_bytes: Annotated[int, Field(ge=1)] = 2_048
    persistent_pct: Annotated[int, Field(ge=0, le=100)] = 0
