"""Channels that could move to another transport, as rows for people and objects for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mqcap.domain.numbers import ABSENT, figure
from mqcap.presentation.listing import Listing
from mqcap.transports.channel_move import CandidateState, ChannelMove, TransportCandidate

NOT_KNOWN: Final = "not known"
NO_CHANNELS: Final = (
    "No channel between two queue managers of one sysplex has SMF 116 subtype 10 in the days looked"
    " at. It takes START TRACE(ACCTG) CLASS(4), and STATCHL of the channels above OFF."
)
BASIS: Final = (
    (
        "CPU is of SYS-COST: a request and its reply of 2 KB, not persistent, on z13 with MQ V8; "
        "half of it for each message is ours. It is that of z/OS (queue managers, channel "
        "initiators, TCP/IP, applications at both ends); that of the coupling facility is apart."
    ),
    (
        "CF busy is with the favoured moves of all channels further up, and then with this one "
        "too, each in its busiest interval, as though these fell together (SYS-CF-CHECK, ours)."
    ),
    "As load grew, a message cost from 10 % (TCP/IP) to 54 % (shared queues) more: SYS-SCALE.",
    (
        "Rates and sizes are of SMF 116 subtype 10, % of an engine is of the busiest interval. "
        "Favoured is what SYS-CHOICE names, which prefers throughput to CPU; shared queues need "
        "applications that use them at both ends. Neither records nor figures tell of "
        "NPMSPEED(FAST), exits and full networks."
    ),
)
MOVE_HEADINGS: Final = (
    "favoured", "pair", "channel", "messages/s", "busiest/s", "bytes/message", "MiB/s",
    "persistent", "transport now", "CPU us/message now", "saves CPU s/day", "% of an engine",
    "most CPU saved by", "note",
)  # fmt: skip
CANDIDATE_HEADINGS: Final = (
    "state", "pair", "channel", "transport", "CPU us/message", "CF us/message", "saves CPU s/day",
    "% of an engine", "CF s/day more", "CF busy", "reason",
)  # fmt: skip


class MoveRow(NamedTuple):
    """A channel as printed; headings are ``MOVE_HEADINGS``."""

    move_to: str
    pair: str
    channel: str
    messages_per_s: str
    busiest_per_s: str
    bytes_per_message: str
    mib_per_s: str
    persistent: str
    now: str
    us_now: str
    saved_s_per_day: str
    """By the favoured transport; below 0: it costs more."""
    saved_engine_pct: str
    most_saved_by: str
    """The allowed transport with most CPU to save, and the saving; absent where none saves any."""
    note: str


class CandidateRow(NamedTuple):
    """A transport of a channel as printed; headings are ``CANDIDATE_HEADINGS``."""

    state: str
    pair: str
    channel: str
    transport: str
    cpu_us: str
    cf_us: str
    saved_s_per_day: str
    saved_engine_pct: str
    added_cf_s_per_day: str
    facility: str
    reason: str


def move_rows(moves: Sequence[ChannelMove]) -> list[MoveRow]:
    """Return a row for each channel, in the given order."""
    return [_move_row(move) for move in moves]


def candidate_rows(moves: Sequence[ChannelMove]) -> list[CandidateRow]:
    """Return a row for each transport of each channel, in the given order."""
    return [_candidate_row(move, each) for move in moves for each in move.candidates]


def move_listing(moves: Sequence[ChannelMove], title: str) -> Listing:
    """Return the channels as a table, ranked."""
    rows = tuple(tuple(row) for row in move_rows(moves))
    return Listing(
        title=title,
        headings=MOVE_HEADINGS,
        rows=rows,
        caption="" if rows else NO_CHANNELS,
        styles={},
        name_count=2,
    )


def candidate_listing(moves: Sequence[ChannelMove]) -> Listing:
    """Return the transports of all channels as a table; below it what is missing and the basis."""
    return Listing(
        title="Candidates",
        headings=CANDIDATE_HEADINGS,
        rows=tuple(tuple(row) for row in candidate_rows(moves)),
        caption="\n".join([*missing_lines(moves), *BASIS]),
        styles={"allowed": "green"},
        name_count=3,
    )


def missing_lines(moves: Sequence[ChannelMove]) -> list[str]:
    """Return a sentence for each sysplex with the keys of the settings that would decide."""
    keys: dict[str, list[str]] = {}
    for move in moves:
        keys.setdefault(move.traffic.sysplex, []).extend(move.missing_keys)
    return [
        f"To be set in the estate of {sysplex}: {'; '.join(sorted(set(missing)))}."
        for sysplex, missing in sorted(keys.items())
        if missing
    ]


def move_object(move: ChannelMove) -> dict[str, Any]:
    """Return a channel for programs; rates and shares beside the counts of the records."""
    document = move.model_dump(mode="json")
    traffic = move.traffic
    derived = {
        "messages_per_s": traffic.messages_per_s,
        "bytes_per_message": traffic.bytes_per_message,
        "persistent_pct": traffic.persistent_pct,
    }
    return {
        **document,
        "traffic": {**document["traffic"], **derived},
        "missing_keys": list(move.missing_keys),
    }


def _move_row(move: ChannelMove) -> MoveRow:
    traffic, favoured = move.traffic, move.favoured
    figures = favoured.figures if favoured else None
    today = next(each for each in move.candidates if each.transport is move.compared_with)
    return MoveRow(
        move_to=str(move.move_to or ABSENT),
        pair=traffic.pair,
        channel=traffic.channel,
        messages_per_s=figure(traffic.messages_per_s),
        busiest_per_s=figure(traffic.busiest_per_s),
        bytes_per_message=figure(round(traffic.bytes_per_message)),
        mib_per_s=figure(move.mib_per_s),
        persistent=f"{figure(traffic.persistent_pct)} %",
        now=str(move.now or NOT_KNOWN),
        us_now=figure(today.figures.cpu_us_per_message if today.figures else None),
        saved_s_per_day=figure(figures.saved_cpu_s_per_day if figures else None, signed=True),
        saved_engine_pct=figure(figures.saved_engine_pct if figures else None, signed=True),
        most_saved_by=_most_saved_by(move),
        note="; ".join(_notes(move)),
    )


def _most_saved_by(move: ChannelMove) -> str:
    best = move.most_saving
    if best is None or best.figures is None:
        return ABSENT
    return f"{best.transport} {figure(best.figures.saved_cpu_s_per_day, signed=True)}"


def _notes(move: ChannelMove) -> list[str]:
    notes = list(move.figures_refused)
    if move.now is None and not notes:
        notes.append(f"compared with {move.compared_with}")
    figures = move.favoured.figures if move.favoured else None
    if figures and figures.saved_cpu_s_per_day < 0:
        notes.append(f"{move.move_to} is favoured for its throughput and costs more CPU")
    if move.traffic.measured_by != move.traffic.sender:
        notes.append(f"measured at the receiving end, {move.traffic.measured_by}")
    return notes


def _candidate_row(move: ChannelMove, candidate: TransportCandidate) -> CandidateRow:
    figures = candidate.figures
    is_move = figures is not None and candidate.state is CandidateState.allowed
    reason = candidate.reason
    if candidate.state is CandidateState.allowed and figures is None:
        reason = "; ".join(move.figures_refused)
    if candidate.missing_keys:
        reason += f": set {', '.join(candidate.missing_keys)}"
    return CandidateRow(
        state=str(candidate.state),
        pair=move.traffic.pair,
        channel=move.traffic.channel,
        transport=str(candidate.transport),
        cpu_us=figure(figures.cpu_us_per_message if figures else None),
        cf_us=figure(figures.cf_us_per_message if figures else None),
        saved_s_per_day=_signed(figures.saved_cpu_s_per_day if figures and is_move else None),
        saved_engine_pct=_signed(figures.saved_engine_pct if figures and is_move else None),
        added_cf_s_per_day=_signed(figures.added_cf_s_per_day if figures and is_move else None),
        facility=_facility(candidate),
        reason=reason,
    )


def _signed(value: float | None) -> str:
    return figure(value, signed=True)


def _facility(candidate: TransportCandidate) -> str:
    effect = candidate.facility
    if effect is None:
        return ABSENT
    before, after, limit = map(figure, (effect.busy_pct, effect.after_pct, effect.limit_pct))
    return f"{effect.facility} {before} to {after} %, limit {limit} %"
