"""Requests that need not have been: re-drives, retries, common keys, wasted signals."""

from typing import Final, Literal

from mqcap.domain.units import Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import form_of

BUFFER_BYTES: Final[tuple[int, ...]] = (
    *(256, 512, 1_024, 2_048, 4_096),
    *range(8_192, 64_513, 4_096),
    64_512,
)
SHRINK_AFTER: Final = 10
KEYS_BEST: Final = 50
KEYS_MAX: Final = 6_000


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
    return {"warn": messages_per_key >= KEYS_BEST, "breach": messages_per_key > KEYS_MAX}


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
    """The smallest buffer that holds it; the largest for messages kept elsewhere."""
    size = size_kb * 1_024
    return next((buffer for buffer in BUFFER_BYTES if buffer >= size), BUFFER_BYTES[-1])
