"""How the surviving members of a queue sharing group share the work of a lost one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mqcap.domain.estate import QueueManager
from mqcap.domain.metric import SERIES_SEPARATOR, Statistic
from mqcap.domain.numbers import percent
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.channels import COUNTS, chinit_of
from mqcap.whatif.effects import total_of
from mqcap.whatif.losses.member_load import arriving

_USED = "chinit_31bit_used_mib"
_SHARE = "chinit_31bit_used_pct"
_LIMIT = "channels_current_limit_count"


class Shares(NamedTuple):
    """The share of each survivor, and where it is from."""

    ratios: Mapping[str, float]
    """By survivor; together 1."""
    how: str
    """In words, with the shares; empty for a single survivor."""


def shares_of(facts: DayFacts, lost: str, members: Mapping[str, QueueManager]) -> Shares:
    """Return the shares of surviving members in the work of a lost one, by subject.

    Those are as ``qsg_spread`` of the estate says, where it says so of any; else by the channels
    that the free 31-bit storage of their channel initiators holds, up to MAXCHL; else equal.
    """
    told = {name: manager.qsg_spread for name, manager in members.items()}
    free = {name: _free_channels(facts, lost, name) for name in members}
    if any(weight is not None for weight in told.values()):
        weights = {name: weight or 0.0 for name, weight in told.items()}
        how = "as qsg_spread of the estate says"
    elif all(count is not None and count > 0 for count in free.values()):
        weights = {name: count or 0.0 for name, count in free.items()}
        how = (
            "by the channels that their channel initiators have room for (ours; qsg_spread sets it)"
        )
    else:
        weights, how = dict.fromkeys(members, 1.0), "in equal parts (ours; qsg_spread sets it)"
    total = sum(weights.values())
    ratios = {name: weight / total for name, weight in weights.items() if weight and total}
    if len(ratios) < 2:
        return Shares(ratios, "")
    names = ", ".join(
        f"{name.rpartition(SERIES_SEPARATOR)[2]} {percent(ratio)}" for name, ratio in ratios.items()
    )
    return Shares(ratios, f"{names}, {how}")


def _free_channels(facts: DayFacts, lost: str, member: str) -> float | None:
    """Return how many arriving channels the free storage holds; ``None`` where it is not known."""
    chinit = chinit_of(member)
    total = total_of(facts, chinit, _USED, _SHARE)
    each = arriving(facts, chinit_of(lost), chinit, "31bit")
    if total is None or each is None:
        return None
    free_mib = total - facts.observed.highest(_USED, chinit, Statistic.peak)
    held = free_mib * KIB_BYTES / each.kib
    limits = facts.observed.days(_LIMIT, chinit)
    if not limits:
        return held
    return min(held, limits[-1].peak - facts.observed.highest(COUNTS[0], chinit, Statistic.peak))
