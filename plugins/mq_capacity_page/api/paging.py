"""Lists of the REST API: one page as JSON, or all items as CSV or Parquet."""

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


class ListFormat(StrEnum):
    """Formats of a list."""

    json = "json"
    csv = "csv"
    parquet = "parquet"


MEDIA_TYPES: Final = {
    ListFormat.csv: "text/csv; charset=utf-8",
    ListFormat.parquet: "application/vnd.apache.parquet",
}


class ListPage(BaseModel, Generic[Item]):
    """Consecutive items of a list."""

    total: int
    """Number of items of the list."""
    start: int
    """Number of the first item of this page, from 0."""
    next: int | None
    """``start`` of the next page; absent on the last one."""
    items: list[Item]


Start = Annotated[int, Query(ge=0, description="Number of the first item, from 0.")]
Limit = Annotated[int, Query(ge=1, le=MAX_ITEMS, description="Most items of a page.")]
Form = Annotated[
    ListFormat, Query(description="json: one page; csv or parquet: all items as a file.")
]


class ListQuery(BaseModel):
    """The part of a list that is returned, and its format."""

    start: Start = 0
    limit: Limit = 100
    form: Form = ListFormat.json


def list_query(start: Start = 0, limit: Limit = 100, form: Form = ListFormat.json) -> ListQuery:
    """Return the parameters that all lists have; as a model they would lose their description."""
    return ListQuery(start=start, limit=limit, form=form)


def list_response(
    items: Sequence[Item], model: type[Item], query: ListQuery, name: str
) -> ListPage[Item] | Response:
    """Return one page of the items, or all of them as a file ``mqcap-<name>``."""
    if query.form is ListFormat.json:
        end = query.start + query.limit
        return ListPage[Item](
            total=len(items),
            start=query.start,
            next=end if end < len(items) else None,
            items=list(items[query.start : end]),
        )
    columns = column_names(model)
    rows = [{columns[key]: _flat(value) for key, value in item} for item in items]
    is_csv = query.form is ListFormat.csv
    content = as_csv(rows, list(columns.values())) if is_csv else as_parquet(rows, model)
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="mqcap-{name}.{query.form}"',
    }
    return Response(content, media_type=MEDIA_TYPES[query.form], headers=headers)


def column_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the column of each field: its JSON key, which is its alias when it has one."""
    return {name: field.serialization_alias or name for name, field in model.model_fields.items()}


def as_csv(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> bytes:
    """Return the rows as CSV with a header; days and instants in ISO 8601."""
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, columns, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {
                key: value.isoformat() if isinstance(value, date | datetime) else value
                for key, value in row.items()
            }
        )
    return target.getvalue().encode()


def as_parquet(rows: Sequence[dict[str, Any]], model: type[BaseModel]) -> bytes:
    """Return the rows as a Parquet file whose column types are those of the model's fields."""
    import pyarrow as pa  # noqa: PLC0415 - only for files of this format
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

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


def _flat(value: Any) -> Any:
    """Return a value that fits one cell: text of enumerations, JSON of nested models."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, tuple | list):
        return "; ".join(str(_flat(item)) for item in value)
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
