"""Statements to the databases: no page scans a growing table, the dashboard runs."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Engine, event, text

from mq_capacity_page.pages.data import dag_runs
from mq_capacity_page.web.context import current_context
from mqcap.store.database import connect
from tests.airflow_home import CHECKOUT
from tests.plugins import builder
from tests.plugins.served.test_every_route import QUERY, SERVED
from tests.plugins.web import TestClient

GROWING: Final = ("observation_daily", "forecast", "forecast_point", "forecast_score",
                  "crossing_score", "finding", "crossing", "hold_out_crossing", "feed_day",
                  "problem", "plan", "loss", "console_state", "delivery", "step_run")  # fmt: skip
DASHBOARD: Final = json.loads(
    (CHECKOUT / "docker" / "grafana" / "mqcap.json").read_text(encoding="utf-8")
)
PAGES_WITH_QUERIES: Final = 14
IN_ORDER_OF_ITS_KEY: Final = ("/scorecard", "SCAN forecast_score USING INDEX")
"""The series with the lowest coverage are grouped from nearly all scores; SQLite reads them in the
order of the groups."""


def test_a_page_reads_growing_tables_by_an_index(
    store_url: str, site_folder: Path, monkeypatch: pytest.MonkeyPatch, client: TestClient
) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", store_url)
    monkeypatch.setattr(dag_runs, "day_of_run", lambda *_: builder.DAY)
    monkeypatch.setattr(dag_runs, "last_runs", list)
    engine = current_context().engine
    asked: dict[str, tuple[str, Any]] = {}
    address = ""

    def heard(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        if re.match(r"\s*(SELECT|WITH)\b", statement):
            asked.setdefault(statement, (address, given))

    event.listen(engine, "before_cursor_execute", heard)
    for method, address in SERVED:
        if method == "GET":
            client.get(address, params=QUERY)
    event.remove(engine, "before_cursor_execute", heard)
    assert len({page for page, _ in asked.values()}) > PAGES_WITH_QUERIES
    read_whole = [
        (page, line, statement)
        for statement, (page, given) in asked.items()
        for line in _read_whole(engine, statement, given)
        if not (page == IN_ORDER_OF_ITS_KEY[0] and line.startswith(IN_ORDER_OF_ITS_KEY[1]))
    ]
    assert read_whole == []


def _read_whole(engine: Engine, statement: str, given: Any) -> list[str]:
    """Lines of the plan that read a growing table without looking anything up."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            plan = [
                row[3] for row in _explained(connection, "EXPLAIN QUERY PLAN", statement, given)
            ]
            pattern = rf"SCAN ({'|'.join(GROWING)})\b"
        else:  # a table of a few rows is read whole where it can be helped, unless forbidden
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            plan = [row[0] for row in _explained(connection, "EXPLAIN", statement, given)]
            pattern = rf"Seq Scan on ({'|'.join(GROWING)})\b"
    return [line for line in plan if re.search(pattern, line)]


def _explained(connection: Connection, verb: str, statement: str, given: Any) -> list[Any]:
    return list(connection.exec_driver_sql(f"{verb} {statement}", given))


def _asked_by_the_dashboard() -> dict[str, str]:
    """By panel or variable: its query."""
    panels = {panel["title"]: panel["targets"] for panel in DASHBOARD["panels"]}
    asked = {title: target["rawSql"] for title, targets in panels.items() for target in targets}
    lists = DASHBOARD["templating"]["list"]
    return asked | {item["name"]: item["query"] for item in lists if item["type"] == "query"}


@pytest.mark.thorough
def test_each_query_of_the_dashboard_runs_on_postgresql_and_finds_rows(postgres_store: str) -> None:
    asked = _asked_by_the_dashboard()
    assert len(asked) == len(DASHBOARD["panels"]) + 1
    engine = connect(postgres_store)
    with engine.connect() as connection:
        for title, query in asked.items():
            # what Grafana puts in the place of its variable and of its macro
            given = query.replace("$series", builder.LOG).replace(
                "$__timeFilter(site_date)",
                "site_date BETWEEN '2000-01-01T00:00:00Z' AND '2100-01-01T00:00:00Z'",
            )
            assert "$" not in given, title
            assert connection.exec_driver_sql(given).fetchall(), title
    engine.dispose()
