"""Loss of a coupling facility or of a member of a queue sharing group: what survivors get.

What is lost is no longer evaluated. Its load is added to the survivors. Those of a queue sharing
group share it; of a facility each one that may take it is evaluated as though it took all of it. A
part that has no loss has a reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import QueueManager, Sysplex
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.judging.deferred import part_of
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.losses.carried.members import BY_HOUR, Shares, loads_of_member, shares_of
from mqcap.losses.carried.rebuilding import Arrival, Rebuilding, rebuilding_of, storage_line
from mqcap.losses.carried.taken_load import HourlySum, TakenLoad, with_taken_loads
from mqcap.whatif.effects import DerivedFigure, SeriesEffect, effect, engines_of, known_engines

_BUSY: Final = "cf_busy_pct"
_NOT_IN_ESTATE: Final = (
    "it is not in the estate, so its queue sharing group is not known; add it with its qsg"
)
NO_SHARING: Final = (
    "nothing else takes its work: what is lost in turn are coupling facilities and members of "
    "queue sharing groups"
)


class LossOverlay(NamedTuple):
    """A lost part: who takes its load, and what the day looks like without it."""

    lost: str
    kind: SubjectKind
    facts: DayFacts
    """The day with the load on the survivors, and without the lost part."""
    survivors: tuple[str, ...]
    unlost: DayFacts
    """The day with nothing lost."""
    loads: tuple[TakenLoad, ...]
    """What the survivors take; ``facts`` has it already."""
    computed: tuple[DerivedFigure, ...] = ()
    is_any_enough: bool = False
    """The load goes to any one of the survivors, and each has all of it in ``facts``."""
    assumptions: tuple[str, ...] = ()
    rebuilding: Rebuilding | None = None
    """Where structures go; ``None`` for a queue manager."""

    @property
    def effects(self) -> tuple[SeriesEffect, ...]:
        """Changes of series, with the arithmetic; ``facts`` has them already."""
        return tuple(_effect(self.unlost, load) for load in self.loads)


def loss_of(facts: DayFacts, lost: str, alone: str = "") -> LossOverlay:
    """Return the loss of a coupling facility or queue manager.

    ``alone`` is the member that takes everything, whatever the estate says: the worst case. What
    is not measured, is a part of a site, or shares no queues is a ConfigurationError.
    """
    if facts.observed.days(_BUSY, lost):
        return _loss_of_facility(facts, lost)
    manager = facts.estate.queue_manager(Subject(lost).sysplex, Subject(lost).in_sysplex)
    if manager is None:
        expected = ", ".join(can_be_lost(facts)) or "nothing: no facility and no member is known"
        if lost in parts_of_sites(facts):
            raise ConfigurationError(f"{lost} cannot be lost: {NO_SHARING}", expected=expected)
        raise ConfigurationError(
            "nothing of this name can be lost: no coupling facility that is measured and no queue "
            "manager of the estate has it",
            found=lost,
            expected=expected,
        )
    return _loss_of_member(facts, lost, manager, alone)


def can_be_lost(facts: DayFacts) -> list[str]:
    """Return the coupling facilities of known engines, and the members of groups."""
    facilities = facts.observed.subjects(SubjectKind.coupling_facility)
    parts = sorted(
        facility
        for facility in facilities
        if facts.observed.days(_BUSY, facility) and known_engines(facts, facility) is not None
    )
    parts += [
        Subject.of(plex.sysplex, manager.name)
        for plex in facts.estate.sysplexes
        for manager in plex.qmgrs
        if manager.qsg
    ]
    return parts


def _loss_of_facility(facts: DayFacts, lost: str) -> LossOverlay:
    rebuilding = rebuilding_of(facts, lost)
    loads = [
        _busy(facts, lost, arrival) for arrival in rebuilding.arrivals if arrival.load_ratio > 0
    ]
    return LossOverlay(
        lost,
        SubjectKind.coupling_facility,
        _without(with_taken_loads(facts, loads), lost),
        tuple(arrival.survivor for arrival in rebuilding.arrivals),
        facts,
        tuple(loads),
        tuple(_storage(rebuilding)),
        rebuilding.is_any_enough,
        rebuilding.assumptions,
        rebuilding,
    )


def _busy(facts: DayFacts, lost: str, arrival: Arrival) -> TakenLoad:
    own, other = engines_of(facts, arrival.survivor), engines_of(facts, lost)
    peak = facts.observed.highest(_BUSY, lost, Statistic.peak)
    factor = other * arrival.load_ratio / own
    share = "" if arrival.load_ratio == 1 else f" x {figure(arrival.load_ratio)} of its load"
    line = (
        f"+ {figure(peak)} % x {figure(other)} engines of {lost}{share} / {figure(own)} engines = "
        f"+ {figure(peak * factor)} points at its peak"
    )
    return TakenLoad((_BUSY, arrival.survivor), (_BUSY, lost), factor, (line,))


def _storage(rebuilding: Rebuilding) -> Iterator[DerivedFigure]:
    name = Subject(rebuilding.lost).name
    for arrival in rebuilding.arrivals:
        if arrival.needed_mib is None or arrival.free_mib is None:
            continue
        words = "they fit" if arrival.fits else "they do not fit"
        yield DerivedFigure(
            arrival.survivor,
            f"free storage with the structures of {name}",
            "MiB",
            arrival.free_mib,
            arrival.free_mib - arrival.needed_mib,
            (f"{storage_line(arrival)}: {words}",),
        )


def _loss_of_member(facts: DayFacts, lost: str, manager: QueueManager, alone: str) -> LossOverlay:
    if manager.qsg is None:
        raise ConfigurationError(
            f"{lost} is in no queue sharing group, so no other queue manager takes its work",
            expected="a member of a group, or a coupling facility",
            remedy="Set qsg of the queue manager in the estate.",
        )
    sysplex = Subject(lost).sysplex
    others: dict[str, QueueManager] = {
        Subject.of(sysplex, other.name): other
        for other in facts.estate.plex(sysplex).qmgrs
        if other.qsg == manager.qsg and other.name != manager.name
    }
    named = {
        name: member for name, member in others.items() if manager.name in member.stands_in_for
    }
    is_test = manager.system_class is SystemClass.test
    used = {
        name: member
        for name, member in others.items()
        if is_test or member.system_class is not SystemClass.test
    }
    members = named or used or others  # none of test for production, unless there is no other
    shares = Shares({alone: 1.0}, "") if alone else shares_of(facts, lost, members)
    survivors = tuple(shares.ratios)
    loads = [
        load
        for share, ratio in shares.ratios.items()
        for load in loads_of_member(facts, lost, share, ratio)
    ]
    return LossOverlay(
        lost,
        SubjectKind.queue_manager,
        _without(with_taken_loads(facts, loads), lost),
        survivors,
        facts,
        tuple(loads),
        assumptions=tuple(_assumptions(facts, lost, survivors, shares.how)),
    )


def _assumptions(facts: DayFacts, lost: str, survivors: tuple[str, ...], how: str) -> Iterator[str]:
    if how:
        yield f"The survivors share the work of {lost}: {how}."
    unknown = [
        survivor
        for survivor in (lost, *survivors)
        if not facts.observed.hours.get((BY_HOUR, survivor))
        and facts.observed.days(BY_HOUR, survivor)
    ]
    if unknown:
        yield (
            f"The lake has no hours of the log write rate of {' '.join(unknown)}: the logs of the "
            "survivors are evaluated with their own load alone, because peaks are never added "
            "that were not measured together."
        )
    yield (
        "All of its persistent work, its channels and its private queues move; log write rates "
        "are added hour by hour, everything else at its highest (first estimate, ours)."
    )


def _effect(facts: DayFacts, load: TakenLoad) -> SeriesEffect:
    metric, subject = load.series
    if not load.by_hour:
        more = load.factor * facts.observed.highest(*load.source, Statistic.peak)
        return effect(metric, subject, *load.lines, addition=more)
    peaks = [facts.observed.highest(*name, Statistic.peak) for name in (load.series, load.source)]
    most = max(rate.peak for rate in HourlySum(facts, load).hours.by_hour.values())
    line = (
        f"each hour of {load.source[1]} added to the same hour: at most {figure(most)} MiB/s, "
        f"where the peaks of {figure(peaks[0])} and {figure(peaks[1])} MiB/s need not be of one "
        "hour"
    )
    return effect(metric, subject, line)


def _without(facts: DayFacts, lost: str) -> DayFacts:
    sysplex, name = Subject(lost).sysplex, Subject(lost).in_sysplex

    def left(plex: Sysplex) -> Sysplex:
        cfs = (
            facility.model_copy(update={"takes_over": None})
            if facility.takes_over == name
            else facility
            for facility in plex.cfs
            if facility.name != name
        )
        qmgrs = (manager for manager in plex.qmgrs if manager.name != name)
        return plex.model_copy(update={"qmgrs": tuple(qmgrs), "cfs": tuple(cfs)})

    plexes = (left(plex) if plex.sysplex == sysplex else plex for plex in facts.estate.sysplexes)
    kept = (
        key for key in facts.forecasts if not Subject(split_series_id(key[0])[1]).is_within(lost)
    )
    return facts._replace(
        observed=facts.observed.without(lost),
        forecasts=part_of(facts.forecasts, kept),
        estate=facts.estate.model_copy(update={"sysplexes": tuple(plexes)}),
    )


MARK: Final = "*"
"""Beside results of a survivor that need not carry the loss."""


class Carrying(NamedTuple):
    """A loss whose load any one of several survivors may take."""

    lost: str
    states: Mapping[str, str]
    """What each survivor carries in words, by survivor, the best survivor first."""

    @property
    def survivor(self) -> str:
        """The survivor that carries it best."""
        return next(iter(self.states))

    @property
    def others(self) -> tuple[str, ...]:
        """The other survivors."""
        return tuple(self.states)[1:]


def carried_text(carrying: Carrying) -> str:
    """Return who carries a loss best, and how the other survivors would be."""
    states = (f"{survivor}: {state}" for survivor, state in carrying.states.items())
    return (
        f"{carrying.survivor} carries the loss of {carrying.lost} best (any one survivor is "
        f"enough). {'. '.join(states)}. Results of the others are marked {MARK}."
    )


def marked(subject: str, every: Iterable[Carrying]) -> str:
    """Return a subject with ``MARK`` where it is of a survivor that need not carry a loss."""
    others = (other for carrying in every for other in carrying.others)
    is_other = any(map(Subject(subject).is_within, others))
    return f"{subject} {MARK}" if is_other else subject


def reasons_without_loss(facts: DayFacts, part_of_path: str) -> list[str]:
    """Return why nothing is evaluated for the parts with such a path that have no loss.

    Parts of sites share a sentence. Empty where no facility, queue manager,
    site or part of a site, in the estate or measured, has such a path.
    """
    own = {**dict(_facilities(facts)), **dict(_members(facts))}
    wanted = part_of_path.casefold()
    found = [
        f"{name}: {reason}" for name, reason in sorted(own.items()) if wanted in name.casefold()
    ]
    of_sites = [part for part in sorted(parts_of_sites(facts)) if wanted in part.casefold()]
    return [*found, *([f"{', '.join(of_sites)}: {NO_SHARING}"] if of_sites else [])]


def parts_without_loss(facts: DayFacts) -> list[str]:
    """Return the facilities, queue managers and parts of sites about which there is a reason."""
    return sorted({*dict(_facilities(facts)), *dict(_members(facts)), *parts_of_sites(facts)})


def _facilities(facts: DayFacts) -> Iterator[tuple[str, str]]:
    configured = {
        Subject.of(plex.sysplex, facility.name)
        for plex in facts.estate.sysplexes
        for facility in plex.cfs
    }
    for subject in sorted(configured | facts.observed.subjects(SubjectKind.coupling_facility)):
        if not facts.observed.days(_BUSY, subject):
            yield subject, "no busy time of it was measured (SMF 74.4)"
        elif known_engines(facts, subject) is None:
            yield (
                subject,
                "the number of its engines is not known; set engines of the facility in the estate",
            )
        elif not has_mq_structure(facts.observed, facts.estate, subject):
            yield subject, "no structure of MQ is in it, so no work of MQ is lost with it"


def _members(facts: DayFacts) -> Iterator[tuple[str, str]]:
    known: set[str] = set()
    for plex in facts.estate.sysplexes:
        for manager in plex.qmgrs:
            subject: str = Subject.of(plex.sysplex, manager.name)
            known.add(subject)
            reason = _of_member(manager, plex.qmgrs)
            if reason:
                yield subject, reason
    for subject in sorted(facts.observed.subjects(SubjectKind.queue_manager) - known):
        yield subject, _NOT_IN_ESTATE


def _of_member(manager: QueueManager, every: tuple[QueueManager, ...]) -> str:
    if manager.qsg is None:
        return (
            "it is in no queue sharing group, so no other queue manager takes its work; set qsg "
            "in the estate if it is in one"
        )
    if manager.system_class is SystemClass.test and any(
        other.qsg == manager.qsg and other.system_class is not SystemClass.test for other in every
    ):
        return "it is a test system, whose work no member of production takes"
    if not any(other.qsg == manager.qsg and other.name != manager.name for other in every):
        return f"it is the only member of {manager.qsg} in the estate, so none takes its work"
    return ""


_OF_SITES: Final = (
    SubjectKind.distributed_queue_manager,
    SubjectKind.ztpf_system,
    SubjectKind.mq_host,
    SubjectKind.linux_host,
)


def parts_of_sites(facts: DayFacts) -> set[str]:
    """Return each site and each of its parts, z/TPF systems and hosts of a sysplex too."""
    found = {subject for kind in _OF_SITES for subject in facts.observed.subjects(kind)}
    for place in facts.estate.places:
        found.add(place.site)
        names = [*(qmgr.name for qmgr in place.qmgrs), *(host.name for host in place.hosts)]
        found |= {subject_of(place.site, name) for name in names}
    return found | {
        subject_of(part.root, system.name) for part in facts.estate.parts for system in part.ztpf
    }
