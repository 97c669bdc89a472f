import gzip
import json
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from devtools.simulator.encode.fields import encode_sections, tod_of
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import (
    Field,
    FieldType,
    Layout,
    column_name,
    flat_fields,
    layouts,
)
from tests.many_values import for_each
from tests.mqcap.ingest.dumps import decode, random_values
from tests.shared import shared_cases, shared_dir


def _plain(values: Any) -> list[Any]:
    """Return values without their type; instants in microseconds."""
    if not isinstance(values, pa.ChunkedArray):
        return list(values)
    if pa.types.is_timestamp(values.type):
        values = values.cast(pa.timestamp("us")).cast(pa.int64())
    return list(values.to_pylist())


def _encoded(layout: Layout, values: dict[str, Any], empty: str | None) -> bytes:
    columns: dict[str, Any] = {}
    fields = {field.column: field for field in flat_fields(layout)}
    for name, value in values.items():
        field = fields.get(column_name(name))
        if field is None:
            continue
        columns[field.column] = _from_truth(field, value, empty)
    length = max(fields[column].end for column in columns)
    return encode_sections(layout, columns, length, 1).tobytes()


def _from_truth(field: Field, value: Any, empty: str | None) -> Any:
    if field.type is FieldType.STCK and isinstance(value, str):
        return np.datetime64(value.removesuffix("Z"), "us").astype(np.int64)
    if field.type is FieldType.EBCDIC and value == "":
        return empty
    if field.type is FieldType.STCKOFF:
        return value / 4096
    return value


@for_each("name", sorted(layouts()))
def test_decoding_what_was_encoded_gives_the_same_values(name: str) -> None:
    layout = layouts()[name]
    random = np.random.default_rng(1)
    fields = [field for field in flat_fields(layout) if not field.is_reserved]
    columns = {field.column: random_values(field, 3, random) for field in fields}
    length = max(field.end for field in fields)
    table = decode(layout, encode_sections(layout, columns, length, 3).tobytes(), length)
    if (array := layout.repeat) is None:
        for column, values in columns.items():
            assert _plain(table.column(column)) == _plain(values), column
        return
    for field in array.fields:
        if not field.is_reserved:
            result = np.array(_plain(table.column(field.column))).reshape(3, array.count)
            for entry in range(array.count):
                column = column_name(f"{array.name}[{entry}].{field.name}")
                assert result[:, entry].tolist() == _plain(columns[column])


def test_a_column_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="QJST has no column qjstnope"):
        encode_sections(layouts()["QJST"], {"qjstnope": 1}, 720, 1)


def test_a_time_that_is_not_set_is_zero() -> None:
    assert tod_of([0, 1]).tolist()[0] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", shared_cases(["mini", "mini_cf"]))
def test_the_sections_of_the_sample_dumps_are_encoded_to_the_byte(name: str) -> None:
    folder = shared_dir()
    assert folder is not None
    dump = (folder / "data/smf" / f"{name}.rdw.smf").read_bytes()
    truth = folder / "data/smf/expected" / f"{name}.truth.jsonl.gz"
    wanted: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(truth, "rt") as lines:
        for line in lines:
            section = json.loads(line)
            wanted[section["struct"]].append(section["values"])
    checked = 0
    for structure, rows in wanted.items():
        layout = layouts()[structure]
        if layout.repeat is not None:
            continue
        for values in rows:
            # text that is not set is blank or binary zeros
            assert any(_encoded(layout, values, empty) in dump for empty in ("", None))
            checked += 1
    assert checked > 50
