"""What consoles and error logs reported of a resource: one rule for each kind of resource.

Which messages count, and how grave they are, is in the catalogues of their readers.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from mqcap.domain.console.message import OF_ERROR_LOGS, where_reported
from mqcap.domain.finding import Citation
from mqcap.domain.numbers import counted
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Count
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromConsole
from sizing.rulebook.registry import rule
from sizing.sources import distributed, messages
from sizing.trend import EVENT


class ConsoleInputs(Inputs):
    """States of the resource that were reported for the day."""

    states: Annotated[Count, FromConsole()]


class _Topic(NamedTuple):
    """A kind of resource that consoles or error logs report on."""

    rule_id: str
    resource: ResourceKind
    title: str
    section: str
    advice: str
    superseded_by: str = ""
    document: Callable[[str], Citation] = messages
    advice_when_over: str = ""
    """What to do where messages have ended all states of the day; empty: the same as before."""

    @property
    def where(self) -> str:
        """Where its messages are."""
        return where_reported(self.rule_id)


TOPICS: Final = (
    _Topic(
        "CONSOLE-LOG",
        ResourceKind.active_log,
        "Active logs on the console",
        "Recovery log manager messages (CSQJ), Data manager messages (CSQI)",
        "Look at the offload task (DISPLAY LOG) and at the space for archives, which free the "
        "active logs; then make the change of the plan.",
    ),
    _Topic(
        "CONSOLE-ARCHIVE",
        ResourceKind.archive,
        "Archiving on the console",
        "Recovery log manager messages (CSQJ)",
        "Find out why archiving failed or waits (space, devices, allocation), then ARCHIVE LOG; "
        "until it works no active log becomes free.",
        superseded_by="CONSOLE-LOG",
        advice_when_over="See by DISPLAY LOG that no full active log waits to be archived. Find "
        "out why archiving failed or waited (space, devices, allocation), so that it does not "
        "come again.",
    ),
    _Topic(
        "CONSOLE-POOL",
        ResourceKind.buffer_pool,
        "Buffer pool on the console",
        "Buffer manager messages (CSQP)",
        "Add buffers (ALTER BUFFPOOL), or find the queue that fills the pool.",
    ),
    _Topic(
        "CONSOLE-PAGESET",
        ResourceKind.page_set,
        "Page set on the console",
        "Buffer manager messages (CSQP), Data manager messages (CSQI)",
        "Find the queues on the page set (DISPLAY USAGE), drain or move them, and make the page "
        "set larger.",
    ),
    _Topic(
        "CONSOLE-STRUCTURE",
        ResourceKind.structure,
        "Structure on the console",
        "Coupling Facility manager messages (CSQE)",
        "Look at the structure (DISPLAY CFSTATUS, D XCF,STR); drain its queues or make it larger.",
    ),
    _Topic(
        "CONSOLE-SMDS",
        ResourceKind.smds,
        "Shared message data sets on the console",
        "Coupling Facility manager messages (CSQE)",
        "Look at the data sets (DISPLAY USAGE TYPE(SMDS)) and give them space.",
    ),
    _Topic(
        "CONSOLE-CHINIT-STORAGE",
        ResourceKind.chinit_storage_31bit,
        "Channel initiator storage on the console",
        "Distributed queuing messages (CSQX)",
        "Look at the channels that run (DISPLAY CHSTATUS) and at the region of the channel "
        "initiator.",
    ),
    _Topic(
        "CONSOLE-CHINIT-TASKS",
        ResourceKind.chinit_tasks,
        "Channel initiator tasks on the console",
        "Distributed queuing messages (CSQX)",
        "Read the messages before it in the job log of the channel initiator, and find what it "
        "lacked.",
    ),
    _Topic(
        "CONSOLE-CHANNELS",
        ResourceKind.chinit_channels,
        "Channels refused",
        "Distributed queuing messages (CSQX)",
        "Find who connects so often (DISPLAY CHSTATUS, CONNAME), and raise the limit that the "
        "message names: MAXCHL, ACTCHL, MAXINST, MAXINSTC or that of the listener.",
    ),
    _Topic(
        "CONSOLE-QMGR",
        ResourceKind.queue_manager,
        "Queue manager on the console",
        "IBM MQ for z/OS messages, codes and abends",
        "Read what the message and those around it in the job log say, and act on it.",
    ),
    _Topic(
        "CONSOLE-STORAGE-31BIT",
        ResourceKind.storage_31bit,
        "Storage below the bar on the console",
        "Initialization procedure and general services messages (CSQY)",
        "Find what uses storage below the bar (connections, buffer pools LOCATION(BELOW)) and the "
        "region size.",
    ),
    _Topic(
        "CONSOLE-STORAGE-64BIT",
        ResourceKind.storage_64bit,
        "Storage above the bar on the console",
        "Initialization procedure and general services messages (CSQY)",
        "Raise MEMLIMIT of the queue manager, or use less above the bar (buffer pools, SMDS "
        "buffers).",
    ),
    _Topic(
        "CONSOLE-UOW",
        ResourceKind.applications,
        "Units of work on the console",
        "Recovery log manager messages (CSQJ), Recovery manager messages (CSQR)",
        "Find the connection that the message names; commit more often, or end it (STOP CONN).",
        superseded_by="REC-UOW-TOLD",
    ),
    _Topic(
        "CONSOLE-TRACE",
        ResourceKind.accounting,
        "Trace data on the console",
        "Instrumentation facilities messages (CSQW)",
        "Make SMF take the records; figures of the time are too low.",
        superseded_by="SMF-LOST",
    ),
    _Topic(
        f"{OF_ERROR_LOGS}LOG",
        ResourceKind.mq_log,
        "Log files in the error log",
        "AMQ7xxx messages",
        "Find the long unit of work (DISPLAY CONN, UOWLOG), which holds the log; then make the "
        "change of the plan.",
        document=distributed,
    ),
    _Topic(
        f"{OF_ERROR_LOGS}LOG-FS",
        ResourceKind.mq_log_file_system,
        "Log file system in the error log",
        "AMQ6xxx messages",
        "Free space in the file system of the log, or make it larger.",
        document=distributed,
    ),
    _Topic(
        f"{OF_ERROR_LOGS}CHANNELS",
        ResourceKind.mq_channels,
        "Channels refused",
        "AMQ9xxx messages",
        "Find who connects so often (DISPLAY CHSTATUS, CONNAME), and raise MaxChannels, or MAXINST "
        "or MAXINSTC of the channel.",
        document=distributed,
    ),
)


ADVICE_WHEN_OVER: Final = MappingProxyType(
    {topic.rule_id: topic.advice_when_over for topic in TOPICS if topic.advice_when_over}
)
"""By rule: what to do where messages have ended all states of the day."""


def _assessment_of(topic: _Topic) -> Callable[[ConsoleInputs], Assessment]:
    def assess(inputs: ConsoleInputs) -> Assessment:
        """One state that is reported on the day is a breach (ours): it happened."""
        return Assessment(
            observed=inputs.states,
            limit=0,
            unit="states",
            summary=f"{counted(inputs.states, 'state')} reported {topic.where}.",
            arithmetic="limit: none on the day; each one that is reported is a breach",
            advice=f"Nothing to change: nothing of it was reported {topic.where} that day.",
        ).past_limit(topic.advice)

    return assess


for _topic in TOPICS:
    rule(
        _topic.rule_id,
        _topic.title,
        _topic.document(_topic.section),
        _topic.resource,
        undated=EVENT,
        graded=False,
        is_event=True,
        applies=only_with("states"),
        superseded_by=_topic.superseded_by,
    )(_assessment_of(_topic))
