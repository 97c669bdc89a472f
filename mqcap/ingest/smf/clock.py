"""The clocks of z/OS records: TOD values, header date and time, packed times, UTC offsets.

Everything works on columns and on integer microseconds since 1970. *Local* means
the wall clock of the system that wrote the record. The TOD clock (STCK) counts units of
1/4096 microsecond since 1900; a system that keeps leap seconds in it is ahead of UTC by
them, which rounding the UTC offset to a quarter of an hour absorbs.
"""

import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

TOD_UNITS_PER_US: Final = 4096
UNIX_EPOCH_IN_TOD_US: Final = 2_208_988_800_000_000
US_PER_SECOND: Final = 1_000_000
US_PER_DAY: Final = 86_400 * US_PER_SECOND
HUNDREDTHS_PER_DAY: Final = 8_640_000
QUARTER_HOUR_US: Final = 900 * US_PER_SECOND
TOGETHER_US: Final = 60 * US_PER_SECOND
"""Records written for the same event carry times within this distance (ours: the shortest interval
that queue managers are known to be run with)."""
_HALF_BITS: Final = 32
_SHORT_SCALES: Final = np.ldexp(
    np.repeat([1.0, -1.0], 128), np.tile(4 * (np.arange(128) - 64) - 24, 2)
)
"""Value of the last bit of the fraction, by the byte of sign and exponent."""
EARLIEST_US: Final = 946_684_800 * US_PER_SECOND
"""2000: no release whose records are known ran before (ours)."""
_RELEASED_US: Final = 1_795_824_000 * US_PER_SECOND
"""2026-11-28, the day of this release: today is no earlier, whatever the clock of this machine."""
_AHEAD_US: Final = 31 * US_PER_DAY
"""Clocks of systems may be ahead of this machine's by so much (ours)."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NOT_SET: Final = np.iinfo(np.int64).min
"""Value of "no instant" in integer columns."""


@dataclass
class TimeRange:
    """The times that the rows of a file are about, and the UTC days that these touch."""

    first_us: int | None = None
    last_us: int | None = None
    _days: set[int] = field(default_factory=set)

    def add(self, first_us: int, last_us: int) -> None:
        """Extend the range by two instants."""
        self.first_us = first_us if self.first_us is None else min(first_us, self.first_us)
        self.last_us = last_us if self.last_us is None else max(last_us, self.last_us)

    def add_days(self, instants_us: Ints) -> None:
        """Add the days of some instants."""
        self._days.update(np.unique(instants_us // US_PER_DAY).tolist())

    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return first and last instant; ``None`` without any."""
        if self.first_us is None or self.last_us is None:
            return None, None
        first, last = timedelta(microseconds=self.first_us), timedelta(microseconds=self.last_us)
        return _EPOCH + first, _EPOCH + last

    def dates(self) -> tuple[date, ...]:
        """Return the days in order."""
        return tuple(_EPOCH.date() + timedelta(days=day) for day in sorted(self._days))


