"""Lists of the interface: a page as JSON, or everything as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Annotated, Any, Final, Generic, TypeVar, get_args, get_origin

from fastapi import Query
from fastapi.responses import Response
from pydantic import AwareDatetime, BaseModel

Item = TypeVar("Item", bound=BaseModel)

MAX_ITEMS: Final = 1_000


class Form(StrEnum):
    """How a list is given."""

    json = "json"
    csv = "csv"
    parquet = "parquet"


MEDIA_TYPES: Final = {
    Form.csv: "text/csv; charset=utf-8",
    Form.parquet: "application/vnd.apache.parquet",
}


class Paged(BaseModel, Generic[Item]):
    """Some items of a list."""

    total: int
    """How many items there are at all."""
    start: int
    """Number of the first item given, from 0."""
    next: int | None
    """``start`` of the next page; absent on the last one."""
    items: list[Item]


class Wanted(BaseModel):
    """Which part of a list, and as what."""

    start: Annotated[int, Query(ge=0, description="Number of the first item, from 0.")] = 0
    limit: Annotated[int, Query(ge=1, le=MAX_ITEMS, description="Most items of a page.")] = 100
    form: Annotated[
        Form, Query(description="json: one page; csv or parquet: all items as a file.")
    ] = Form.json


def given(
    items: Sequence[Item], model: type[Item], wanted: Wanted, name: str
) -> Paged[Item] | Response:
    """One page of the items, or all of them as a file of that name."""
    if wanted.form is Form.json:
        end = wanted.start + wanted.limit
        return Paged[Item](
            total=len(items),
            start=wanted.start,
            next=end if end < len(items) else None,
            items=list(items[wanted.start : end]),
        )
    columns = _columns(model)
    rows = [{columns[key]: _plain(value) for key, value in item} for item in items]
    is_csv = wanted.form is Form.csv
    made = _csv(rows, list(columns.values())) if is_csv else _parquet(rows, model)
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="mqcap-{name}.{wanted.form}"',
    }
    return Response(made, media_type=MEDIA_TYPES[wanted.form], headers=headers)


def _columns(model: type[BaseModel]) -> dict[str, str]:
    """Return the column of each field: its JSON key, which is its alias when it has one."""
    return {name: info.serialization_alias or name for name, info in model.model_fields.items()}


def _plain(value: Any) -> Any:
    """Words for words; nested things as their JSON."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, tuple | list):
        return "; ".join(str(_plain(one)) for one in value)
    return value


def _csv(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> bytes:
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, columns, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        moments = {key: value.isoformat() for key, value in row.items()
                   if isinstance(value, date | datetime)}  # fmt: skip
        writer.writerow({**row, **moments})
    return target.getvalue().encode()


def _parquet(rows: Sequence[dict[str, Any]], model: type[BaseModel]) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - only for files of this form
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    columns = _columns(model)
    schema = pa.schema([(columns[name], _arrow_type(pa, info.annotation))
                        for name, info in model.model_fields.items()])  # fmt: skip
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), target)
    return target.getvalue()


def _arrow_type(pa: Any, annotation: Any) -> Any:
    """The column type of a field, the same whatever its rows hold; all else is text."""
    types = {
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        date: pa.date32(),
        datetime: pa.timestamp("us", tz="UTC"),
        AwareDatetime: pa.timestamp("us", tz="UTC"),
    }
    known = [one for one in (annotation, *get_args(annotation)) if one in types]
    is_list = get_origin(annotation) in {tuple, list}
    return types[known[0]] if known and not is_list else pa.string()
