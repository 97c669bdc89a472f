"""Log bytes of persistent messages: by call, by flow, and by the formulae of MP16."""

import math
from typing import Final, Literal

from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import Curve, curve, interpolate

SPACE = mp16("How much log space does my message use?")
RATE = mp16("What is my logging rate?")
FLOWS = mp16("How can we estimate the required log data rate for a system?")
FORMULAE = mp16("Log data rate formulae")
BACKUP = mp16("How often should a page set be backed up?")

PAGE_OVERHEAD_BYTES: Final = 150  # FORMULAE: "about"
FIXED_BYTES: Final = 1_000
GET_BYTES: Final = 500
GET_FLAT_KB: Final = 10
GET_END_KB: Final = 100
GET_END_BYTES: Final = 1_300
UNIT_OF_WORK: Final = 10
"""Messages of a unit of work in the patterns that name ten."""

PutPattern = Literal["put_out_of_syncpoint", "put_then_commit", "put10_commit"]
GetPattern = Literal["get_out_of_syncpoint", "get_then_commit", "get10_commit"]


@calculator("LOG-BYTES-PUT-LOCAL", "Log bytes of a put, local queue", SPACE)
def put_local(message_bytes: Count, pattern: PutPattern, messages: Count = 1) -> Figures:
    """Per message; ``put10_commit`` is one of ten in a unit of work."""
    return _by_call("local", pattern, message_bytes, messages)


@calculator("LOG-BYTES-GET-LOCAL", "Log bytes of a get, local queue", SPACE)
def get_local(message_bytes: Count, pattern: GetPattern, messages: Count = 1) -> Figures:
    """Per message; hardly depends on its size."""
    return _by_call("local", pattern, message_bytes, messages)


@calculator("LOG-BYTES-PUT-SHARED", "Log bytes of a put, shared queue", SPACE)
def put_shared(message_bytes: Count, pattern: PutPattern, messages: Count = 1) -> Figures:
    """Per message; out of syncpoint is far cheaper here than committed."""
    return _by_call("shared", pattern, message_bytes, messages)


@calculator("LOG-BYTES-GET-SHARED", "Log bytes of a get, shared queue", SPACE)
def get_shared(message_bytes: Count, pattern: GetPattern, messages: Count = 1) -> Figures:
    """Per message; hardly depends on its size."""
    return _by_call("shared", pattern, message_bytes, messages)


@calculator("LOG-RATE-TXN", "Logging rate of a workload", RATE)
def transaction_bytes(bytes_per_step: list[Count]) -> Figures:
    """The sum over every put and get of one transaction."""
    return {"log_bytes_per_transaction": sum(bytes_per_step)}


@form_of("LOG-RATE-TXN")
def transaction_rate(transactions_per_s: Amount, log_bytes_per_transaction: Amount) -> Figures:
    """MB/s of MP16 here is 2^20 bytes."""
    return {"log_rate_mib_per_s": transactions_per_s * log_bytes_per_transaction / MIB_BYTES}


@calculator("LOG-BYTES-FLOW", "Log bytes per message by flow", FLOWS)
def by_flow(message_bytes: Count, flow: str) -> Figures:
    """Measured; batch columns are the achieved batch size, not BATCHSZ."""
    points = curve("log_bytes_by_flow", "message_bytes", "log_bytes_per_message", flow=flow)
    return {"log_bytes_per_message": _measured_or_longer(points, message_bytes)}


@calculator("LOG-BYTES-ESTIMATE", "Log bytes of put and get, formula", FORMULAE)
def estimate(message_bytes: Count, header_bytes: Count = 300) -> Figures:
    """Bytes and headers and 1000, and about 150 for each page of a message over one page."""
    total = message_bytes + header_bytes
    pages = math.ceil(total / PAGE_BYTES)
    overhead = PAGE_OVERHEAD_BYTES * pages if pages > 1 else 0
    return {"log_bytes": total + FIXED_BYTES + overhead}


