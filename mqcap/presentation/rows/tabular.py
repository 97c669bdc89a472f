"""Objects as rows of cells: CSV and Parquet, for the command line, exports and the REST API."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Any, get_args, get_origin

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import AwareDatetime, BaseModel

from mqcap.domain.names.short_names import ColumnKind, Columns


def column_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the column of each field: its JSON key, which is its alias when it has one."""
    return {name: field.serialization_alias or name for name, field in model.model_fields.items()}


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], end: str = "\n") -> str:
    """Return the rows as CSV with a header; days and instants in ISO 8601, blank where absent.

    A row may have more keys than there are columns.
    """
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, columns, extrasaction="ignore", lineterminator=end)
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {
                key: value.isoformat() if isinstance(value, date | datetime) else value
                for key, value in row.items()
            }
        )
    return target.getvalue()


def as_parquet(rows: Iterable[Mapping[str, Any]], model: type[BaseModel]) -> bytes:
    """Return the rows as a Parquet file whose column types are those of the model's fields."""
    columns = column_names(model)
    schema = pa.schema(
        [
            (columns[name], _arrow_type(pa, field.annotation))
            for name, field in model.model_fields.items()
        ]
    )
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), target)
    return target.getvalue()


def as_parquet_of(rows: Iterable[Mapping[str, Any]], columns: Columns) -> bytes:
    """Return the rows as a Parquet file with the types of these columns, whatever the rows hold."""
    types = {
        ColumnKind.text: pa.string(),
        ColumnKind.number: pa.float64(),
        ColumnKind.day: pa.date32(),
    }
    schema = pa.schema([(name, types[column.kind]) for name, column in columns.items()])
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), target)
    return target.getvalue()


def as_json_lines(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> str:
    """Return one JSON object per row and line, with these keys; days in ISO 8601."""
    names = list(columns)
    return "".join(
        json.dumps({name: row[name] for name in names}, ensure_ascii=False, default=str) + "\n"
        for row in rows
    )


def flat(value: Any) -> Any:
    """Return a value that fits one cell: text of enumerations, JSON of nested objects."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return "; ".join(str(flat(item)) for item in value)
    return value


def _arrow_type(pa: Any, annotation: Any) -> Any:
    """Return the column type of a field, whatever its rows hold; text for all other types."""
    types = {
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        date: pa.date32(),
        datetime: pa.timestamp("us", tz="UTC"),
        AwareDatetime: pa.timestamp("us", tz="UTC"),
    }
    candidates = [item for item in (annotation, *get_args(annotation)) if item in types]
    is_list = get_origin(annotation) in {tuple, list}
    return types[candidates[0]] if candidates and not is_list else pa.string()
