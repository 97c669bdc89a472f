from __future__ import annotations

import numpy as np

from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.strided_read import field_bytes, strided_rows, strided_structures

BUFFER = np.arange(20, dtype=np.uint8)


def rows(offsets: list[int], length: int, buffer: np.ndarray = BUFFER) -> list[list[int]]:
    return [list(row) for row in strided_rows(buffer, np.array(offsets, np.int64), length)]


def test_rows_are_the_bytes_at_their_offsets_in_any_order_and_overlapping() -> None:
    assert rows([5, 0, 6], 3) == [[5, 6, 7], [0, 1, 2], [6, 7, 8]]


def test_offsets_outside_of_the_buffer_are_moved_inside() -> None:
    assert rows([-4, 99], 2) == [[0, 1], [18, 19]]


def test_no_offsets_give_no_rows_and_a_short_buffer_gives_zeros() -> None:
    assert rows([], 4) == []
    assert rows([0, 3], 4, BUFFER[:3]) == [[0, 0, 0, 0], [0, 0, 0, 0]]


def test_structures_are_records_of_the_layout() -> None:
    layout = layouts()["SM115"]
    content = np.zeros(3 * layout.length, np.uint8)
    content[layout.length + 5] = 115
    offsets = np.array([0, layout.length], np.int64)
    structures = strided_structures(content, offsets, layout, layout.length)
    column = next(field.column for field in layout.fields if field.offset == 5)
    assert [bytes(row) for row in field_bytes(structures, column)] == [b"\x00", b"\x73"]


def test_bytes_before_a_record_without_descriptor_word_are_zero() -> None:
    layout = layouts()["SM115"]
    content = np.full(2 * layout.length, 7, np.uint8)
    structures = strided_structures(
        content, np.array([-4], np.int64), layout, layout.length, behind=4
    )
    raw = structures.tobytes()
    assert raw[:4] == bytes(4)
    assert set(raw[4:]) == {7}
