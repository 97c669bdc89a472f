from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mqcap.ingest.mqsmfcsv.names import key_of
from mqcap.ingest.mqsmfcsv.rows import level_of, moment, value_of
from mqcap.ingest.smf.layout import Field, FieldType, layouts

ZERO = timedelta(0)


def field_of_type(name: str, kind: FieldType) -> Field:
    """The first field of the type that the formatter prints."""
    return next(field for field in layouts()[name].fields if field.type is kind and key_of(field))


def read(name: str, field: Field, level: str = "9.4.0", **cells: str) -> Any:
    """The value of a field whose cells are given by the part behind its key."""
    key = key_of(field)
    named = {f"{key}{part.removeprefix('of')}": cell for part, cell in cells.items()}
    return value_of(layouts()[name], field, named, level, ZERO)


@pytest.mark.parametrize(
    ("version", "level"),
    [("100000", "10.0.0"), ("935", "9.3.5"), (" 090405 ", "9.4.5"), ("9.4", None), ("", None)],
)
def test_a_printed_version_has_three_or_six_digits(version: str, level: str | None) -> None:
    assert level_of(version) == level


def test_a_printed_time_may_have_slashes_and_a_comma() -> None:
    expected = datetime(2025, 3, 10, 13, 30, 0, 250_000)  # noqa: DTZ001 - local
    assert moment("2025/03/10", "13:30:00,250000") == expected
    assert moment(" 2025-03-10 ", "13:30:00.250000") == expected


@pytest.mark.parametrize("day", ["", "  ", "1970-01-01", "1970/01/01"])
def test_a_time_that_is_not_set_is_none(day: str) -> None:
    assert moment(day, "00:00:00") is None


def test_a_time_that_cannot_be_is_an_error() -> None:
    with pytest.raises(ValueError, match="hour"):
        moment("2025-03-10", "25:00:00")


def test_an_instant_is_shifted_back_to_utc() -> None:
    field = field_of_type("QCST", FieldType.STCK)
    key = key_of(field)
    cells = {f"{key}date": "2025-03-10", f"{key}time": "13:30:00.000000"}
    value = value_of(layouts()["QCST"], field, cells, "9.4.0", timedelta(hours=-5))
    assert value == datetime(2025, 3, 10, 18, 30, tzinfo=UTC)
    assert value_of(layouts()["QCST"], field, {}, "9.4.0", ZERO) is None


def test_a_number_is_read_and_a_word_is_null() -> None:
    field = field_of_type("QPST", FieldType.U32)
    assert read("QPST", field, of="42") == 42
    assert read("QPST", field, of=" 7 ") == 7
    assert read("QPST", field, of="Yes") is None
    assert read("QPST", field) is None


def test_minus_one_is_an_absent_value_of_an_unsigned_field() -> None:
    assert read("QPST", field_of_type("QPST", FieldType.U32), of="-1") is None


def test_a_number_too_large_for_its_field_is_an_error() -> None:
    with pytest.raises(ValueError, match="more than 4 bytes can hold"):
        read("QPST", field_of_type("QPST", FieldType.U32), of=str(1 << 32))


@pytest.mark.parametrize("cell", ["1,234", "1.2E+05", "12E3", "1.5"])
def test_a_number_that_another_program_has_changed_is_an_error(cell: str) -> None:
    with pytest.raises(ValueError, match="another program has changed it"):
        read("QPST", field_of_type("QPST", FieldType.U32), of=cell)


def test_a_count_below_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="below zero"):
        read("QPST", field_of_type("QPST", FieldType.U32), of="-5")


def test_text_loses_its_padding_and_dots_are_empty() -> None:
    field = field_of_type("QCST", FieldType.EBCDIC)
    assert read("QCST", field, of="TO.PRD2   ") == "TO.PRD2"
    assert read("QCST", field, of="....") == ""


def test_a_duration_is_seconds_and_microseconds_or_all_in_one() -> None:
    field = field_of_type("QCTADP", FieldType.TIMEVAL)
    assert read("QCTADP", field, s="2", us="500000") == 2_500_000.0
    assert read("QCTADP", field, us="17") == 17.0
    assert read("QCTADP", field, of="17") == 17.0
    assert read("QCTADP", field, us="-1") is None
    assert read("QCTADP", field) is None
