"""Objects as rows of cells: CSV and Parquet, for the command line, exports and the REST API."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Any, Final, get_args, get_origin

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import AwareDatetime, BaseModel


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


def as_parquet(rows: Iterable[Mapping[str, Any]], types: Mapping[str, pa.DataType]) -> bytes:
    """Return the rows as a Parquet file with the columns of ``types``, whatever the rows hold."""
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=pa.schema(list(types.items()))), target)
    return target.getvalue()


def column_types(model: type[BaseModel]) -> dict[str, pa.DataType]:
    """Return the type of each column of a model: that of its field; text for what is no figure."""
    return {
        field.serialization_alias or name: arrow_type(field.annotation)
        for name, field in model.model_fields.items()
    }


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


_TYPES: Final = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    date: pa.date32(),
    datetime: pa.timestamp("us", tz="UTC"),
    AwareDatetime: pa.timestamp("us", tz="UTC"),
}


def arrow_type(annotation: Any) -> pa.DataType:
    """Return the column type of an annotation; text for what is neither figure nor time."""
    candidates = [item for item in (annotation, *get_args(annotation)) if item in _TYPES]
    is_list = get_origin(annotation) in {tuple, list}
    return _TYPES[candidates[0]] if candidates and not is_list else pa.string()
