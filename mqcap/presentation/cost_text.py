"""Learnt unit costs, and channels that could move to another transport, for people and programs."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from mqcap.domain.numbers import ABSENT, figure, quantity
from mqcap.domain.unit_cost import BOOK_RATIO_MAX, UnitCost, UnitCostKind
from mqcap.presentation.listing import Listing, listing_of
from mqcap.transports.channel_move import CandidateState, ChannelMove, TransportCandidate

LABELS: Final = {
    UnitCostKind.log_bytes_per_persistent_put: "Log bytes per persistent put",
    UnitCostKind.chinit_31bit_kib_per_channel: "31-bit storage per channel",
    UnitCostKind.chinit_64bit_kib_per_channel: "64-bit storage per channel",
    UnitCostKind.cf_us_per_request: "CF CPU per request",
    UnitCostKind.archive_mib_per_s: "Archive rate",
    UnitCostKind.accounting_records_per_transaction: "Accounting records per transaction",
    UnitCostKind.mq_log_bytes_per_put: "Log bytes per put",
}
USED_MEANS: Final = (
    "Used: learnt, where the sample is large and the interval narrow enough (settings, "
    "unit_costs); else the book, where MP16 has such a figure; none where nothing has a use for it."
)
_FIGURES: Final = ("value", "lower", "upper", "base", "correlation")
LEARNT: Final = "learnt"


def used_figure(cost: UnitCost) -> str:
    """Return which figure is used: ``learnt``, that of MP16 (``book``), or ``none`` of them."""
    if cost.is_used:
        return LEARNT
    return "book" if cost.book and not cost.shown_only else "none"


def unit_cost_row(cost: UnitCost) -> dict[str, str]:
    """Return a learnt cost by heading; a fitted base below 0 is none."""
    base = None if cost.base is None or cost.not_measurable else max(cost.base, 0.0)
    check = f"; CHECK: learnt is {cost.far_from_book}" if cost.far_from_book else ""
    return {
        "used": used_figure(cost),
        "subject": cost.subject,
        "cost": LABELS[cost.kind],
        "learnt": cost.interval_text,
        "base": ABSENT if base is None else quantity(base, cost.base_unit),
        "sample": cost.sample_text,
        "MP16": f"{cost.book.describe()}{check}" if cost.book else ABSENT,
    }


def unit_cost_listing(costs: Sequence[UnitCost], title: str) -> Listing:
    """Return the costs as a table; below it each note once, with those whose it is."""
    caption = "\n".join([USED_MEANS, *_notes(costs)])
    return listing_of(list(map(unit_cost_row, costs)), title, caption, 2, {LEARNT: "green"})


def _notes(costs: Sequence[UnitCost]) -> Iterator[str]:
    """Yield each note with its owners: all that have a cost of the kind are not named."""
    owners: dict[tuple[UnitCostKind, str], list[str]] = {}
    kinds: dict[UnitCostKind, list[str]] = {}
    for cost in costs:
        kinds.setdefault(cost.kind, []).append(cost.subject)
        for note in notes(cost):
            owners.setdefault((cost.kind, note), []).append(cost.subject)
    for (kind, note), subjects in owners.items():
        every = subjects == kinds[kind] and len(subjects) > 1
        whose = "all of them" if every else " ".join(subjects)
        yield f"{LABELS[kind]}, {whose}: {note}"


def notes(cost: UnitCost) -> tuple[str, ...]:
    """Return why a cost is not used, whether it is to be checked, and what it rests on."""
    state = "Not measurable" if cost.not_measurable else "Not used"
    used = f"{state}: {cost.why_not_used}." if cost.why_not_used else ""
    far = cost.far_from_book
    check = f"Check: the learnt figure is {far}, beyond {figure(BOOK_RATIO_MAX)} x." if far else ""
    return tuple(filter(None, (used, check, *cost.caveats)))


def unit_cost_object(cost: UnitCost) -> dict[str, Any]:
    """Return the cost for programs; figures of what is not measurable are null."""
    document = cost.model_dump(mode="json")
    return {
        "subject": document.pop("subject"),
        "cost": document.pop("kind"),
        "used": used_figure(cost),
        "why_not_used": cost.why_not_used,
        **document,
        **(dict.fromkeys(_FIGURES) if cost.not_measurable else {}),
        "far_from_book": cost.far_from_book,
    }


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

_signed = partial(figure, signed=True)


def move_row(move: ChannelMove) -> dict[str, str]:
    """Return a channel by heading; savings are those of the favoured transport."""
    traffic = move.traffic
    today = next(
        candidate for candidate in move.candidates if candidate.transport is move.compared_with
    ).figures
    favoured = move.favoured.figures if move.favoured else None
    best = move.most_saving
    return {
        "favoured": str(move.move_to or ABSENT),
        "pair": traffic.pair,
        "channel": traffic.channel,
        "messages/s": figure(traffic.messages_per_s),
        "busiest/s": figure(traffic.busiest_per_s),
        "bytes/message": figure(round(traffic.bytes_per_message)),
        "MiB/s": figure(move.mib_per_s),
        "persistent": f"{figure(traffic.persistent_pct)} %",
        "transport now": str(move.now or "not known"),
        "CPU us/message now": figure(today.cpu_us_per_message if today else None),
        "saves CPU s/day": _signed(favoured.saved_cpu_s_per_day if favoured else None),
        "% of an engine": _signed(favoured.saved_engine_pct if favoured else None),
        "most CPU saved by": f"{best.transport} {_signed(best.figures.saved_cpu_s_per_day)}"
        if best and best.figures
        else ABSENT,
        "note": "; ".join(_move_notes(move)),
    }


def candidate_rows(moves: Sequence[ChannelMove]) -> list[dict[str, str]]:
    """Return each transport of each channel by heading, in the given order."""
    return [_candidate_row(move, candidate) for move in moves for candidate in move.candidates]


def move_listing(moves: Sequence[ChannelMove], title: str) -> Listing:
    """Return the channels as a table, ranked."""
    return listing_of(list(map(move_row, moves)), title, "" if moves else NO_CHANNELS, 2)


def candidate_listing(moves: Sequence[ChannelMove]) -> Listing:
    """Return the transports of all channels as a table; below it what is missing and the basis."""
    caption = "\n".join([*missing_lines(moves), *BASIS])
    return listing_of(candidate_rows(moves), "Candidates", caption, 3, {"allowed": "green"})


def missing_lines(moves: Sequence[ChannelMove]) -> list[str]:
    """Return a sentence for each sysplex with the keys of the settings that would decide."""
    keys: dict[str, set[str]] = {}
    for move in moves:
        keys.setdefault(move.traffic.sysplex, set()).update(move.missing_keys)
    return [
        f"To be set in the estate of {sysplex}: {'; '.join(sorted(missing))}."
        for sysplex, missing in sorted(keys.items())
        if missing
    ]


def move_object(move: ChannelMove) -> dict[str, Any]:
    """Return a channel for programs; rates and shares beside the counts of the records."""
    document = move.model_dump(mode="json")
    for name in ("messages_per_s", "bytes_per_message", "persistent_pct"):
        document["traffic"][name] = getattr(move.traffic, name)
    return {**document, "missing_keys": list(move.missing_keys)}


def _move_notes(move: ChannelMove) -> list[str]:
    notes = list(move.figures_refused)
    if move.now is None and not notes:
        notes.append(f"compared with {move.compared_with}")
    figures = move.favoured.figures if move.favoured else None
    if figures and figures.saved_cpu_s_per_day < 0:
        notes.append(f"{move.move_to} is favoured for its throughput and costs more CPU")
    if move.traffic.measured_by != move.traffic.sender:
        notes.append(f"measured at the receiving end, {move.traffic.measured_by}")
    return notes


def _candidate_row(move: ChannelMove, candidate: TransportCandidate) -> dict[str, str]:
    figures, effect, reason = candidate.figures, candidate.facility, candidate.reason
    is_allowed = candidate.state is CandidateState.allowed
    moved = figures if is_allowed else None
    if is_allowed and figures is None:
        reason = "; ".join(move.figures_refused)
    if candidate.missing_keys:
        reason += f": set {', '.join(candidate.missing_keys)}"
    facility = ABSENT
    if effect is not None:
        before, after, limit = map(figure, (effect.busy_pct, effect.after_pct, effect.limit_pct))
        facility = f"{effect.facility} {before} to {after} %, limit {limit} %"
    return {
        "state": str(candidate.state),
        "pair": move.traffic.pair,
        "channel": move.traffic.channel,
        "transport": str(candidate.transport),
        "CPU us/message": figure(figures.cpu_us_per_message if figures else None),
        "CF us/message": figure(figures.cf_us_per_message if figures else None),
        "saves CPU s/day": _signed(moved.saved_cpu_s_per_day if moved else None),
        "% of an engine": _signed(moved.saved_engine_pct if moved else None),
        "CF s/day more": _signed(moved.added_cf_s_per_day if moved else None),
        "CF busy": facility,
        "reason": reason,
    }
