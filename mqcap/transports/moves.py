"""The ranked list of channels that could move to another transport."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from mqcap.domain.metric import series_id
from mqcap.domain.numbers import counted, figure
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES, SECONDS_PER_DAY, US_PER_S
from mqcap.settings.analysis import TransportSettings
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series
from mqcap.transports.channel_move import (
    CandidateState,
    ChannelMove,
    ChannelTraffic,
    FacilityEffect,
    MoveFigures,
    Transport,
    TransportCandidate,
)
from mqcap.transports.traffic import (
    Member,
    Name,
    allowed,
    channel_traffic,
    end_of,
    members,
    transport_now,
)
from mqcap.unit_costs.learning_data import LearningData
from sizing.cf_limits import busy_max_pct
from sizing.rulebook.registry import get

CF_CHECK: Final = "SYS-CF-CHECK"


class Facility(NamedTuple):
    """A coupling facility with measured load."""

    name: str
    busy_pct: float
    """Highest of the days that rules look at (``rules.peak_days``), with the moves counted."""
    engines: int
    counted_moves: int = 0
    """Channels whose move to it is counted in its load."""

    def with_move(self, effect: FacilityEffect) -> Facility:
        """Return it after a move; one to another facility changes nothing."""
        if effect.facility != self.name:
            return self
        return self._replace(busy_pct=effect.after_pct, counted_moves=self.counted_moves + 1)


def facilities(data: LearningData, sysplex: str) -> list[Facility]:
    """Return the facilities of a sysplex of which load and engines are known, by name."""
    first = data.day - timedelta(days=data.settings.rules.peak_days - 1)
    found = []
    for subject in sorted(series.subject for series in read_series(data.engine, "cf_busy_pct")):
        if subject.sysplex != sysplex:
            continue
        busy, engines = (
            read_observations(data.engine, series_id(metric, subject), first, data.day)
            for metric in ("cf_busy_pct", "cf_engine_count")
        )
        configured = data.estate.coupling_facility(sysplex, subject.owner_name)
        count = configured.engines if configured else None
        if count is None and engines:
            count = round(engines[-1].peak)
        if busy and count:
            highest = max(float(day.peak) for day in busy)
            found.append(Facility(subject.owner_name, highest, count))
    return found


def most_room(
    known: Iterable[Facility], transport: Transport, transactions_per_s: float
) -> FacilityEffect | None:
    """Return the facility (the site chooses it) farthest below its limit after a move, if any."""
    effects = []
    for facility in known:
        checked = get(CF_CHECK).answer(
            {
                "busy_pct": facility.busy_pct,
                "engines": facility.engines,
                "transactions_per_s": transactions_per_s,
                "us_per_transaction": us_per_message(transport)[1] * MESSAGES_PER_TRANSACTION,
            }
        )
        effect = FacilityEffect(
            facility=facility.name,
            busy_pct=facility.busy_pct,
            counted_moves=facility.counted_moves,
            after_pct=checked["observed"],
            limit_pct=busy_max_pct(facility.engines),
            breach=checked["breach"],
        )
        effects.append(effect)
    return min(effects, key=lambda effect: effect.after_pct / effect.limit_pct, default=None)


def overload_text(effect: FacilityEffect) -> str:
    """Return why a facility cannot take the queues."""
    together = ""
    if effect.counted_moves:
        together = f" with {counted(effect.counted_moves, 'channel')} further up moved too"
    return (
        f"{effect.facility}, which has most room, would be {figure(effect.after_pct)} % busy in "
        f"the busiest interval{together}; the limit is {figure(effect.limit_pct)} % ({CF_CHECK})"
    )


OFFLOADED_BYTES: Final = 63 * KIB_BYTES
"""Messages above are stored on shared message data sets, not in the coupling facility."""
_SMALL: Final = (Transport.shared_queue, Transport.smc_d, Transport.smc_r, Transport.igq)
_LARGE: Final = (Transport.smc_d, Transport.smc_r)


def channel_moves(data: LearningData, subject: str = "") -> list[ChannelMove]:
    """Return the channels of a sysplex, a queue manager, or all (empty), ranked, with candidates.

    By CPU to save, then by messages a second, last without SYS-COST. Moves to queues in a facility
    are judged with the favoured ones of channels of the sysplex that are ranked before.
    """
    days = data.settings.transports.days
    known = members(data, days)
    name = Subject(subject).sysplex
    traffic = [channel for channel in channel_traffic(data, days, known) if _is_of(channel, name)]
    room = {
        name: facilities(data, name) for name in sorted({channel.sysplex for channel in traffic})
    }
    alone = sorted(
        (_move(data, channel, known, room[channel.sysplex]) for channel in traffic), key=_rank
    )
    together = []
    for first in alone:
        sysplex = first.traffic.sysplex
        move = _move(data, first.traffic, known, room[sysplex])
        if move.favoured and (effect := move.favoured.facility):
            room[sysplex] = [facility.with_move(effect) for facility in room[sysplex]]
        together.append(move)
    return sorted((move for move in together if _is_of(move.traffic, subject)), key=_rank)


def _is_of(traffic: ChannelTraffic, subject: str) -> bool:
    sysplex, name = Subject(subject).sysplex, Subject(subject).in_sysplex
    return sysplex in {"", traffic.sysplex} and name in {"", traffic.sender, traffic.receiver}


def _move(
    data: LearningData,
    traffic: ChannelTraffic,
    known: Mapping[Name, Member],
    room: Sequence[Facility],
) -> ChannelMove:
    sender, receiver = (
        end_of(name, traffic, data.estate, known) for name in (traffic.sender, traffic.receiver)
    )
    now, missing = transport_now(sender, receiver)
    refused = why_not_applicable(traffic, data.settings.transports)
    compared_with = now or Transport.tcp_ip
    today = TransportCandidate(
        transport=compared_with,
        state=CandidateState.not_known if now is None else CandidateState.now,
        reason="taken as today's; whether SMC is in use is not known" if now is None else "",
        missing_keys=missing,
    )
    states = (
        today if transport is compared_with else allowed(transport, sender, receiver)
        for transport in Transport
    )
    candidates = tuple(
        state if refused else _with_figures(state, traffic, compared_with, room) for state in states
    )
    return ChannelMove(
        traffic=traffic,
        mib_per_s=mib_per_s(traffic),
        now=now,
        compared_with=compared_with,
        figures_refused=refused,
        candidates=candidates,
        move_to=_choice(candidates, traffic, applies=not refused),
    )


def _with_figures(
    candidate: TransportCandidate, traffic: ChannelTraffic, now: Transport, room: Sequence[Facility]
) -> TransportCandidate:
    """Return a candidate with its CPU, and its effect on the coupling facility that it needs."""
    update: dict[str, object] = {}
    state, transport = candidate.state, candidate.transport
    if state is CandidateState.allowed and transport in {Transport.igq, Transport.shared_queue}:
        update["facility"] = effect = most_room(room, transport, transactions_per_s(traffic))
        if effect is not None and effect.breach:
            state = CandidateState.refused
            update |= {"state": state, "reason": overload_text(effect)}
    if state is CandidateState.allowed or transport is now:
        update["figures"] = move_figures(traffic, now, transport)
    return candidate.model_copy(update=update)


def _choice(
    candidates: Sequence[TransportCandidate], traffic: ChannelTraffic, *, applies: bool
) -> Transport | None:
    """Return the transport that SYS-CHOICE favours; ``None`` where it is the one in use.

    It speaks of small messages, those of the table, and of messages that a coupling facility does
    not hold; of persistent ones and of sizes between it says nothing.
    """
    large = traffic.bytes_per_message > OFFLOADED_BYTES and not traffic.persistent_messages
    order = _SMALL if applies else _LARGE if large else ()
    usable = {CandidateState.allowed, CandidateState.now}
    by_name = {candidate.transport: candidate.state for candidate in candidates}
    found = next((name for name in order if by_name[name] in usable), None)
    return None if found is None or by_name[found] is CandidateState.now else found


def _rank(move: ChannelMove) -> tuple[bool, float, float]:
    best = move.most_saving
    saved = best.figures.saved_cpu_s_per_day if best and best.figures else 0.0
    return bool(move.figures_refused), -saved, -move.traffic.messages_per_s


COST: Final = "SYS-COST"
BANDWIDTH: Final = "SYS-BANDWIDTH"
MESSAGES_PER_TRANSACTION: Final = 2
"""A transaction of the table is a request and its reply; half of it for each message is ours."""


def us_per_message(transport: Transport) -> tuple[float, float]:
    """Return CPU us of z/OS and of the coupling facility for one message of 2 KB."""
    total = get(COST).answer({"configuration": transport.value})
    cpu, both = float(total["total_excluding_cf_us"]), float(total["total_including_cf_us"])
    return cpu / MESSAGES_PER_TRANSACTION, (both - cpu) / MESSAGES_PER_TRANSACTION


def transactions_per_s(traffic: ChannelTraffic) -> float:
    """Return request and reply transactions a second of the busiest interval, as SYS-CF-CHECK."""
    return traffic.busiest_per_s / MESSAGES_PER_TRANSACTION


def move_figures(traffic: ChannelTraffic, now: Transport, then: Transport) -> MoveFigures:
    """Return the CPU of a transport against that of today."""
    (cpu_now, cf_now), (cpu, facility) = us_per_message(now), us_per_message(then)
    daily_us = traffic.messages_per_s * SECONDS_PER_DAY
    return MoveFigures(
        cpu_us_per_message=cpu,
        cf_us_per_message=facility,
        saved_cpu_s_per_day=daily_us * (cpu_now - cpu) / US_PER_S,
        saved_engine_pct=100 * traffic.busiest_per_s * (cpu_now - cpu) / US_PER_S,
        added_cf_s_per_day=daily_us * (facility - cf_now) / US_PER_S,
    )


def mib_per_s(traffic: ChannelTraffic) -> float:
    """Return the data rate in the direction of the channel (SYS-BANDWIDTH)."""
    if not traffic.message_bytes:
        return 0.0
    inputs = {
        "transactions_per_s": traffic.messages_per_s,
        "message_kb": traffic.bytes_per_message / KIB_BYTES,
    }
    return float(get(BANDWIDTH).answer(inputs)["mib_per_s"])


def why_not_applicable(traffic: ChannelTraffic, settings: TransportSettings) -> tuple[str, ...]:
    """Return why SYS-COST (2 KB, not persistent, two systems, no TLS) does not apply, if so."""
    reasons = []
    least, largest = settings.least_message_kib, settings.largest_message_kib
    size = traffic.bytes_per_message
    if not least * KIB_BYTES <= size <= largest * KIB_BYTES:
        reasons.append(
            f"{figure(round(size))} bytes a message: {COST} is of 2 KB, used from {figure(least)} "
            f"to {figure(largest)} KiB"
        )
    if traffic.persistent_pct > settings.persistent_pct:
        reasons.append(
            f"{figure(traffic.persistent_pct)} % of the messages are persistent: {COST} is of "
            f"messages that are not; at most {figure(settings.persistent_pct)} %"
        )
    if traffic.uses_tls:
        reasons.append(f"the channel uses TLS: {COST} is without")
    system = traffic.sender_system
    if system is not None and system == traffic.receiver_system:
        reasons.append(f"both queue managers run on {system}: {COST} is of two systems")
    return tuple(reasons)
