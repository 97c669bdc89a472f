"""Storage of a channel initiator: a base, and KiB for each current channel.

Buffers stay counted until the scavenger runs or the channel initiator starts again, so on most days
the storage is that of an earlier day with more channels. The line is therefore fitted to the
highest storage and the most channels of four weeks each, which belong together; days would flatten
it by the swing of the week.
"""

from datetime import date
from typing import Final, NamedTuple

import numpy as np

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.unit_costs.interval import Fitted, Vector, slope
from mqcap.unit_costs.learning_data import LearningData, Paired, Sample, book_figure, learnt_cost
from sizing.mq_release import no_channels_above_bar

CHANNELS: Final = "channels_current_count"
STORAGE: Final = {
    UnitCostKind.chinit_31bit_kib_per_channel: "chinit_31bit_used_mib",
    UnitCostKind.chinit_64bit_kib_per_channel: "chinit_64bit_used_mib",
}
PERIOD_DAYS: Final = 28
"""Days of which the highest values are taken: four weeks, so that each has an end of a month and,
as a rule, a day on which the storage follows the channels (ours)."""
PERIOD_LEAST_DAYS: Final = 14
"""Measured days below which four weeks are left out (ours)."""
RECORDED_MIB: Final = 1.0
"""Unit in which records have the storage (QCCTSTUS, QCCTSTAB)."""
_SAWTOOTH: Final = (
    "Storage is a sawtooth: buffers stay counted until the scavenger runs. The line is through the "
    f"highest storage and the most channels of {PERIOD_DAYS} days each."
)
_ALL_GROWTH: Final = (
    "What grew beside the channels, such as the size of messages, is counted as theirs."
)
_CLIENTS_ABOVE_BAR: Final = (
    "MP16 has 64-bit storage of client channels from MQ 9.4 on; its figure here is that of one "
    "conversation with messages of 1 KB. Larger messages take more."
)


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return KiB per channel above a base in MiB; ``None`` where too few days have both.

    A line whose base is below 0, or above the lowest storage of a day, is refuted by the data that
    it is fitted to and is not used.
    """
    series = [(metric, subject, Statistic.peak) for metric in (CHANNELS, STORAGE[kind])]
    days = data.paired_days(series)
    highest = four_week_peaks(days)
    fitted = slope(highest.channels, highest.used_mib, 1, data.options.confidence)
    if fitted is None:
        return None
    version = data.mq_version(subject)
    is_above = kind is UnitCostKind.chinit_64bit_kib_per_channel
    without = no_channels_above_bar(version) if is_above else ""
    least = data.options.least_four_week_peaks
    size = len(highest.channels)
    sample = Sample(size, "four-week peak", highest.first_date, days.dates[-1], least)
    # records have whole MiB, so that each end of the slope may be half of one off
    rounding_kib = KIB_BYTES * RECORDED_MIB / float(np.ptp(highest.channels))
    return learnt_cost(
        kind,
        subject,
        fitted.times(KIB_BYTES, rounding_kib),
        sample,
        data,
        unit="KiB",
        base_unit="MiB",
        refuted=refuted(fitted, float(days.columns[1].min())),
        caveats=(_SAWTOOTH, _ALL_GROWTH, *((_CLIENTS_ABOVE_BAR,) if is_above else ())),
        book=book_value(kind, version),
        **({"not_measurable": without} if without else {}),
    )


class FourWeekPeaks(NamedTuple):
    """The most channels and the highest storage of each four weeks, the oldest first."""

    channels: Vector
    used_mib: Vector
    first_date: date
    """The first day of the oldest of them."""


def four_week_peaks(days: Paired) -> FourWeekPeaks:
    """Return the highest values of each four weeks, counted back from the last day.

    ``days`` have most channels and highest storage in MiB; periods of few days are left out.
    """
    if not days.dates:
        return FourWeekPeaks(np.empty(0), np.empty(0), date.min)
    last = days.dates[-1]
    periods = np.array([(last - day).days // PERIOD_DAYS for day in days.dates])
    kept = [
        places
        for period in sorted(set(periods.tolist()), reverse=True)
        if len(places := np.flatnonzero(periods == period)) >= PERIOD_LEAST_DAYS
    ]
    channels, used = (
        np.array([column[places].max() for places in kept]) for column in days.columns
    )
    return FourWeekPeaks(channels, used, days.dates[int(kept[0][0])] if kept else last)


def refuted(fitted: Fitted, lowest_mib: float) -> str:
    """Return why the lowest storage of a day refutes a line; empty where it does not."""
    base = fitted.base
    if base is None or 0 <= base <= lowest_mib:
        return ""
    if base < 0:
        return f"refuted: its base is {figure(base)} MiB, below 0"
    return (
        f"refuted: its base is {figure(base)} MiB, and on one day all of the storage was "
        f"{figure(lowest_mib)} MiB"
    )


def book_value(kind: UnitCostKind, version: str | None = None) -> BookValue | None:
    """Return MP16's figure for a channel with messages of 1 KB: message below, client above bar.

    ``None`` above the bar for a release of which MP16 has no such storage; a release that is not
    known counts as one with it.
    """
    if kind is UnitCostKind.chinit_31bit_kib_per_channel:
        below = {"message_size": "1KB", "tls": False}
        return book_figure("CHI-FOOTPRINT-MCA", "KiB", "kb_per_channel", **below)
    if no_channels_above_bar(version):
        return None
    one = {"message_bytes": KIB_BYTES, "sharecnv": 1, "curshcnv": 1}
    above = book_figure("CHI-SVRCONN-64", "KiB", "bytes_per_channel", **one)
    return above.model_copy(update={"value": above.value / KIB_BYTES})
