import time
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.smf.clock import (
    float_to_short_hfp,
    latest_plausible_us,
    packed_clock_to_us,
    packed_date_to_days,
    packed_interval_to_us,
    short_hfp_to_float,
    utc_offset_us,
)

INSTANTS = st.integers(-2_000_000_000_000_000, 2_200_000_000_000_000)


def raw(*texts: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.array([list(bytes.fromhex(text)) for text in texts], dtype=np.uint8)


def us(*parts: int) -> int:
    moment = datetime(*parts, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)  # type: ignore[arg-type,misc]
    return round(moment.total_seconds()) * 1_000_000


def test_a_record_may_be_31_days_ahead_of_this_machine_and_of_no_earlier_day_than_the_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def latest(today: datetime) -> datetime:
        monkeypatch.setattr(time, "time_ns", lambda: int(today.timestamp()) * 1_000_000_000)
        return datetime.fromtimestamp(latest_plausible_us() / 1e6, UTC)

    assert latest(datetime(2028, 1, 1, 9, tzinfo=UTC)) == datetime(2028, 2, 2, tzinfo=UTC)
    assert latest(datetime(1970, 1, 1, tzinfo=UTC)) == datetime(2026, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        ("0125069f", us(2025, 3, 10)),
        ("0124366f", us(2024, 12, 31)),
        ("0124060f", us(2024, 2, 29)),
        ("0099365f", us(1999, 12, 31)),
        ("0100001f", us(2000, 1, 1)),
    ],
)
def test_a_packed_date_counts_days_of_the_year(packed: str, expected: int) -> None:
    days, valid = packed_date_to_days(raw(packed))
    assert valid.all()
    assert days[0] * 86_400_000_000 == expected


@pytest.mark.parametrize("packed", ["0125000f", "0125367f", "01250a9f", "01250690", "ffffffff"])
def test_text_that_is_no_date_is_reported(packed: str) -> None:
    assert not packed_date_to_days(raw(packed))[1].any()


def test_interval_lengths_and_times_of_day_are_packed() -> None:
    length, valid = packed_interval_to_us(raw("3000000f", "0059999f", "0000000f"))
    assert length[:2].tolist() == [1_800_000_000, 59_999_000]
    assert valid.tolist() == [True, True, False]
    clock, valid = packed_clock_to_us(raw("0083000f", "0240000f"))
    assert clock[0] == 30_600_000_000
    assert valid.tolist() == [True, False]


@given(INSTANTS, st.integers(-52, 56), st.integers(-40_000_000, 40_000_000))
def test_leap_seconds_do_not_change_the_utc_offset(utc: int, quarters: int, drift: int) -> None:
    offset = quarters * 900_000_000
    offset_us = utc_offset_us(np.array([utc + offset + drift]), np.array([utc]))
    assert offset_us.tolist() == [offset]


@pytest.mark.parametrize(
    ("value", "raw_hex"),
    [
        (0.0, 0x0000_0000),
        (1.0, 0x4110_0000),
        (-118.625, 0xC276_A000),
        (2_000_000.0, 0x461E_8480),
        (16_777_215.0, 0x46FF_FFFF),
    ],
)
def test_a_short_float_is_the_upper_half_of_a_long_one(value: float, raw_hex: int) -> None:
    short = float_to_short_hfp(np.array([value]))
    assert short.dtype.name == "uint32"
    assert short.tolist() == [raw_hex]
    assert short_hfp_to_float(short).tolist() == [value]


@pytest.mark.parametrize(
    ("value", "raw_hex"),
    [(0.1, 0x4019_999A), (16_777_216.5, 0x4710_0000), (1 - 2**-30, 0x4110_0000)],
)
def test_what_24_bits_cannot_hold_is_rounded(value: float, raw_hex: int) -> None:
    assert float_to_short_hfp(np.array([value])).tolist() == [raw_hex]
