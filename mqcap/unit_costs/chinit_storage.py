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
from sizing.mq_release import no_channels_above_bar
from sizing.rulebook.registry import get

CHANNELS: Final = "channels_current_count"
STORAGE: Final = {
    UnitCostKind.chinit_31bit_kib_per_channel: "chinit_31bit_used_mib",
    UnitCostKind.chinit_64bit_kib_per_channel: "chinit_64bit_used_mib",
}
BLOCK_DAYS: Final = 28
"""Days drawn together: four weeks, so that the swing of a month stays whole (ours)."""
BOOK_ENTRY: Final = "CHI-FOOTPRINT-MCA"
BOOK_ENTRY_64BIT: Final = "CHI-SVRCONN-64"
_SAWTOOTH: Final = (
    "Storage is a sawtooth: buffers stay counted until the scavenger runs, while channels come and "
    f"go. Its interval is drawn from blocks of {BLOCK_DAYS} days; the slope is rather too small."
)
_CLIENTS_ABOVE_BAR: Final = (
    "MP16 has 64-bit storage of client channels from MQ 9.4 on; its figure here is that of one "
    "conversation with messages of 1 KB. Larger messages take more."
)
_BOOK_CAVEATS: Final[dict[UnitCostKind, tuple[str, ...]]] = {
    UnitCostKind.chinit_31bit_kib_per_channel: (),
    UnitCostKind.chinit_64bit_kib_per_channel: (_CLIENTS_ABOVE_BAR,),
}


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
    version = data.mq_version(subject)
    is_above = kind is UnitCostKind.chinit_64bit_kib_per_channel
    without = no_channels_above_bar(version) if is_above else ""
    more = {"not_measurable": without} if without else {}
    sample = Sample(len(dates), "day", dates[0], dates[-1], data.options.least_days)
    return learnt_cost(
        kind,
        subject,
        _in_kib(fitted),
        sample,
        data,
        base_unit="MiB",
        caveats=(_SAWTOOTH, *_BOOK_CAVEATS[kind]),
        book=book_value(kind, version),
        **more,
    )


def book_value(kind: UnitCostKind, version: str | None = None) -> BookValue | None:
    """Return MP16's figure for a channel with messages of 1 KB: message below, client above bar.

    ``None`` above the bar for a release of which MP16 has no such storage; a release that is not
    known counts as one with it.
    """
    if kind is UnitCostKind.chinit_31bit_kib_per_channel:
        entry = get(BOOK_ENTRY)
        kib = float(entry.answer({"message_size": "1KB", "tls": False})["kb_per_channel"])
    elif no_channels_above_bar(version):
        return None
    else:
        entry = get(BOOK_ENTRY_64BIT)
        one = {"message_bytes": KIB_BYTES, "sharecnv": 1, "curshcnv": 1}
        kib = float(entry.answer(one)["bytes_per_channel"]) / KIB_BYTES
    return BookValue(value=kib, unit="KiB", rule=entry.id, citation=str(entry.citation))


def _in_kib(fitted: Fitted) -> Fitted:
    return fitted._replace(
        value=fitted.value * KIB_BYTES,
        lower=fitted.lower * KIB_BYTES,
        upper=fitted.upper * KIB_BYTES,
    )
