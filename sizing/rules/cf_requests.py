"""Requests to the CF that need not have been: re-drives, retries, common keys, wasted signals."""

from typing import Annotated, Final, Literal

from mqcap.domain.finding import Severity
from mqcap.domain.resource import HeatColumn, ResourceKind
from mqcap.domain.units import Amount, Count, Positive, PositiveCount
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Figures, ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

KEY_MESSAGES_MAX: Final = 6_000
REDRIVES_MIN: Final = 1
"""Ours: fewer re-drives of lists for each get are no search through messages of one key; MP16 saw
4.4 with 10,000 messages."""
UPPER_BOUND: Final = (
    "The depth of the deepest shared queue, the most that one key can have: look at how many of "
    "its messages share a message or correlation identifier."
)
QUEUES: Final = "SMF 115 subtype 216 (STATQ, MQ 9.3 and later)"

BUFFER_BYTES: Final[tuple[int, ...]] = (
    *(256, 512, 1_024, 2_048, 4_096),
    *range(8_192, 64_513, 4_096),
    64_512,
)
SHRINK_AFTER: Final = 10
KEYS_BEST: Final = 50


def _may_share_keys(values: ValuesByName) -> bool:
    """Return whether the number is configured, or deep queues meet gets with re-drives."""
    messages, redrives = values.get("messages"), values.get("redrives_per_get")
    if messages is None or messages != values.get("deepest"):
        return messages is not None
    return redrives is None or float(str(redrives)) >= REDRIVES_MIN


@rule(
    "CF-COMMONKEY",
    "Messages of one key",
    mp16("Common MSGID or CORRELID with deep shared queues"),
    ResourceKind.applications,
    column=HeatColumn.cf_processor,
    watches="messages",
    undated="the depth of a queue bounds the messages of one key; a bound has no trend of theirs",
    breach_severity=Severity.watch,
    applies=_may_share_keys,
)
def cf_commonkey(
    messages: Annotated[
        Amount,
        FromEstate("common_key_messages", "the application, or retries of QEST"),
        FromMetric("shared_queue_depth_count", record=QUEUES),
    ],
    deepest: Annotated[Amount | None, FromMetric("shared_queue_depth_count", record=QUEUES)] = None,
    redrives_per_get: Annotated[
        Amount | None, FromMetric("cf_list_redrives_per_get", record="SMF 115 subtype 2")
    ] = None,
) -> Assessment:
    """Above 6000 a get can cost nine times as much; best are fewer than 50."""
    del redrives_per_get  # only for whether it applies
    return Assessment(
        observed=messages,
        limit=KEY_MESSAGES_MAX,
        unit="messages",
        arithmetic=f"limit = {KEY_MESSAGES_MAX} messages; cost steps near 50, 1100 and each "
        "further 1000",
        advice="Nothing to change; fewer than 50 messages of one key are best.",
        caveats=(UPPER_BOUND,) if messages == deepest else (),
    ).past_limit("Give messages their own message or correlation identifiers.")


@form_of("CF-REDRIVE")
def redrives(
    message_kb: list[Positive],
    initial_buffer_kb: Positive = 4,
    mq_level: Literal["6.0", "7.0+"] = "7.0+",
) -> Figures:
    """A message larger than the buffer costs one and the buffer grows to fit.

    From 7.0 it shrinks only after ten messages in a row that a smaller one would hold; at
    6.0 it shrinks at once.
    """
    patience = SHRINK_AFTER if mq_level == "7.0+" else 1
    buffer = _buffer_for(initial_buffer_kb)
    count, small = 0, list[int]()
    for size_kb in message_kb:
        fitting = _buffer_for(size_kb)
        if fitting > buffer:
            count, buffer, small = count + 1, fitting, []
        elif fitting == buffer:
            small = []
        else:
            small.append(fitting)
            if len(small) >= patience:
                buffer, small = max(small), []
    return {"redrives": count, "redrives_per_get": count / len(message_kb) if message_kb else 0}


@form_of("CF-COMMONKEY")
def retries_per_message(retries: Count, messages: PositiveCount) -> Figures:
    """Retries of reading a list, for each message."""
    return {"retries_per_message": retries / messages}


@form_of("CF-COMMONKEY")
def all_requests(sync_requests: Count, async_requests: Count) -> Figures:
    """Requests to the CF of either kind."""
    return {"cf_requests": sync_requests + async_requests}


@form_of("CF-COMMONKEY")
def key_depth(messages_per_key: Count) -> Figures:
    """Best below 50; above 6000 a get can cost more than nine times."""
    return {"warn": messages_per_key >= KEYS_BEST, "breach": messages_per_key > KEY_MESSAGES_MAX}


@form_of("CF-RETRY")
def retry_share(retries: Count, requests: PositiveCount) -> Figures:
    """Retries as a share of all requests; not the same as re-drives."""
    return {"retry_pct": 100 * retries / requests}


@form_of("CF-0TO1")
def wasted_signals(queue_managers: PositiveCount, transitions: Count = 1) -> Figures:
    """Every interested member is signalled and one of them gets the message."""
    return {"wasted_signals": (queue_managers - 1) * transitions}


@form_of("CF-0TO1")
def empty_gets(gets: Count, successful_gets: PositiveCount) -> Figures:
    """Gets that found nothing, for each one that did."""
    return {"empty_per_successful": (gets - successful_gets) / successful_gets}


def _buffer_for(size_kb: float) -> int:
    size = size_kb * 1_024
    return next((buffer for buffer in BUFFER_BYTES if buffer >= size), BUFFER_BYTES[-1])
