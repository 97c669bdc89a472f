"""What the estate and the records allow between two queue managers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mqcap.domain.estate import Estate
from mqcap.domain.estate.systems import SystemFacts
from mqcap.transports.channel_move import (
    CandidateState,
    ChannelTraffic,
    Transport,
    TransportCandidate,
)
from mqcap.transports.traffic import Member, Name


@dataclass(frozen=True)
class End:
    """A queue manager at one end of a channel, with its system and group."""

    name: str
    system: SystemFacts | None
    """``None``: no record tells the system on which it runs."""
    qsg: str | None
    """Empty: in no group; ``None``: neither the estate nor a record tells."""

    @property
    def group_key(self) -> str:
        """Key of the settings for its group."""
        return f"qmgrs: {self.name}: qsg"


def end_of(name: str, traffic: ChannelTraffic, estate: Estate, known: Mapping[Name, Member]) -> End:
    """Return one end of a channel; a group of the estate counts before that of records."""
    configured = estate.queue_manager(traffic.sysplex, name)
    member = known.get((traffic.sysplex, name))
    group = (configured.qsg if configured else None) or (member.qsg if member else None)
    if group is None and configured is not None:
        group = ""
    return End(name, _system(traffic.sysplex, member.system, estate) if member else None, group)


def transport_now(sender: End, receiver: End) -> tuple[Transport | None, tuple[str, ...]]:
    """Return the transport of today and the keys that would tell it; ``None``: not known.

    116.10 has the channel, not whether TCP/IP moves its data by SMC. Where both is active, SMC-D
    is taken within a machine (ours).
    """
    systems = (sender.system, receiver.system)
    if systems[0] is None or systems[1] is None or systems[0].smfid == systems[1].smfid:
        return None, ()
    active = [set(each.smc) for each in systems if each is not None and each.smc is not None]
    if any(not each for each in active):
        return Transport.tcp_ip, ()
    if len(active) < len(systems):
        return None, _missing(systems, "smc")
    both = active[0] & active[1]
    if "SMC-D" in both:
        if None in {systems[0].cpc, systems[1].cpc}:
            return None, _missing(systems, "cpc")
        if systems[0].cpc == systems[1].cpc:
            return Transport.smc_d, ()
    return (Transport.smc_r if "SMC-R" in both else Transport.tcp_ip), ()


def allowed(transport: Transport, sender: End, receiver: End) -> TransportCandidate:
    """Return whether systems and groups allow a transport, with the reason where they do not."""
    if transport in {Transport.igq, Transport.shared_queue}:
        return _by_group(transport, sender, receiver)
    if transport in {Transport.smc_d, Transport.smc_r}:
        return _by_system(transport, sender, receiver)
    return TransportCandidate(transport=transport, state=CandidateState.allowed)


def _by_group(transport: Transport, sender: End, receiver: End) -> TransportCandidate:
    ends = (sender, receiver)
    outside = [each.name for each in ends if each.qsg == ""]
    if outside:
        return _refused(transport, f"{' and '.join(outside)}: in no queue sharing group")
    missing = tuple(each.group_key for each in ends if each.qsg is None)
    if missing:
        return _not_known(transport, "the queue sharing group is not known", missing)
    if sender.qsg != receiver.qsg:
        groups = " and ".join(f"{each.name} is in {each.qsg}" for each in ends)
        return _refused(transport, f"{groups}: not one group")
    return TransportCandidate(transport=transport, state=CandidateState.allowed)


def _by_system(transport: Transport, sender: End, receiver: End) -> TransportCandidate:
    here, there = sender.system, receiver.system
    if here is None or there is None:
        unseen = sender.name if here is None else receiver.name
        return _not_known(transport, f"no record of {unseen} tells its system", ())
    if here.smfid == there.smfid:
        return _refused(transport, f"both run on {here.smfid}: nothing goes over a network")
    return _within_machine(here, there) if transport is Transport.smc_d else _by_roce(here, there)


def _within_machine(here: SystemFacts, there: SystemFacts) -> TransportCandidate:
    missing = _missing((here, there), "cpc")
    if missing:
        return _not_known(Transport.smc_d, "the machine of a system is not known", missing)
    if here.cpc != there.cpc:
        reason = f"{here.smfid} is on {here.cpc}, {there.smfid} on {there.cpc}: not one machine"
        return _refused(Transport.smc_d, reason)
    return TransportCandidate(transport=Transport.smc_d, state=CandidateState.allowed)


def _by_roce(here: SystemFacts, there: SystemFacts) -> TransportCandidate:
    without = [each.smfid for each in (here, there) if each.has_roce is False]
    if without:
        return _refused(Transport.smc_r, f"{' and '.join(without)}: no RoCE adapters")
    missing = tuple(_key(each, "roce") for each in (here, there) if each.has_roce is None)
    if missing:
        reason = "whether a system has RoCE adapters is not known"
        return _not_known(Transport.smc_r, reason, missing)
    return TransportCandidate(transport=Transport.smc_r, state=CandidateState.allowed)


def _refused(transport: Transport, reason: str) -> TransportCandidate:
    return TransportCandidate(transport=transport, state=CandidateState.refused, reason=reason)


def _not_known(transport: Transport, reason: str, keys: tuple[str, ...]) -> TransportCandidate:
    state = CandidateState.not_known
    return TransportCandidate(transport=transport, state=state, reason=reason, missing_keys=keys)


def _missing(systems: tuple[SystemFacts | None, ...], fact: str) -> tuple[str, ...]:
    return tuple(_key(each, fact) for each in systems if each and getattr(each, fact) is None)


def _key(system: SystemFacts, fact: str) -> str:
    return f"systems: {system.smfid}: {fact}"


def _system(sysplex: str, smfid: str, estate: Estate) -> SystemFacts:
    """Return the entry of a system; one without facts where the estate has none."""
    entries = (
        each for plex in estate.sysplexes if plex.sysplex == sysplex for each in plex.systems
    )
    return next((each for each in entries if each.smfid == smfid), SystemFacts(smfid=smfid))