def latest_plausible_us() -> int:
    """Return the latest instant that a record can carry today; later ones have a wrong clock."""
    today = max(time.time_ns() // 1_000, _RELEASED_US) // US_PER_DAY * US_PER_DAY
    return today + US_PER_DAY + _AHEAD_US


def is_plausible(instants_us: Ints) -> Flags:
    """Return which instants a record can carry."""
    flags: Flags = (instants_us >= EARLIEST_US) & (instants_us <= latest_plausible_us())
    return flags


def clock_problem(instant_us: int) -> str:
    """Return what is wrong with the clock of a record; empty when it can be right."""
    if EARLIEST_US <= instant_us <= latest_plausible_us():
        return ""
    first, last = (shown(limit)[:10] for limit in (EARLIEST_US, latest_plausible_us() - 1))
    return (
        f"its clock shows {shown(instant_us)}, which is before {first} or, seen from this machine,"
        f" after {last}"
    )


def shown(instant_us: int) -> str:
    """Return an instant for people: ``1971-03-10 08:00:00``."""
    return str(np.datetime64(instant_us // US_PER_SECOND, "s")).replace("T", " ")


def tod_to_unix_us(tod: NDArray[Any]) -> Ints:
    """Return TOD values to microseconds since 1970; 0 (not set) becomes ``NOT_SET``."""
    units = tod.astype(np.uint64)
    instants = (units >> np.uint64(12)).astype(np.int64) - UNIX_EPOCH_IN_TOD_US
    instants[units == 0] = NOT_SET
    return instants


def unix_us_to_tod(instants_us: Ints) -> NDArray[np.uint64]:
    """Return microseconds since 1970 to TOD values; ``NOT_SET`` becomes 0."""
    is_set = instants_us != NOT_SET
    shifted = np.where(is_set, instants_us, -UNIX_EPOCH_IN_TOD_US) + UNIX_EPOCH_IN_TOD_US
    return shifted.astype(np.uint64) << np.uint64(12)


def packed_to_int(raw: NDArray[np.uint8]) -> tuple[Ints, Flags]:
    """Return packed decimals, one per row of bytes (sign B and D: minus), and which are valid."""
    high, low = raw >> 4, raw & 0x0F
    nibbles = np.stack([high, low], axis=2).reshape(len(raw), 2 * raw.shape[1])
    digits = nibbles[:, :-1].astype(np.int64)
    sign = low[:, -1]
    valid = (digits <= 9).all(axis=1) & (sign >= 10)
    scale = 10 ** np.arange(digits.shape[1] - 1, -1, -1, dtype=np.int64)
    magnitude = digits @ scale
    return np.where((sign == 11) | (sign == 13), -magnitude, magnitude), valid


def packed_date_to_days(raw: NDArray[np.uint8]) -> tuple[Ints, Flags]:
    """Return packed dates 0CYYDDDF (1900 + 100 C + YY) as days since 1970, and which are dates."""
    value, valid = packed_to_int(raw)
    year, day = 1900 + value // 1000, value % 1000
    in_range = valid & (value >= 0) & (value < 400_000) & (day >= 1) & (day <= 366)
    first_day = (np.where(in_range, year, 1970) - 1970).astype("M8[Y]").astype("M8[D]")
    return first_day.astype(np.int64) + day - 1, in_range


def header_local_us(
    time_hundredths: NDArray[Any], packed_date: NDArray[np.uint8]
) -> tuple[Ints, Flags]:
    """Return the local wall clock of records in microseconds since 1970, and where it is valid."""
    days, valid = packed_date_to_days(packed_date)
    hundredths = time_hundredths.astype(np.int64)
    local = days * US_PER_DAY + hundredths * 10_000
    return local, valid & (hundredths < HUNDREDTHS_PER_DAY)


def packed_clock_to_us(raw: NDArray[np.uint8]) -> tuple[Ints, Flags]:
    """Return packed times of day 0HHMMSSF as microseconds since midnight, and their validity."""
    value, valid = packed_to_int(raw)
    hours, minutes, seconds = value // 10_000, value // 100 % 100, value % 100
    valid_clock = valid & (value >= 0) & (hours < 24) & (minutes < 60) & (seconds < 61)
    return ((hours * 60 + minutes) * 60 + seconds) * US_PER_SECOND, valid_clock


def packed_interval_to_us(raw: NDArray[np.uint8]) -> tuple[Ints, Flags]:
    """Return packed interval lengths MMSSTTTF (minutes, seconds, thousandths) as microseconds."""
    value, valid = packed_to_int(raw)
    minutes, milliseconds = value // 100_000, value % 100_000
    return (minutes * 60_000 + milliseconds) * 1000, valid & (value > 0)


def utc_offset_us(local_us: Ints, utc_us: Ints) -> Ints:
    """Return by how many quarter hours local time is ahead of UTC; ``NOT_SET`` where UTC is not."""
    difference = local_us - np.where(utc_us == NOT_SET, local_us, utc_us)
    rounded = (difference + QUARTER_HOUR_US // 2) // QUARTER_HOUR_US * QUARTER_HOUR_US
    return np.where(utc_us == NOT_SET, NOT_SET, rounded)


def minus(left_us: Ints, right_us: Ints) -> Ints:
    """Return the difference, or ``NOT_SET`` where one of both is not set."""
    return np.where((left_us == NOT_SET) | (right_us == NOT_SET), NOT_SET, left_us - right_us)


def plus(left_us: Ints, right_us: Ints) -> Ints:
    """Return the sum, or ``NOT_SET`` where one of both is not set."""
    return np.where((left_us == NOT_SET) | (right_us == NOT_SET), NOT_SET, left_us + right_us)


def hfp_to_float(raw: NDArray[Any]) -> NDArray[np.float64]:
    """Return hexadecimal long floats: fraction / 2^56 * 16^(exponent - 64), exact to 53 bits."""
    units = raw.astype(np.uint64)
    fraction = (units & np.uint64((1 << 56) - 1)).astype(np.float64)
    exponent = ((units >> np.uint64(56)) & np.uint64(0x7F)).astype(np.int32)
    magnitude = np.ldexp(fraction, 4 * (exponent - 64) - 56)
    return np.where(units >> np.uint64(63), -magnitude, magnitude)


def short_hfp_to_float(raw: NDArray[Any]) -> NDArray[np.float64]:
    """Return hexadecimal short floats, exactly: fraction / 2^24 * 16^(exponent - 64)."""
    units = raw.astype(np.uint32)
    magnitude: NDArray[np.float64] = _SHORT_SCALES[units >> 24] * (units & 0x00FF_FFFF)
    return magnitude


def float_to_hfp(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return floats to hexadecimal long floats (normalised); the inverse of ``hfp_to_float``."""
    magnitude = np.abs(values)
    exponent = _hexadecimal_exponent(magnitude)
    fraction = np.ldexp(magnitude, 56 - 4 * exponent).astype(np.uint64)
    sign = np.where(values < 0, np.uint64(1 << 63), np.uint64(0))
    coded = sign | ((exponent + 64).astype(np.uint64) << np.uint64(56)) | fraction
    return np.where(magnitude == 0, np.uint64(0), coded)


def float_to_short_hfp(values: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return floats to hexadecimal short floats, rounded to the 24 bits of their fraction."""
    places = 24 - 4 * _hexadecimal_exponent(np.abs(values))
    rounded = np.ldexp(np.rint(np.ldexp(values, places)), -places)
    return (float_to_hfp(rounded) >> np.uint64(_HALF_BITS)).astype(np.uint32)


def _hexadecimal_exponent(magnitude: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the least power of 16 above each magnitude."""
    _, binary_exponent = np.frexp(magnitude)
    exponent: NDArray[np.int32] = -(-binary_exponent // 4)
    return exponent
