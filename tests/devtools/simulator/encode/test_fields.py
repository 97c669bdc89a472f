import gzip
import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from tests.mqcap.ingest.dumps import decode
from tests.shared import shared_cases, shared_dir

_INTEGER_BOUNDS = {
    FieldType.U8: (0, 2**8 - 1),
    FieldType.U16: (0, 2**16 - 1),
    FieldType.I16: (-(2**15), 2**15 - 1),
    FieldType.U32: (0, 2**32 - 1),
    FieldType.I32: (-(2**31), 2**31 - 1),
    FieldType.U64: (0, 2**63 - 1),
    FieldType.I64: (-(2**63), 2**63 - 1),
}


_LETTERS = list("ABCXYZ0189@#$./_%-")


def _random_column(field: Field, count: int, source: np.random.Generator) -> Any:
    if field.type in _INTEGER_BOUNDS:
        low, high = _INTEGER_BOUNDS[field.type]
        return source.integers(low, high, count, endpoint=True, dtype=_wide(field.type))
    return _RANDOM[field.type](field, count, source)


def _text(field: Field, count: int, source: np.random.Generator) -> list[str]:
    lengths = source.integers(1, field.length, count, endpoint=True)
    return ["".join(source.choice(_LETTERS, length)) for length in lengths]


_RANDOM: dict[FieldType, Callable[[Field, int, np.random.Generator], Any]] = {
    FieldType.EBCDIC: _text,
    # until the TOD clock wraps in 2042
    FieldType.STCK: lambda _, n, source: source.integers(1, 2_200_000_000_000_000, n),
    FieldType.TIMEVAL: lambda _, n, source: source.integers(0, 2**50, n) / 4096,
    FieldType.STCKOFF: lambda _, n, source: source.integers(-(2**40), 2**40, n) / 1.0,
    FieldType.HFP64: lambda _, n, source: (
        source.normal(0, 1, n) * 10.0 ** source.integers(-9, 15, n)
    ),
    # 20 bits fit into the fraction, whatever the power of 16
    FieldType.HFP32: lambda _, n, source: np.ldexp(
        source.integers(-(2**20), 2**20, n).astype(np.float64), source.integers(-40, 40, n)
    ),
    FieldType.PACKED: lambda field, n, source: source.integers(0, 10 ** (2 * field.length - 1), n),
    FieldType.BYTES: lambda field, n, source: [source.bytes(field.length).hex() for _ in range(n)],
}


def _wide(kind: FieldType) -> type[np.int64 | np.uint64]:
    return np.uint64 if kind is FieldType.U64 else np.int64


def _listed(field: Field, values: Any) -> list[Any]:
    if field.type is FieldType.STCK:
        return [value.item() for value in values.astype("datetime64[us]")]
    return list(values) if isinstance(values, list) else list(values.tolist())


def _plain(field: Field, values: list[Any]) -> list[Any]:
    if field.type is FieldType.STCK:
        return [value.replace(tzinfo=None) for value in values]
    return values


def _check_entries(layout: Layout, columns: dict[str, Any], table: Any) -> None:
    array = layout.repeat
    assert array is not None
    assert table.num_rows == 3 * array.count
    for field in array.fields:
        if field.is_reserved:
            continue
        result = np.array(table.column(field.column).to_pylist()).reshape(3, array.count)
        for entry in range(array.count):
            column = column_name(f"{array.name}[{entry}].{field.name}")
            assert result[:, entry].tolist() == _listed(field, columns[column])


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


@pytest.mark.parametrize("name", sorted(layouts()))
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_decoding_what_was_encoded_gives_the_same_values(name: str, seed: int) -> None:
    layout = layouts()[name]
    source = np.random.default_rng(seed)
    fields = [field for field in flat_fields(layout) if not field.is_reserved]
    columns = {field.column: _random_column(field, 3, source) for field in fields}
    length = max(field.end for field in fields)
    sections = encode_sections(layout, columns, length, 3)
    table = decode(layout, sections.tobytes(), length)
    if layout.repeat is not None:
        _check_entries(layout, columns, table)
        return
    for field in fields:
        result = _plain(field, table.column(field.column).to_pylist())
        assert result == _listed(field, columns[field.column]), field.name


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
