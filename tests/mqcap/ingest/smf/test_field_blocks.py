from __future__ import annotations

import numpy as np
import pytest

from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.field_blocks import copy_runs, runs_of
from mqcap.ingest.smf.layout import FieldType, layouts


@pytest.mark.parametrize("name", ["QPST", "QMST", "QCST", "R744F"])
def test_runs_cover_every_field_of_a_section_once_in_order(name: str) -> None:
    layout = layouts()[name]
    fields = [field for run in runs_of(layout, layout.length) for field in run.fields]
    assert fields == [
        field
        for field in layout.fields
        if not field.is_reserved and field.type is not FieldType.REPEAT
    ]
    assert set(column_fields(layout)) >= set(fields)


def test_a_short_section_has_the_fields_that_end_inside_of_it() -> None:
    layout = layouts()["QPST"]
    length = layout.fields[5].end
    fields = [field for run in runs_of(layout, length) for field in run.fields]
    assert fields
    assert max(field.end for field in fields) <= length


def test_adjacent_numbers_of_one_type_become_a_row_each() -> None:
    layout = layouts()["QPST"]
    runs = runs_of(layout, layout.length)
    run = max(runs, key=lambda item: len(item.fields))
    assert run.source is not None
    sections = np.zeros((2, layout.length), np.uint8)
    for number, field in enumerate(run.fields, 1):
        sections[0, field.end - 1] = number
        sections[1, field.end - 1] = number + 100
    offsets = np.array([0, layout.length], np.int64)
    matrices = copy_runs(runs, sections.reshape(-1), offsets, layout.length)
    matrix = matrices[runs.index(run)]
    count = len(run.fields)
    assert matrix.shape == (count, 2)
    assert matrix[:, 0].tolist() == list(range(1, count + 1))
    assert matrix[:, 1].tolist() == list(range(101, 101 + count))


def test_raw_bytes_keep_a_row_per_section() -> None:
    layout = layouts()["QCST"]
    runs = runs_of(layout, layout.length)
    text = next(run for run in runs if run.type is FieldType.EBCDIC)
    sections = np.zeros((3, layout.length), np.uint8)
    sections[1, text.begin : text.end] = 0xC1
    offsets = np.arange(3, dtype=np.int64) * layout.length
    matrix = copy_runs(runs, sections.reshape(-1), offsets, layout.length)[runs.index(text)]
    assert matrix.shape == (3, text.end - text.begin)
    assert set(matrix[1].tolist()) == {0xC1}
    assert not matrix[[0, 2]].any()
