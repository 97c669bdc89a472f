"""The load that a member of a queue sharing group leaves to a survivor.

Channels connect to the survivor, where each takes, below and above the bar, what is learnt there of
one of its own channels, else what is learnt of the lost member; persistent work is logged there;
private queues fill the pool of the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR, Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.observed import is_part_of
from mqcap.whatif.channels import COUNTS, chinit_of
from mqcap.whatif.effects import total_of
from mqcap.whatif.learnt_costs import arriving_channel
from mqcap.whatif.losses.taken_load import TakenLoad, has_common_hours, highest

BY_HOUR: Final = "log_growth_mib_per_s"
_LOG_TASK: Final = "log_task_busy_pct"
_POOL_USED: Final = "buffer_pool_used_pct"
_POOL_SIZE: Final = "buffer_pool_buffers_count"
_OURS: Final = "first estimate, ours"


def loads_of_member(facts: DayFacts, lost: str, survivor: str) -> Iterator[TakenLoad]:
    """Yield what a survivor gets of a lost member, as far as both are measured."""
    yield from _logs(facts, lost, survivor)
    yield from _channels(facts, chinit_of(lost), chinit_of(survivor))
    yield from _pools(facts, lost, survivor)


def _logs(facts: DayFacts, lost: str, survivor: str) -> Iterator[TakenLoad]:
    load = TakenLoad((BY_HOUR, survivor), (BY_HOUR, lost), 1.0, (), by_hour=True)
    if has_common_hours(facts, load):
        yield load
    task = _LOG_TASK, survivor
    if facts.observed.days(*task) and facts.observed.days(_LOG_TASK, lost):
        more = highest(facts, (_LOG_TASK, lost), Statistic.peak)
        line = f"+ {figure(more)} points, those of {lost} ({_OURS})"
        yield TakenLoad(task, (_LOG_TASK, lost), 1.0, (line,))


def _channels(facts: DayFacts, lost: str, survivor: str) -> Iterator[TakenLoad]:
    """Yield channels, and their storage below and above the bar."""
    for metric in COUNTS:
        if facts.observed.days(metric, lost) and facts.observed.days(metric, survivor):
            more = highest(facts, (metric, lost), Statistic.peak)
            line = f"+ {figure(more)} channels, the most of {lost}"
            yield TakenLoad((metric, survivor), (metric, lost), 1.0, (line,))
    for storage in ("31bit", "64bit"):
        yield from _storage(facts, lost, survivor, storage)


def _storage(facts: DayFacts, lost: str, survivor: str, storage: str) -> Iterator[TakenLoad]:
    current = COUNTS[0]
    used, share = f"chinit_{storage}_used_mib", f"chinit_{storage}_used_pct"
    available = total_of(facts, survivor, used, share)
    each = arriving_channel(facts, lost, survivor, storage)
    if available is None or each is None or not facts.observed.days(current, lost):
        return
    mib_each = each.kib / KIB_BYTES
    channels = highest(facts, (current, lost), Statistic.peak)
    line = (
        f"{figure(channels)} channels x {figure(mib_each * KIB_BYTES)} KB / 1024 = "
        f"{figure(channels * mib_each)} MiB ({_OURS})"
    )
    yield TakenLoad((used, survivor), (current, lost), mib_each, (each.line, line))
    points = 100 * mib_each / available
    of_all = (
        f"{figure(channels * mib_each)} of {figure(available)} MiB = {figure(channels * points)} "
        "points"
    )
    yield TakenLoad((share, survivor), (current, lost), points, (each.line, line, of_all))


def _pools(facts: DayFacts, lost: str, survivor: str) -> Iterator[TakenLoad]:
    """Yield the pages in use of each pool of the lost member in the same pool of the survivor."""
    for pool in sorted(facts.observed.subjects(SubjectKind.buffer_pool)):
        if not is_part_of(pool, lost):
            continue
        same = f"{survivor}{SERIES_SEPARATOR}{pool.rpartition(SERIES_SEPARATOR)[2]}"
        sizes = [facts.observed.days(_POOL_SIZE, each) for each in (pool, same)]
        if not all(sizes) or not facts.observed.days(_POOL_USED, same):
            continue
        before, after = (days[-1].peak for days in sizes)
        used = highest(facts, (_POOL_USED, pool), Statistic.peak)
        line = (
            f"+ {figure(used)} % of {figure(before)} buffers / {figure(after)} buffers = "
            f"+ {figure(used * before / after)} points ({_OURS})"
        )
        yield TakenLoad((_POOL_USED, same), (_POOL_USED, pool), before / after, (line,))
