"""Lists of the REST API: one page as JSON, or all items as CSV or Parquet."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Generic, TypeVar

from fastapi import Query
from fastapi.responses import Response
from pydantic import BaseModel

from mqcap.presentation.tabular import as_csv, as_parquet, column_types, flat

Entry = TypeVar("Entry")
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


@dataclass(frozen=True)
class ListQuery:
    """The part of a list that is returned, and its format: the parameters that all lists have."""

    start: Start = 0
    limit: Limit = 100
    form: Form = ListFormat.json

    def part_of(self, every: Sequence[Entry]) -> Sequence[Entry]:
        """Return what is answered of a list: a page as JSON, all of it as a file."""
        is_page = self.form is ListFormat.json
        return every[self.start : self.start + self.limit] if is_page else every


def list_response(
    items: Sequence[Item], model: type[Item], query: ListQuery, name: str, total: int | None = None
) -> ListPage[Item] | Response:
    """Return one page of the items, or all of them as a file ``mqcap-<name>``.

    With ``total``, the items are already the part that is answered of a list of so many.
    """
    if query.form is ListFormat.json:
        end = query.start + query.limit
        count = len(items) if total is None else total
        return ListPage[Item](
            total=count,
            start=query.start,
            next=end if end < count else None,
            items=list(query.part_of(items) if total is None else items),
        )
    types = column_types(model)
    rows = [dict(zip(types, (flat(value) for _, value in item), strict=True)) for item in items]
    if query.form is ListFormat.csv:
        content = as_csv(rows, list(types), "\r\n").encode()
    else:
        content = as_parquet(rows, types)
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="mqcap-{name}.{query.form}"',
    }
    return Response(content, media_type=MEDIA_TYPES[query.form], headers=headers)
