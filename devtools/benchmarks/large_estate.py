"""The simulated estate of the large site: equal sysplexes of equal queue managers."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from devtools.simulator import small_spec
from devtools.simulator.senders import Sender
from devtools.simulator.spec import (
    BufferPool,
    CouplingFacilitySpec,
    EstateSpec,
    PageSet,
    QueueManagerSpec,
    SysplexSpec,
    SystemSpec,
)
from devtools.simulator.workload import Load

LAST: Final = date(2026, 3, 15)


class Size(NamedTuple):
    """Counts of the estate."""

    sysplexes: int = 10
    managers: int = 10
    """Queue managers of a sysplex, each on a system of its own."""
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
    """Return the estate of a size; its last day is ``LAST``."""
    small = small_spec()
    return small.model_copy(
        update={
            "anchor_date": LAST,
            "history_days": size.days,
            "daily_dump_days": size.days,
            "interval_minutes": size.minutes,
            "sender_days": size.days,
            "log_switch_days": 0,
            "sysplexes": tuple(
                _sysplex(small.sysplexes[0], number, size) for number in range(size.sysplexes)
            ),
        }
    )


def _sysplex(plex: SysplexSpec, number: int, size: Size) -> SysplexSpec:
    names = [f"S{number:X}{place:02d}" for place in range(size.managers)]
    systems = tuple(SystemSpec(smfid=name, name=name) for name in names)
    return plex.model_copy(
        update={
            "name": f"PLEX{number:02d}",
            "systems": systems,
            "qmgrs": tuple(
                _manager(plex.qmgrs[1], f"Q{number:X}{place:02d}", system.smfid, size.queues)
                for place, system in enumerate(systems)
            ),
            "cfs": tuple(
                _facility(plex.cfs[0], f"CF{number:02d}{place}", place)
                for place in range(size.facilities)
            ),
        }
    )


def _manager(some: QueueManagerSpec, name: str, system: str, queues: int) -> QueueManagerSpec:
    return some.model_copy(
        update={
            "name": name,
            "system": system,
            "mq_level": "9.4.5",
            "qsg": None,
            "rules": (),
            "accounting": False,
            "senders": tuple(
                Sender(queue=f"APP.REQUEST.{number:04d}", application=f"APP{number:04d}")
                for number in range(queues)
            ),
            "buffer_pools": tuple(
                BufferPool(number=pool, used_pct=Load(at_anchor=40)) for pool in range(4)
            ),
            "page_sets": tuple(
                PageSet(number=place, used_pct=Load(at_anchor=30)) for place in range(6)
            ),
        }
    )


def _facility(some: CouplingFacilitySpec, name: str, place: int) -> CouplingFacilitySpec:
    structures = tuple(
        each.model_copy(update={"name": f"{each.name}{place}"}) for each in some.structures
    )
    return some.model_copy(
        update={"name": name, "takes_over": None, "rules": (), "structures": structures}
    )
