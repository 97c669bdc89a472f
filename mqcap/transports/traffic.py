"""What each channel between queue managers of a sysplex moves: channel accounting (116.10)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

import pyarrow.compute as pc

from mqcap.domain.estate import Estate
from mqcap.domain.estate.configured import SystemFacts
from mqcap.lake.readers import as_utc
from mqcap.transports.channel_move import (
    CandidateState,
    ChannelTraffic,
    Transport,
    TransportCandidate,
)
from mqcap.unit_costs.learning_data import LearningData

CHANNELS: Final = "section_qcst"
CHINIT: Final = "section_qcct"
SENDING: Final = frozenset({1, 2, 9})
"""Channel types that send: sender, server, cluster sender (QCSTCHTY)."""
RECEIVING: Final = frozenset({3, 4, 8})
"""Channel types that receive: receiver, requester, cluster receiver."""
_AT: Final = "interval_end_utc"
_MEMBER: Final = ("record_hash", "section_index", "qsg", "interval_start_utc")
_COLUMNS: Final = (
    *_MEMBER,
    "qcstchnm",
    "qcstchty",
    "qcstrqmn",
    "qcstnmsg",
    "qcstnpmg",
    "qcstnbyt",
    "qcstslcs",
)
Name = tuple[str, str]
"""Sysplex and queue manager."""
Pair = tuple[str, str, str, str]
"""Sysplex, sender, receiver and channel."""


class Member(NamedTuple):
    """What the records of a queue manager tell about it."""

    system: str
    """SMF id of the newest."""
    qsg: str
    """Its queue sharing group; empty: none."""
    accounting_seconds: float


def members(data: LearningData, days: int) -> dict[Name, Member]:
    """Return the queue managers with records of their channel initiator, by sysplex and name."""
    found: dict[Name, tuple[datetime, str, str]] = {}
    covered: dict[Name, set[tuple[datetime, datetime]]] = defaultdict(set)
    for dataset in (CHINIT, CHANNELS):
        table = data.table(dataset, _MEMBER, _AT, pc.field("section_index") == 0, days)
        for row in data.placed(table) if table is not None else ():
            name = (row["sysplex"], row["qmgr"])
            start, end = as_utc(row["interval_start_utc"]), as_utc(row[_AT])
            if name not in found or end >= found[name][0]:
                found[name] = (end, row["smfid"], row["qsg"] or "")
            if dataset == CHANNELS and end > start:
                covered[name].add((start, end))
    return {
        name: Member(system, qsg, _seconds(covered[name]))
        for name, (_, system, qsg) in found.items()
    }


def channel_traffic(
    data: LearningData, days: int, known: Mapping[Name, Member]
) -> list[ChannelTraffic]:
    """Return channels with messages within a sysplex, by the sending end where it has records."""
    names = {name for _, name in known}
    names |= {qmgr.name for plex in data.estate.sysplexes for qmgr in plex.qmgrs}
    wanted = pc.field("qcstchty").isin(sorted(SENDING | RECEIVING)) & pc.field("qcstrqmn").isin(
        sorted(names)
    )
    table = data.table(CHANNELS, _COLUMNS, _AT, wanted, days)
    ends: dict[Pair, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in data.placed(table) if table is not None else ():
        sysplex, own, other = row["sysplex"], row["qmgr"], row["qcstrqmn"]
        if as_utc(row[_AT]) <= as_utc(row["interval_start_utc"]):
            continue
        end = (sysplex, other)
        if own == other or (end not in known and data.estate.queue_manager(*end) is None):
            continue
        pair = (own, other) if row["qcstchty"] in SENDING else (other, own)
        ends[sysplex, *pair, row["qcstchnm"]][own].append(row)
    traffic = (_traffic(pair, rows, known) for pair, rows in sorted(ends.items()))
    return [channel for channel in traffic if channel is not None]


def _traffic(
    pair: Pair, ends: Mapping[str, list[dict[str, Any]]], known: Mapping[Name, Member]
) -> ChannelTraffic | None:
    """Return the sums of one end; ``None`` without messages or without intervals."""
    sysplex, sender, receiver, channel = pair
    measured_by = sender if sender in ends else receiver
    rows = ends[measured_by]
    member = known.get((sysplex, measured_by))
    messages = _sum(rows, "qcstnmsg")
    if member is None or not member.accounting_seconds or not messages:
        return None
    sums: dict[tuple[datetime, datetime], int] = defaultdict(int)
    for row in rows:
        sums[as_utc(row["interval_start_utc"]), as_utc(row[_AT])] += row["qcstnmsg"] or 0
    rates = {key[0]: count / _seconds([key]) for key, count in sums.items()}
    start, rate = max(rates.items(), key=lambda item: item[1])  # over all instances
    systems = (known.get((sysplex, name)) for name in (sender, receiver))
    sender_system, receiver_system = (system.system if system else None for system in systems)
    return ChannelTraffic(
        sysplex=sysplex,
        sender=sender,
        receiver=receiver,
        channel=channel,
        measured_by=measured_by,
        sender_system=sender_system,
        receiver_system=receiver_system,
        messages=messages,
        persistent_messages=_sum(rows, "qcstnpmg"),
        message_bytes=_sum(rows, "qcstnbyt"),
        measured_seconds=member.accounting_seconds,
        busiest_per_s=rate,
        busiest_start_utc=start,
        uses_tls=any(row["qcstslcs"] for row in rows),
    )


def _seconds(intervals: Iterable[tuple[datetime, datetime]]) -> float:
    return sum((end - start).total_seconds() for start, end in intervals)


def _sum(rows: Iterable[Mapping[str, Any]], column: str) -> int:
    return sum(row[column] or 0 for row in rows)


class End(NamedTuple):
    """A queue manager at one end of a channel, with its system and group."""

    name: str
    system: SystemFacts | None
    """``None``: no record tells the system on which it runs."""
    qsg: str | None
    """Empty: in no group; ``None``: neither the estate nor a record tells."""


def end_of(name: str, traffic: ChannelTraffic, estate: Estate, known: Mapping[Name, Member]) -> End:
    """Return one end of a channel; a group of the estate counts before that of records."""
    configured = estate.queue_manager(traffic.sysplex, name)
    member = known.get((traffic.sysplex, name))
    group = (configured.qsg if configured else None) or (member.qsg if member else None)
    if group is None and configured is not None:
        group = ""
    system = None
    if member is not None:  # without facts where the estate has no entry
        systems = {
            system.smfid: system for system in reversed(estate.plex(traffic.sysplex).systems)
        }
        system = systems.get(member.system, SystemFacts(smfid=member.system))
    return End(name, system, group)


def transport_now(sender: End, receiver: End) -> tuple[Transport | None, tuple[str, ...]]:
    """Return today's transport, ``None``: not known, and deciding keys; of both SMC-D (ours)."""
    here, there = sender.system, receiver.system
    if here is None or there is None or here.smfid == there.smfid:
        return None, ()
    systems = (here, there)
    active = [set(system.smc) for system in systems if system.smc is not None]
    if any(not route for route in active):
        return Transport.tcp_ip, ()
    if len(active) < len(systems):
        return None, _missing(systems, "smc")
    both = active[0] & active[1]
    if "SMC-D" in both:
        if missing := _missing(systems, "cpc"):
            return None, missing
        if here.cpc == there.cpc:
            return Transport.smc_d, ()
    return (Transport.smc_r if "SMC-R" in both else Transport.tcp_ip), ()


