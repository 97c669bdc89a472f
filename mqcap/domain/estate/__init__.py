"""The estate: sysplexes, their systems, queue managers and coupling facilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Final, Literal, Self

from pydantic import (
    BaseModel,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from mqcap.domain.distributed.mq_name import escaped, unescaped
from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.estate.calendar import KnownChange, SiteCalendar
from mqcap.domain.estate.configured import (
    ApplicationFacts,
    BufferPoolFacts,
    ChannelFacts,
    LinuxHost,
    LogFacts,
    Name4,
    Name8,
    StructureFacts,
    SystemClass,
    SystemFacts,
    ZoneName,
    ZtpfSystem,
    listed_twice,
)
from mqcap.domain.estate.places import DistributedQueueManager, Place
from mqcap.domain.metric import split_series_id
from mqcap.domain.subject import Subject
from mqcap.domain.units import MqVersion, Positive, Unit

DataSetName = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Z@#$][A-Z0-9@#$-]{0,7}(\.[A-Z@#$][A-Z0-9@#$-]{0,7})*$", max_length=44
    ),
]
"""Qualifiers of up to eight characters, 44 characters in all."""


class PlannedChange(BaseModel, frozen=True, extra="forbid", populate_by_name=True):
    """Values that are configured from ``first_day`` (``from`` in the file) on; unset keys stay."""

    first_day: date = Field(alias="from")
    active_log_size_mib: Annotated[float, Field(gt=0, le=4_096)] | None = None
    active_logs: Annotated[int, Field(ge=2, le=310)] | None = None
    dual_logging: bool | None = None
    archive_minutes: Annotated[float, Field(gt=0)] | None = None
    chinit_31bit_limit_mib: Annotated[float, Field(gt=0)] | None = None
    note: str = ""
    """Why, or under which change number."""

    def values(self) -> dict[str, object]:
        """Return the keys that change, with their new values."""
        return self.model_dump(exclude={"first_day", "note"}, exclude_none=True)


class QueueManager(LogFacts, ChannelFacts, ApplicationFacts):
    """Facts that the site configured and no record carries; ``None``: not configured."""

    name: Name4
    qsg: Name4 | None = None
    stands_in_for: tuple[Name4, ...] = ()
    """Members of the group whose work comes here when they are lost; where no member stands in for
    another, the others share it."""
    qsg_spread: Annotated[float | None, Field(ge=0, le=100)] = None
    """Share of the work of a lost member that comes here, relative to those of the other members;
    ``None`` of all: by the 31-bit storage that their channel initiators have free."""
    mq_version: MqVersion | None = None
    """Version, release and modification, such as 9.4.0; ``None`` leaves it to the records."""
    system_class: SystemClass = Field(default=SystemClass.production, alias="class")
    active_log_size_mib: Annotated[float | None, Field(gt=0, le=4_096), Unit("MiB")] = None
    """Size of one active log data set, one copy."""
    active_logs: Annotated[int, Field(ge=2, le=310)] | None = None
    """Number of active log data sets in one copy."""
    active_log_names: tuple[DataSetName, ...] = ()
    """Data sets of the active logs, those of copy 1 first; empty: not known."""
    dual_logging: bool | None = None
    archive_minutes: Annotated[Positive | None, Unit("min")] = None
    """Time to archive one log data set, tape mount included."""
    chinit_31bit_limit_mib: Annotated[Positive | None, Unit("MiB")] = None
    """Extended private storage of the channel initiator, used when no CSQX004I was read."""
    interval_minutes: Annotated[float | None, Field(gt=0, le=1_440), Unit("min")] = None
    """Statistics interval (STATIME, or that of SMF); ``None``: learned from the days seen."""
    buffer_pools: tuple[BufferPoolFacts, ...] = ()
    planned: tuple[PlannedChange, ...] = ()
    """Known changes to come, such as a bigger log; in force from their day on."""

    def as_of(self, day: date) -> QueueManager:
        """Return it with all planned changes in force on a day."""
        due = sorted(
            (change for change in self.planned if change.first_day <= day),
            key=lambda change: change.first_day,
        )
        update = {key: value for change in due for key, value in change.values().items()}
        return self.model_copy(update=update) if update else self


class Dyndisp(StrEnum):
    """Way in which a coupling facility shares its engines (dynamic dispatching)."""

    off = "off"
    on = "on"
    thin = "thin"


class CouplingFacility(BaseModel, frozen=True, extra="forbid"):
    """Facts that the site configured about a CF; ``None`` leaves them to the records."""

    name: Name8
    engines: Annotated[int, Field(ge=1)] | None = None
    interval_minutes: Annotated[float | None, Field(gt=0, le=1_440), Unit("min")] = None
    """RMF interval; ``None``: learned from the days seen."""
    takes_over: Name8 | None = None
    """The CF whose structures are rebuilt in this one when that one fails."""
    moved_transactions_per_s: Annotated[Positive | None, Unit("count/s")] = None
    """Request and reply transactions that are to move to shared queues or IGQ in this CF."""
    moved_us_per_transaction: Annotated[Positive | None, Unit("us")] = None
    """CF time of each; the published one of shared queues (SYS-COST) when not configured."""
    structures: tuple[StructureFacts, ...] = ()
    storage_mib: Annotated[Positive | None, Unit("MiB")] = None
    """Storage of the facility (TOTAL SPACE), where no record carries it."""
    dedicated_engines: Annotated[int, Field(ge=0)] | None = None
    """Engines that no other partition uses; ``None`` leaves it to the records."""
    dyndisp: Dyndisp | None = None
    """DYNDISP of the facility, where no record carries it (D CF shows it)."""

    @field_validator("dyndisp", mode="before")
    @classmethod
    def _yaml_reads_on_and_off_as_truth(cls, value: object) -> object:
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class Sysplex(BaseModel, frozen=True, extra="forbid"):
    """Sysplex: SMF ids of its members, queue managers, coupling facilities."""

    sysplex: Name8
    timezone: ZoneName = "UTC"
    smfids: tuple[Name4, ...] = ()
    systems: tuple[SystemFacts, ...] = ()
    """Machine and adapters of its systems, by SMF id."""
    qmgrs: tuple[QueueManager, ...] = ()
    cfs: tuple[CouplingFacility, ...] = ()
    holidays: str | None = None
    """Country code whose public holidays the forecast should know, such as ``DK``."""
    calendar: SiteCalendar = SiteCalendar()
    """Business days and busy days of the site, where they are not those of the country."""
    known_changes: tuple[KnownChange, ...] = ()
    """Past changes that caused a level shift: upgrades, applications added or removed."""
    linux: tuple[LinuxHost, ...] = ()
    """Queue managers on Linux that are looked after together with this sysplex."""
    ztpf: tuple[ZtpfSystem, ...] = ()

    @model_validator(mode="after")
    def _systems_are_its_own(self) -> Self:
        listed = [system.smfid for system in self.systems]
        if twice := listed_twice(listed):
            raise ValueError(f"systems with more than one entry: {twice}")
        others = ", ".join(sorted(set(listed) - set(self.smfids)))
        if self.smfids and others:
            raise ValueError(f"systems: {others} in none of smfids: {', '.join(self.smfids)}")
        return self

    @property
    def root(self) -> str:
        """First part of the path of its subjects."""
        return self.sysplex


_NOT_LISTED: Final = Sysplex(sysplex="NONE")


def zone_key(kind: Literal["site", "qmgr", "ztpf"], name: str) -> str:
    """Return the key of what may have the name of a system: a place, or what is in one."""
    return f"{kind} {name}"


class Estate(BaseModel, frozen=True, extra="forbid"):
    """All sysplexes, and all places of distributed queue managers and z/TPF systems."""

    sysplexes: tuple[Sysplex, ...] = ()
    places: tuple[Place, ...] = ()
    site_figures: tuple[DeclaredFigure, ...] = ()
    """Figures that the settings declare beside those that rules know."""

    @model_validator(mode="after")
    def _roots_once(self) -> Self:
        if twice := listed_twice(part.root for part in self.parts):
            raise ValueError(f"sites and sysplexes need names of their own: {twice}")
        return self

    def as_of(self, day: date) -> Estate:
        """Return the estate with all planned changes in force on a day."""
        if all(qmgr.as_of(day) is qmgr for plex in self.sysplexes for qmgr in plex.qmgrs):
            return self
        plexes = tuple(
            plex.model_copy(update={"qmgrs": tuple(qmgr.as_of(day) for qmgr in plex.qmgrs)})
            for plex in self.sysplexes
        )
        return self.model_copy(update={"sysplexes": plexes})

    def changes_after(self, day: date) -> list[date]:
        """Return the days after ``day`` on which a planned change comes into force, ascending."""
        return sorted(
            {
                change.first_day
                for plex in self.sysplexes
                for qmgr in plex.qmgrs
                for change in qmgr.planned
                if change.first_day > day
            }
        )

    @property
    def parts(self) -> tuple[Sysplex | Place, ...]:
        """The sysplexes, then the places."""
        return (*self.sysplexes, *self.places)

    def names(self, subject: str) -> bool | None:
        """Return whether a subject, or what it is a part of, is described; ``None``: nothing is."""
        root, *rest = Subject(subject).names
        part = next((part for part in self.parts if part.root == root), None)
        if part is None or not rest:
            return part is not None or (False if self.parts else None)
        listed = [getattr(part, key, ()) for key in ("qmgrs", "cfs", "linux", "ztpf", "hosts")]
        names = {escaped(entry.name) for entries in listed for entry in entries}
        groups = (getattr(qmgr, "qsg", None) for qmgr in part.qmgrs)
        names |= {*getattr(part, "smfids", ()), *filter(None, groups)}
        return rest[0] in names if names else None

    def zones(self) -> dict[str, str]:
        """Return the time zone of each sysplex and place, by its name."""
        return {part.root: part.timezone for part in self.parts}

    def sites_of_qmgrs(self) -> dict[str, tuple[str, ...]]:
        """Return the places that list each distributed queue manager; one, unless ambiguous."""
        return _roots((qmgr.name, place.site) for place in self.places for qmgr in place.qmgrs)

    def sites_of_ztpf(self) -> dict[str, tuple[str, ...]]:
        """Return the places and sysplexes that list each z/TPF system; one, unless ambiguous."""
        return _roots((system.name, part.root) for part in self.parts for system in part.ztpf)

    def sysplexes_of_smfids(self) -> dict[str, tuple[str, ...]]:
        """Return the sysplexes that list each SMF id; one, unless ambiguous."""
        return _roots((smfid, plex.sysplex) for plex in self.sysplexes for smfid in plex.smfids)

    def sysplex_by_smfid(self) -> dict[str, str]:
        """Return the sysplex of each SMF id that one alone lists, for records without it."""
        return _one_root(self.sysplexes_of_smfids())

    def sysplex_by_qmgr(self) -> dict[str, str]:
        """Return queue manager to sysplex name; without names that several sysplexes have."""
        plexes = ((qmgr.name, plex.sysplex) for plex in self.sysplexes for qmgr in plex.qmgrs)
        return _one_root(_roots(plexes))

    def distributed(self, site: str, name: str) -> DistributedQueueManager | None:
        """Return a distributed queue manager by place and name; ``None`` when it is not listed."""
        qmgrs = (qmgr for place in self.places if place.site == site for qmgr in place.qmgrs)
        return next((qmgr for qmgr in qmgrs if qmgr.name == name), None)

    def zone_by_system(self, root: str = "") -> dict[str, str]:
        """Return time zones for inputs with local time only: by sysplex, SMF id and ``zone_key``.

        A name of several places is that of ``root``, the sysplex or site of the input; without one
        it is left out, unless these places have one zone.
        """
        by_root = self.zones()
        zones = {plex.sysplex: plex.timezone for plex in self.sysplexes}
        zones |= {zone_key("site", place.site): place.timezone for place in self.places}
        named = {
            **self.sysplexes_of_smfids(),
            **{zone_key("qmgr", name): roots for name, roots in self.sites_of_qmgrs().items()},
            **{zone_key("ztpf", name): roots for name, roots in self.sites_of_ztpf().items()},
        }
        for key, roots in named.items():
            found = {by_root[name] for name in ((root,) if root in roots else roots)}
            if len(found) == 1:
                zones[key] = found.pop()
        return zones

    def plex(self, name: str) -> Sysplex:
        """Return the sysplex of a name; one without members when the site did not list it."""
        return next((plex for plex in self.sysplexes if plex.sysplex == name), _NOT_LISTED)

    def queue_manager(self, sysplex: str, name: str) -> QueueManager | None:
        """Return the configured queue manager, or ``None`` when the site did not list it."""
        return next((qmgr for qmgr in self.plex(sysplex).qmgrs if qmgr.name == name), None)

    def coupling_facility(self, sysplex: str, name: str) -> CouplingFacility | None:
        """Return the configured coupling facility, or ``None`` when the site did not list it."""
        return next((cf for cf in self.plex(sysplex).cfs if cf.name == name), None)

    def mq_version(self, owner: Subject, recorded: Mapping[str, str]) -> str | None:
        """Return the MQ version of a queue manager: as configured, else as recorded."""
        configured = self.queue_manager(*owner.names)
        return (configured and configured.mq_version) or recorded.get(owner)

    def class_of(self, subject: str) -> SystemClass:
        """Return the class of a subject's queue manager; of what several share the highest.

        Production for what the estate does not list, so that a missing entry suppresses no alert.
        """
        root, name = Subject(subject).sysplex, Subject(subject).owner_name
        qmgr = self.queue_manager(root, name) or self.distributed(root, unescaped(name))
        if qmgr is not None:
            return qmgr.system_class
        parts = (part for part in self.parts if part.root == root)
        users = {user.system_class for part in parts for user in part.qmgrs}
        return next((kind for kind in SystemClass if kind in users), SystemClass.production)

    def log_volumes_of(self, subject: str) -> frozenset[str]:
        """Return the volumes of the logs of a subject's queue manager; empty without any."""
        qmgr = self.queue_manager(Subject(subject).sysplex, Subject(subject).owner_name)
        return frozenset(qmgr.log_volumes or ()) if qmgr is not None else frozenset()


def _roots(listed: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the sysplexes and places of each name, in order, each once."""
    roots: dict[str, dict[str, None]] = {}
    for name, root in listed:
        roots.setdefault(name, {})[root] = None
    return {name: tuple(some) for name, some in roots.items()}


def _one_root(roots: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: some[0] for name, some in roots.items() if len(some) == 1}


def estate_facts(
    estate: Sequence[Sysplex | Place], identity: str, day: date
) -> dict[str, str | None]:
    """Return country, calendar and known changes up to ``day`` for a series.

    The calendar is JSON, the changes are ISO dates joined by commas; ``None`` where there is none.
    """
    subject = split_series_id(identity)[1]
    part = next((part for part in estate if part.root == subject.sysplex), None)
    if part is None:
        return {"country": None, "calendar": None, "known_changes": None}
    changes = sorted(
        {
            change.day.isoformat()
            for change in part.known_changes
            if change.day <= day and change.concerns(subject)
        }
    )
    own = part.calendar != SiteCalendar()
    return {
        "country": part.holidays,
        "calendar": part.calendar.model_dump_json() if own else None,
        "known_changes": ",".join(changes) or None,
    }