@calculator("LOG-BYTES-CHANNEL-BATCH", "Log bytes of a channel batch", FORMULAE)
def channel_batch(
    batch_size: PositiveCount, role: Literal["sender", "receiver"], fast_only: bool = False
) -> Figures:
    """Sender 2.5 KB at batch 1 to 3.7 KB at 50, receiver 1.3 KB; none for fast messages (F-03)."""
    by_role = {"sender": 2.5 + 1.2 * ((batch_size - 1) / 49), "receiver": 1.3}
    kb = 0.0 if fast_only else by_role[role]
    return {"log_kb_per_batch": kb, "log_kb_per_message": kb / batch_size}


@calculator("LOG-BYTES-GETSPLIT", "Log bytes of the get alone", FORMULAE)
def get_share(message_kb: Amount) -> Figures:
    """500 bytes up to 10 KB, then linear to 1300 at 100 KB; the rest belongs to the put."""
    return {"mqget_log_bytes": _get_bytes(message_kb)}


@form_of("LOG-BYTES-GETSPLIT")
def get_share_of_bytes(message_bytes: Count) -> Figures:
    """The same, for a size in bytes."""
    return {"mqget_log_bytes": _get_bytes(message_bytes / 1_024)}


@calculator("LOG-BYTES-RECOVERY", "Log volume for recovery planning", BACKUP)
def recovery_volume(
    message_kb: Amount, messages: Count, batches_sent: Count = 0, batches_received: Count = 0
) -> Figures:
    """1.3 KB more than each persistent message; 2.5 KB a batch sent, 1.4 KB received (F-03)."""
    kb = messages * (message_kb + 1.3) + 2.5 * batches_sent + 1.4 * batches_received
    return {"log_kb": kb}


@calculator("LOG-MSG-CEILING", "Messages that the log allows", FORMULAE)
def message_ceiling(dasd_mb_per_s: Positive, log_bytes_per_message: Positive) -> Figures:
    """Data rate of the log divided by the bytes of a message; MB is 2^20 bytes."""
    return {"messages_per_s": math.floor(dasd_mb_per_s * MIB_BYTES / log_bytes_per_message)}


@calculator("LOG-RBA8", "Extra log with 8-byte RBA", mp16("8-byte log RBA"))
def extra_for_rba8(request_bytes: Literal[1024], reply_bytes: Positive) -> Figures:
    """7 % with a reply of 4 KB, 2 % with 64 KB: a step in a history, not growth."""
    del request_bytes  # the only request size that was measured
    return {"extra_log_pct": interpolate(((4_096, 7), (65_536, 2)), reply_bytes)}


def _by_call(queue: str, pattern: str, message_bytes: int, messages: int) -> Figures:
    points = curve(
        "log_bytes_by_call", "message_bytes", "log_bytes_per_message", queue=queue, pattern=pattern
    )
    if pattern.startswith("put"):
        each = _measured_or_longer(points, message_bytes)
    else:
        each = interpolate(points, message_bytes) + _get_bytes(message_bytes / 1_024) - GET_BYTES
    unit = UNIT_OF_WORK if "10" in pattern else 1
    return {
        "log_bytes_per_message": each,
        "log_bytes_per_unit_of_work": each * unit,
        "log_bytes": each * messages,
    }


def _measured_or_longer(points: Curve, message_bytes: int) -> float:
    """Interpolate; past the end of the table add a byte each, and 150 for each further page."""
    end_bytes, logged = points[-1]
    if message_bytes <= end_bytes:
        return interpolate(points, message_bytes)
    pages = math.ceil(message_bytes / PAGE_BYTES) - math.ceil(end_bytes / PAGE_BYTES)
    return logged + message_bytes - end_bytes + PAGE_OVERHEAD_BYTES * pages


def _get_bytes(message_kb: float) -> float:
    if message_kb <= GET_FLAT_KB:
        return GET_BYTES
    slope = (GET_END_BYTES - GET_BYTES) / (GET_END_KB - GET_FLAT_KB)
    return GET_BYTES + slope * (message_kb - GET_FLAT_KB)
