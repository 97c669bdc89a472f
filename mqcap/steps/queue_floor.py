"""Queues below the floor of their site, which have no series.

A queue that has reached the floor on one day has its series from then on, and on all days that are
rolled up together with that day: with values on its high days alone it would have another trend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pandas as pd

from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place, QueueFloor
from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind, owner_subject_of, sysplex_of
from mqcap.domain.numbers import counted, figure

Reached = Callable[[Mapping[str, float]], set[str]]
"""Subjects of which a stored day has a peak at or above that of its metric."""
_SHARES: Final = ("mq_queue_depth_used_pct", "mq_queue_file_used_pct")
_PUTS: Final = "mq_queue_put_per_s"
_NAMED: Final = 5


def without_low_queues(
    daily: pd.DataFrame, kinds: Mapping[str, str], estate: Estate, reached: Reached
) -> tuple[pd.DataFrame, list[str]]:
    """Return the days without those of queues below the floor of their site, and what they are.

    Args:
        daily: Rows with ``metric``, ``subject`` and ``peak``.
        kinds: Kind of subject of each metric.
        estate: Its sites have the floors.
        reached: Finds the queues that stored days show above the floor.

    Returns:
        The rows that stay, and a sentence for each site with queues that are left out.
    """
    queue_metrics = {name for name, kind in kinds.items() if kind == SubjectKind.distributed_queue}
    of_queues = daily[daily["metric"].isin(queue_metrics)]
    gone: set[str] = set()
    sentences = []
    for place in estate.places:
        if place.queue_floor is None:
            continue
        own = of_queues[of_queues["subject"].map(sysplex_of) == place.site]
        low = _low(own, place, place.queue_floor, reached)
        gone |= low
        if low:
            sentences.append(_sentence(place.site, place.queue_floor, low))
    is_low = daily["metric"].isin(queue_metrics) & daily["subject"].isin(gone)
    return daily[~is_low], sentences


def _low(own: pd.DataFrame, place: Place, floor: QueueFloor, reached: Reached) -> set[str]:
    """Return the queues of a site that have never reached its floor and are not listed."""
    least = _least(floor)
    judged = own[own["metric"].isin(least.keys())]
    low = set(judged["subject"]) - _reaching(judged, least)
    listed = {
        subject_of(place.site, qmgr.name, queue.name)
        for qmgr in place.qmgrs
        for queue in qmgr.queues
    }
    low -= listed
    return low - reached(least) if low else low


def _reaching(judged: pd.DataFrame, least: Mapping[str, float]) -> set[str]:
    return set(judged.loc[judged["peak"] >= judged["metric"].map(least), "subject"])


def _least(floor: QueueFloor) -> dict[str, float]:
    """Return the lowest peak of each metric that is enough; of what is not stated none is."""
    least = dict.fromkeys(_SHARES, floor.used_pct) | {_PUTS: floor.put_per_s}
    return {metric: value for metric, value in least.items() if value is not None}


def _sentence(site: str, floor: QueueFloor, low: set[str]) -> str:
    subjects = sorted(low)
    names = ", ".join(
        subject.removeprefix(f"{site}{SERIES_SEPARATOR}") for subject in subjects[:_NAMED]
    )
    more = len(subjects) - _NAMED
    limits = [
        text
        for value, text in (
            (floor.used_pct, f"{figure(floor.used_pct)} % of MAXDEPTH or of the queue file"),
            (floor.put_per_s, f"{figure(floor.put_per_s)} puts/s"),
        )
        if value is not None
    ]
    owners = {owner_subject_of(subject) for subject in subjects}
    return (
        f"{site}: {counted(len(subjects), 'queue')} of {counted(len(owners), 'queue manager')} "
        f"never reached queue_floor ({' or '.join(limits)}) and have no series: {names}"
        f"{f' and {more} more' if more > 0 else ''}."
    )
