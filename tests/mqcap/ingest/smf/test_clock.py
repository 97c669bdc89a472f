from __future__ import annotations

import time
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mqcap.ingest.smf.clock import (
    NOT_SET,
    float_to_hfp,
    float_to_short_hfp,
    header_local_us,
    hfp_to_float,
    latest_plausible_us,
    minus,
    packed_clock_to_us,
    packed_date_to_days,
    packed_interval_to_us,
    packed_to_int,
    plus,
    short_hfp_to_float,
    tod_to_unix_us,
    unix_us_to_tod,
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


def test_a_tod_value_is_an_instant_since_1900() -> None:
    unix_us = tod_to_unix_us(np.array([0xE090D40C7A600000, 0], dtype=">u8"))
    assert unix_us.tolist() == [us(2025, 3, 10, 13, 30), NOT_SET]


@given(st.lists(INSTANTS, min_size=1))
def test_instants_survive_the_tod_clock(instants: list[int]) -> None:
    given_us = np.array([*instants, NOT_SET], dtype=np.int64)
    assert tod_to_unix_us(unix_us_to_tod(given_us)).tolist() == given_us.tolist()


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


def test_packed_decimals_have_a_sign() -> None:
    values, valid = packed_to_int(raw("123c", "123d", "12b3", "123b"))
    assert values[[0, 1, 3]].tolist() == [123, -123, -123]
    assert valid.tolist() == [True, True, False, True]


def test_the_header_time_is_local_hundredths() -> None:
    local, valid = header_local_us(np.array([3_060_000, 8_640_000]), raw("0125069f", "0125069f"))
    assert local[0] == us(2025, 3, 10, 8, 30)
    assert valid.tolist() == [True, False]


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


def test_an_unknown_instant_makes_the_result_unknown() -> None:
    known, unknown = np.array([5]), np.array([NOT_SET])
    assert minus(unknown, known).tolist() == plus(known, unknown).tolist() == [NOT_SET]
    assert utc_offset_us(known, unknown).tolist() == [NOT_SET]


def test_the_hexadecimal_float_of_the_manual() -> None:
    value = np.array([0x461E848000000000, 0xC11000000000000, 0], dtype=np.uint64)
    assert hfp_to_float(value)[[0, 2]].tolist() == [2_000_000.0, 0.0]


@given(
    arrays.arrays(
        np.float64, 5, elements=st.floats(-1e60, 1e60).filter(lambda x: x == 0 or abs(x) > 1e-60)
    )
)
def test_floats_survive_the_hexadecimal_form(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    assert hfp_to_float(float_to_hfp(values)).tolist() == values.tolist()


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
