"""Pages of rows."""

import csv
import io
from datetime import UTC, date, datetime
from enum import StrEnum

import pyarrow.parquet as pq
import pytest
from fastapi.responses import Response
from pydantic import BaseModel, Field

from mq_capacity_page.api.paging import ListFormat, ListPage, ListQuery, list_response


class Colour(StrEnum):
    red = "red"


class Part(BaseModel):
    number: int


class Thing(BaseModel):
    name: str
    size: float | None = None
    count: int = 0
    made: date = date(2026, 1, 31)
    at_utc: datetime = datetime(2026, 1, 31, 9, tzinfo=UTC)
    colour: Colour = Colour.red
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    good: bool = Field(default=True, serialization_alias="is_good")


THINGS = [Thing(name=f"t{number}") for number in range(5)]


def page(start: int, limit: int) -> ListPage[Thing]:
    made = list_response(THINGS, Thing, ListQuery(start=start, limit=limit), "things")
    assert isinstance(made, ListPage)
    return made


def file(form: ListFormat, things: list[Thing]) -> Response:
    made = list_response(things, Thing, ListQuery(form=form), "things")
    assert isinstance(made, Response)
    return made


@pytest.mark.parametrize(
    ("start", "limit", "names", "following"),
    [
        (0, 2, ["t0", "t1"], 2),
        (3, 2, ["t3", "t4"], None),
        (4, 10, ["t4"], None),
        (5, 1, [], None),
        (0, 5, ["t0", "t1", "t2", "t3", "t4"], None),
    ],
)
def test_a_page_names_the_start_of_the_next_one(
    start: int, limit: int, names: list[str], following: int | None
) -> None:
    made = page(start, limit)
    assert [item.name for item in made.items] == names
    assert (made.total, made.start, made.next) == (5, start, following)


@pytest.mark.parametrize(
    ("form", "count"), [(ListFormat.json, 2), (ListFormat.csv, 5), (ListFormat.parquet, 5)]
)
def test_of_a_list_only_what_is_answered_has_to_be_made(form: ListFormat, count: int) -> None:
    query = ListQuery(start=1, limit=2, form=form)
    part = query.part_of(THINGS)
    assert len(part) == count
    made, whole = (
        list_response(things, Thing, query, "things", total)
        for things, total in ((part, len(THINGS)), (THINGS, None))
    )
    if isinstance(made, ListPage):
        assert made == whole
        assert (made.total, made.next) == (5, 3)
    else:
        assert isinstance(whole, Response)
        assert made.body == whole.body


def test_pages_together_are_the_complete_list() -> None:
    seen: list[str] = []
    start: int | None = 0
    while start is not None:
        made = page(start, 2)
        seen += [item.name for item in made.items]
        start = made.next
    assert seen == [thing.name for thing in THINGS]


def test_a_csv_file_has_one_cell_for_each_field() -> None:
    thing = Thing(name='a "quoted", name', size=1.5, parts=(Part(number=1), Part(number=2)),
                  words=("x", "y"))  # fmt: skip
    response = file(ListFormat.csv, [thing])
    text = bytes(response.body).decode()
    [row] = csv.DictReader(io.StringIO(text, newline=""))
    assert row == {
        "name": 'a "quoted", name',
        "size": "1.5",
        "count": "0",
        "made": "2026-01-31",
        "at_utc": "2026-01-31T09:00:00+00:00",
        "colour": "red",
        "parts": '{"number":1}; {"number":2}',
        "words": "x; y",
        "is_good": "True",
    }
    assert text.endswith("\r\n")
    assert response.headers["content-disposition"] == 'attachment; filename="mqcap-things.csv"'
    assert response.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("things", [[], [Thing(name="one", size=None)]], ids=["empty", "filled"])
def test_types_of_a_parquet_file_do_not_depend_on_its_rows(things: list[Thing]) -> None:
    table = pq.read_table(io.BytesIO(bytes(file(ListFormat.parquet, things).body)))
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "name": "string",
        "size": "double",
        "count": "int64",
        "made": "date32[day]",
        "at_utc": "timestamp[us, tz=UTC]",
        "colour": "string",
        "parts": "string",
        "words": "string",
        "is_good": "bool",
    }
    assert table.num_rows == len(things)
