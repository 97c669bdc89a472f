"""The REST API: pages of rows, files and its description."""

import csv
import io
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from fastapi.responses import Response
from pydantic import BaseModel, Field

from mq_capacity_page.api.paging import ListFormat, ListPage, ListQuery, list_response
from mq_capacity_page.web.context import PageContext
from mqcap.domain.finding import Severity
from mqcap.presentation.plan_summary import plan_object
from mqcap.store.plans import replace_losses
from tests.plan_factories import loss
from tests.plugins import builder
from tests.plugins.scores import fill
from tests.plugins.web import TestClient


def test_findings_are_those_of_the_page_in_its_order(filled: TestClient) -> None:
    document = filled.get("/api/findings").json()
    assert document["total"] == 4
    assert document["items"][0]["severity"] == "act"
    only = filled.get("/api/findings?severity=watch&sysplex=PLEX1").json()
    assert [item["subject"] for item in only["items"]] == ["PLEX1/CF01"]
    below = filled.get("/api/findings?subject=PLEX2").json()
    assert [item["subject"] for item in below["items"]] == ["PLEX2/TST1"]


def test_plans_are_those_of_the_command_line_production_first(filled: TestClient) -> None:
    document = filled.get("/api/plans").json()
    assert [item["about"]["resource"] for item in document["items"]] == [
        "PLEX1/CSQ1/active_log",
        "PLEX1/CF01",
        "PLEX2/TST1/active_log",
    ]
    expected = plan_object(builder.plan()).model_dump(mode="json")
    assert document["items"][0] == expected
    assert {"rule", "before", "after"} <= expected["evidence"]["rules"][0].keys()


@pytest.mark.parametrize(
    ("query", "count"),
    [("severity=act", 2), ("resource=CSQ1", 1), ("day=2026-01-30", 0), ("resource=PLEX9", 0)],
)
def test_plans_are_chosen_by_day_severity_and_part_of_the_path(
    filled: TestClient, query: str, count: int
) -> None:
    assert filled.get(f"/api/plans?{query}").json()["total"] == count


@pytest.mark.parametrize("name", ["findings", "plans", "crossings", "series", "feeds", "tickets"])
def test_a_list_as_csv_and_as_parquet_holds_the_same(filled: TestClient, name: str) -> None:
    total = filled.get(f"/api/{name}").json()["total"]
    answer = filled.get(f"/api/{name}?form=csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    table = pq.read_table(io.BytesIO(filled.get(f"/api/{name}?form=parquet").content))
    assert len(rows) == table.num_rows == total > 0
    assert list(rows[0]) == table.column_names
    assert answer.headers["content-disposition"] == f'attachment; filename="mqcap-{name}.csv"'


def test_one_finding_and_one_forecast_are_given_in_full(filled: TestClient) -> None:
    finding = filled.get("/api/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1").json()
    assert finding["arithmetic"] == ["limit = 4050 MiB / 1800 s = 2.25 MiB/s"]
    forecast = filled.get(f"/api/forecast?series={builder.LOG}").json()
    assert (len(forecast["points"]), forecast["unit"]) == (90, "MiB/s")


@pytest.mark.parametrize("name", ["observations", "hours", "intervals"])
def test_every_row_of_a_series_states_its_unit(filled: TestClient, name: str) -> None:
    address = f"/api/{name}?series={builder.LOG}"
    assert {item["unit"] for item in filled.get(address).json()["items"]} <= {"MiB/s"}
    assert "unit" in filled.get(f"{address}&form=csv").text.splitlines()[0].split(",")
    assert (
        "unit"
        in pq.read_table(io.BytesIO(filled.get(f"{address}&form=parquet").content)).schema.names
    )


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/finding?rule=NONE&subject=PLEX1/CSQ1", 404),
        ("/api/observations?series=none", 404),
        ("/api/forecast?series=none", 404),
        ("/api/findings?limit=0", 422),
        ("/api/findings?limit=100000", 422),
        ("/api/findings?start=-1", 422),
    ],
)
def test_what_is_not_known_or_not_allowed_is_refused(
    filled: TestClient, address: str, status: int
) -> None:
    assert filled.get(address).status_code == status


def test_the_description_names_every_address_with_its_login(filled: TestClient) -> None:
    described: dict[str, Any] = filled.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.")
    assert set(described["components"]["securitySchemes"]) == {"session", "token"}
    for path, operation in described["paths"].items():
        assert operation["get"]["description"], path
        assert "401" in operation["get"]["responses"], path
        for parameter in operation["get"].get("parameters", []):
            assert parameter["description"].endswith("."), (path, parameter["name"])


@pytest.mark.parametrize(("is_on", "status"), [(True, 200), (False, 404)])
def test_swagger_ui_is_served_where_airflow_serves_its_own(
    filled: TestClient, monkeypatch: pytest.MonkeyPatch, is_on: bool, status: int
) -> None:
    from mq_capacity_page.api import routes  # noqa: PLC0415 - loads Airflow

    monkeypatch.setattr(routes, "swagger_is_enabled", lambda: is_on)
    answer = filled.get("/api/docs")
    assert answer.status_code == status
    assert ("openapi.json" in answer.text) is True


def test_programs_get_the_same_scores(site_folder: Path, filled: TestClient) -> None:
    fill(site_folder)
    items = filled.get("/api/scores").json()["items"]
    assert [(item["metric"], item["coverage_ratio"]) for item in items] == [
        ("cf_busy_pct", 0.8),
        ("log_growth_mib_per_s", 0.6),
    ]
    [score] = filled.get("/api/reliability").json()["items"]
    assert (score["stated"], score["came"]) == (0.7, 1.0)


def test_programs_get_hours_and_intervals(traced: TestClient) -> None:
    hours = traced.get(f"/api/hours?series={builder.LOG}").json()
    assert (hours["total"], hours["items"][0]["peak"]) == (47, 2.0)
    document = traced.get(f"/api/intervals?series={builder.LOG}&limit=2").json()
    assert (document["total"], document["next"]) == (94, 2)
    assert [item["level"] for item in document["items"]] == [1.0, 2.0]
    table = traced.get(f"/api/intervals?series={builder.LOG}&form=csv").text
    assert table.splitlines()[0] == "start_utc,end_utc,level,unit"
    assert traced.get("/api/hours?series=none").status_code == 404


def test_losses_are_those_of_the_command_line(filled: TestClient, context: PageContext) -> None:
    found = [loss(), loss(lost="PLEX1/CSQ2", severity=Severity.act)]
    replace_losses(context.engine, builder.DAY, found)
    document = filled.get("/api/losses").json()
    assert document["items"] == [each.model_dump(mode="json") for each in reversed(found)]
    assert filled.get("/api/losses?severity=watch&lost=CF02").json()["total"] == 1
    assert filled.get("/api/losses?lost=CF09").json()["total"] == 0


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
