"""Parts of the small estate, changed for a test."""

from datetime import date, timedelta
from typing import Any, Final

from devtools.simulator.coupling_facility import (
    SimulatedCouplingFacility,
    simulate_coupling_facility,
)
from devtools.simulator.queue_manager import (
    SimulatedQueueManager,
    simulate_queue_manager,
    simulated_period,
)
from devtools.simulator.spec import EstateSpec, QueueManagerSpec, SysplexSpec, small_spec
from devtools.simulator.timeline import SimulatedPeriod
from devtools.simulator.workload import Load

ANCHOR: Final = date(2026, 3, 16)
"""An ordinary Monday."""
LAST: Final = date(2026, 3, 31)
FIRST: Final = LAST - timedelta(days=19)


def estate_spec(**changed: Any) -> EstateSpec:
    """Return the small estate as it is on ``LAST``."""
    return small_spec().model_copy(update={"anchor_date": LAST, **changed})


def plex_spec(**changed: Any) -> SysplexSpec:
    return small_spec().sysplexes[0].model_copy(update=changed)


def qmgr_spec(place: int = 0, **changed: Any) -> QueueManagerSpec:
    return plex_spec().qmgrs[place].model_copy(update=changed)


def period(days: int = 10) -> SimulatedPeriod:
    """Return the days before ``ANCHOR`` and that day, without the history before them."""
    spec = small_spec().model_copy(update={"history_days": 1})
    return simulated_period(spec, ANCHOR - timedelta(days=days - 1), ANCHOR)


def steady(value: float) -> Load:
    """Return a load of one value at all hours but those of noise, which is zero."""
    return Load(
        at_anchor=value,
        weekday_ratio=(1,) * 7,
        month_end_ratio=1,
        day_noise_ratio=0,
        hour_noise_ratio=0,
    )


def queue_manager(
    days: int = 10, place: int = 0, *, plex: SysplexSpec | None = None, **changed: Any
) -> SimulatedQueueManager:
    """Return a simulated queue manager of the small estate that exists."""
    made = simulate_queue_manager(plex or plex_spec(), qmgr_spec(place, **changed), period(days))
    assert made is not None
    return made


def facility(
    days: int = 1, *, plex: SysplexSpec | None = None, **changed: Any
) -> SimulatedCouplingFacility:
    """Return the first facility."""
    plex = plex or plex_spec()
    spec = plex.cfs[0].model_copy(update=changed)
    made = simulate_coupling_facility(plex, spec, period(days))
    assert made is not None
    return made
