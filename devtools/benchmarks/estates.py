"""Large simulated estates: the small one many times, with pools and page sets as sites have."""

from datetime import date
from typing import Final, NamedTuple

from devtools.simulator import EstateSpec, small_spec
from devtools.simulator.spec import BufferPool, PageSet, Sender, SysplexSpec, SystemSpec
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
    [plex] = small.sysplexes
    return small.model_copy(
        update={
            "anchor_date": LAST,
            "history_days": size.days,
            "daily_dump_days": size.days,
            "interval_minutes": size.minutes,
            "sender_days": size.days,
            "log_switch_days": 0,
            "sysplexes": tuple(_sysplex(plex, number, size) for number in range(size.sysplexes)),
        }
    )


def _sysplex(plex: SysplexSpec, number: int, size: Size) -> SysplexSpec:
    names = [f"S{number * size.systems + place:03d}" for place in range(size.systems)]
    plain = {
        "mq_level": "9.4.5",
        "qsg": None,
        "rules": (),
        "accounting": False,
        "senders": tuple(
            Sender(queue=f"APP.REQUEST.{queue:04d}", application=f"APP{queue:04d}")
            for queue in range(size.queues)
        ),
        "buffer_pools": tuple(
            BufferPool(number=pool, used_pct=Load(at_anchor=40)) for pool in range(4)
        ),
        "page_sets": tuple(
            PageSet(number=place, used_pct=Load(at_anchor=30)) for place in range(6)
        ),
    }
    managers = (
        plex.qmgrs[1].model_copy(
            update={
                **plain,
                "name": f"Q{number * size.managers + place:03d}",
                "system": names[place % size.systems],
            }
        )
        for place in range(size.managers)
    )
    facilities = (
        plex.cfs[0].model_copy(
            update={
                "name": f"CF{number:02d}{place}",
                "takes_over": None,
                "rules": (),
                "structures": tuple(
                    item.model_copy(update={"name": f"{item.name}{place}"})
                    for item in plex.cfs[0].structures
                ),
            }
        )
        for place in range(size.facilities)
    )
    return plex.model_copy(
        update={
            "name": f"PLEX{number:02d}",
            "systems": tuple(SystemSpec(smfid=name, name=name) for name in names),
            "qmgrs": tuple(managers),
            "cfs": tuple(facilities),
        }
    )
