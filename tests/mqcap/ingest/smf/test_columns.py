"""Values of one field in many sections as one Arrow column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mqcap.ingest.smf.columns import (
    INSTANT,
    column_type,
    columns_of,
    encoded_text,
)
from mqcap.ingest.smf.field_blocks import copy_runs, runs_of
from mqcap.ingest.smf.layout import Field, FieldType, layouts


def first_of(kind: FieldType) -> tuple[str, Field]:
    """The first structure with a field of a type, and the field."""
    return next(
        (layout.name, field)
        for layout in layouts().values()
        for field in layout.fields
        if field.type is kind and not field.is_reserved
    )


def values(kind: FieldType, *raw: bytes) -> list[Any]:
    """The column of a field of this type whose sections hold these bytes."""
    name, field = first_of(kind)
    layout = layouts()[name]
    sections = np.zeros((len(raw), layout.length), np.uint8)
    for row, content in enumerate(raw):
        sections[row, field.offset : field.end] = np.frombuffer(content, np.uint8)
    runs = runs_of(layout, layout.length)
    offsets = np.arange(len(raw), dtype=np.int64) * layout.length
    matrices = copy_runs(runs, sections.reshape(-1), offsets, layout.length)
    for run, matrix in zip(runs, matrices, strict=True):
        if field in run.fields:
            return list(columns_of(run, matrix)[run.fields.index(field)].to_pylist())
    raise AssertionError(field)


def test_an_instant_that_is_not_set_is_null() -> None:
    name, field = first_of(FieldType.STCK)
    assert column_type(field) == INSTANT, name
    assert values(FieldType.STCK, b"\x00" * 8) == [None]


def test_a_duration_in_tod_units_becomes_microseconds() -> None:
    assert values(FieldType.TIMEVAL, (4_096).to_bytes(8, "big"), (2_048).to_bytes(8, "big")) == [
        1.0,
        0.5,
    ]


def test_a_packed_number_with_an_invalid_nibble_is_null() -> None:
    _, field = first_of(FieldType.PACKED)
    filled = bytes(field.length - 2)
    valid, invalid = filled + b"\x12\x3c", filled + b"\x1a\x3c"
    assert values(FieldType.PACKED, valid, invalid) == [123, None]


def test_equal_texts_are_stored_once_whatever_their_bytes() -> None:
    zero_and_blank = np.array([[0xD8, 0x00], [0xD8, 0x40], [0xD4, 0x40]], np.uint8)
    made = encoded_text(zero_and_blank)
    assert made.to_pylist() == ["Q", "Q", "M"]
    assert len(made.dictionary) == 2


@pytest.mark.parametrize("count", [127, 128, 129])  # of 8 bytes; those of 128 are remembered
def test_few_texts_are_the_same_when_they_come_again(count: int) -> None:
    texts = [f"Q{number:07d}" for number in range(count)]
    raw = np.frombuffer("".join(texts).encode("cp037"), np.uint8).reshape(count, 8)
    for _ in range(2):
        assert encoded_text(raw).to_pylist() == texts


@pytest.mark.parametrize("width", [3, 4, 5, 7, 8, 9])
def test_texts_of_any_width_are_numbered_in_the_order_of_their_first_rows(width: int) -> None:
    texts = [text.ljust(width)[:width] for text in ("B", "A", "B", "", "C")]
    raw = np.frombuffer("".join(texts).encode("cp037"), np.uint8).reshape(-1, width)
    found = encoded_text(raw)
    assert found.to_pylist() == ["B", "A", "B", "", "C"]
    assert found.dictionary.to_pylist() == ["B", "A", "", "C"]