_Verdict = tuple[str, tuple[str, ...] | None]
"""Why not, empty where it is allowed; and the keys that would decide, ``None`` where they do."""
_ALLOWED: Final[_Verdict] = ("", None)


def allowed(transport: Transport, sender: End, receiver: End) -> TransportCandidate:
    """Return whether systems and groups allow a transport, with the reason where they do not."""
    reason, missing = _ALLOWED
    if transport in {Transport.igq, Transport.shared_queue}:
        reason, missing = _by_group((sender, receiver))
    elif transport in {Transport.smc_d, Transport.smc_r}:
        reason, missing = _by_system(transport, (sender, receiver))
    state = CandidateState.refused if reason else CandidateState.allowed
    return TransportCandidate(
        transport=transport,
        state=state if missing is None else CandidateState.not_known,
        reason=reason,
        missing_keys=missing or (),
    )


def _by_group(ends: tuple[End, End]) -> _Verdict:
    if outside := [end.name for end in ends if end.qsg == ""]:
        return f"{' and '.join(outside)}: in no queue sharing group", None
    if missing := tuple(f"qmgrs: {end.name}: qsg" for end in ends if end.qsg is None):
        return "the queue sharing group is not known", missing
    if len({end.qsg for end in ends}) == 1:
        return _ALLOWED
    return f"{' and '.join(f'{end.name} is in {end.qsg}' for end in ends)}: not one group", None


def _by_system(transport: Transport, ends: tuple[End, End]) -> _Verdict:
    here, there = (end.system for end in ends)
    if here is None or there is None:
        unseen = next(end.name for end in ends if end.system is None)
        return f"no record of {unseen} tells its system", ()
    if here.smfid == there.smfid:
        return f"both run on {here.smfid}: nothing goes over a network", None
    systems = (here, there)
    if transport is Transport.smc_r:
        if without := [system.smfid for system in systems if system.has_roce is False]:
            return f"{' and '.join(without)}: no RoCE adapters", None
        missing = _missing(systems, "roce", "has_roce")
        return ("whether a system has RoCE adapters is not known", missing) if missing else _ALLOWED
    if missing := _missing(systems, "cpc"):
        return "the machine of a system is not known", missing
    different = f"{here.smfid} is on {here.cpc}, {there.smfid} on {there.cpc}: not one machine"
    return _ALLOWED if here.cpc == there.cpc else (different, None)


def _missing(systems: Iterable[SystemFacts], key: str, fact: str = "") -> tuple[str, ...]:
    """Return the keys of the settings that would tell a fact, which mostly has their name."""
    return tuple(
        f"systems: {system.smfid}: {key}"
        for system in systems
        if getattr(system, fact or key) is None
    )
