"""Storage of a channel initiator: a base, and KiB for each current channel.

The line is fitted to the peaks of the days. Buffers stay counted until the scavenger runs, so the
storage follows the channels late: a sawtooth. The interval is wide for that reason, and the slope
is rather too small than too large.
"""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import Statistic
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.store.series import read_series
from mqcap.unit_costs.interval import Fitted, slope
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost
from sizing.rulebook.registry import get

CHANNELS: Final = "channels_current_count"
STORAGE: Final = {
    UnitCostKind.chinit_31bit_kib_per_channel: "chinit_31bit_used_mib",
    UnitCostKind.chinit_64bit_kib_per_channel: "chinit_64bit_used_mib",
}
BLOCK_DAYS: Final = 28
"""Days drawn together: four weeks, so that the swing of a month stays whole (ours)."""
BOOK_ENTRY: Final = "CHI-FOOTPRINT-MCA"
_SAWTOOTH: Final = (
    "Storage is a sawtooth: buffers stay counted until the scavenger runs, while channels come and "
    f"go. Its interval is drawn from blocks of {BLOCK_DAYS} days; the slope is rather too small."
)


def subjects(data: LearningData) -> list[str]:
    """Return the channel initiators with measured channels."""
    return [facts.subject for facts in read_series(data.engine, CHANNELS)]


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return KiB per channel above a base in MiB; ``None`` where too few days have both."""
    series = [(metric, subject, Statistic.peak) for metric in (CHANNELS, STORAGE[kind])]
    dates, (channels, used_mib) = data.paired_days(series)
    fitted = slope(channels, used_mib, BLOCK_DAYS, data.options.confidence)
    if fitted is None:
        return None
    sample = Sample(len(dates), "day", dates[0], dates[-1], data.options.least_days)
    return learnt_cost(
        kind,
        subject,
        _in_kib(fitted),
        sample,
        data,
        base_unit="MiB",
        caveats=(_SAWTOOTH,),
        book=book_value() if kind is UnitCostKind.chinit_31bit_kib_per_channel else None,
    )


def book_value() -> BookValue:
    """Return what MP16 measured of a message channel with messages of 1 KB."""
    entry = get(BOOK_ENTRY)
    kib = float(entry.answer({"message_size": "1KB", "tls": False})["kb_per_channel"])
    return BookValue(value=kib, unit="KiB", rule=BOOK_ENTRY, citation=str(entry.citation))


def _in_kib(fitted: Fitted) -> Fitted:
    return fitted._replace(
        value=fitted.value * KIB_BYTES,
        lower=fitted.lower * KIB_BYTES,
        upper=fitted.upper * KIB_BYTES,
    )
