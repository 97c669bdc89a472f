"""Large simulated estates: the small one many times, with pools and page sets as sites have."""

from datetime import date
from typing import Final, NamedTuple

from devtools.simulator import EstateSpec, small_spec
from devtools.simulator.senders import Sender
from devtools.simulator.spec import (
    BufferPool,
    CouplingFacilitySpec,
    PageSet,
    QueueManagerSpec,
    SysplexSpec,
    SystemSpec,
)
from devtools.simulator.workload import Load

LAST: Final = date(2026, 3, 15)
"""The last day."""


class Size(NamedTuple):
    """Counts of the estate."""

    sysplexes: int = 10
    managers: int = 10
    """Queue managers of a sysplex."""
    systems: int = 10
    """Systems of a sysplex, which have its queue managers in turn."""
    facilities: int = 2
    """Coupling facilities of a sysplex."""
    queues: int = 500
    """Queues in the statistics of a queue manager."""
    minutes: int = 15
    """Of an interval."""
    days: int = 1

    @property
    def manager_days(self) -> int:
        """Queue managers x days."""
        return self.sysplexes * self.managers * self.days


def large_estate(size: Size) -> EstateSpec:
    """Return the estate of a size."""
    small = small_spec()
    plexes = (_sysplex(small.sysplexes[0], number, size) for number in range(size.sysplexes))
    return small.model_copy(
        update={
            "anchor_date": LAST,
            "history_days": size.days,
            "daily_dump_days": size.days,
            "interval_minutes": size.minutes,
            "sender_days": size.days,
            "log_switch_days": 0,
            "sysplexes": tuple(plexes),
        }
    )


def _sysplex(plex: SysplexSpec, number: int, size: Size) -> SysplexSpec:
    names = [f"S{number * size.systems + place:03d}" for place in range(size.systems)]
    first = number * size.managers
    managers = (
        _manager(plex.qmgrs[1], f"Q{first + place:03d}", names[place % size.systems], size.queues)
        for place in range(size.managers)
    )
    facilities = (
        _facility(plex.cfs[0], f"CF{number:02d}{place}", place) for place in range(size.facilities)
    )
    return plex.model_copy(
        update={
            "name": f"PLEX{number:02d}",
            "systems": tuple(SystemSpec(smfid=name, name=name) for name in names),
            "qmgrs": tuple(managers),
            "cfs": tuple(facilities),
        }
    )


def _manager(some: QueueManagerSpec, name: str, system: str, queues: int) -> QueueManagerSpec:
    senders = (
        Sender(queue=f"APP.REQUEST.{number:04d}", application=f"APP{number:04d}")
        for number in range(queues)
    )
    pools = (BufferPool(number=pool, used_pct=Load(at_anchor=40)) for pool in range(4))
    page_sets = (PageSet(number=place, used_pct=Load(at_anchor=30)) for place in range(6))
    return some.model_copy(
        update={
            "name": name,
            "system": system,
            "mq_level": "9.4.5",
            "qsg": None,
            "rules": (),
            "accounting": False,
            "senders": tuple(senders),
            "buffer_pools": tuple(pools),
            "page_sets": tuple(page_sets),
        }
    )


def _facility(some: CouplingFacilitySpec, name: str, place: int) -> CouplingFacilitySpec:
    structures = tuple(
        structure.model_copy(update={"name": f"{structure.name}{place}"})
        for structure in some.structures
    )
    return some.model_copy(
        update={"name": name, "takes_over": None, "rules": (), "structures": structures}
    )
