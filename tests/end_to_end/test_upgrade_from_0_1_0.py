"""A store and a lake of release 0.1.0 open unchanged in value, and take the next day."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import tarfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select

from mqcap.change_pack.pack import change_pack
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding
from mqcap.domain.input_source import TextSource
from mqcap.domain.typed_amount import TypedKind
from mqcap.notifications.resources import resource_path
from mqcap.reports.document import ReportKind
from mqcap.reports.make import make_report
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings, load_settings
from mqcap.steps import runner
from mqcap.store.annotations import annotations_on
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store, open_store
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import finding_dates, read_findings
from mqcap.store.forecasts import read_forecasts
from mqcap.store.outbox import read_deliveries
from mqcap.store.problems import latest_acknowledgements, read_problems
from mqcap.store.scenarios import read_scenarios
from mqcap.store.tables import Base
from mqcap.store.tickets import read_tickets
from mqcap.store.upkeep import check
from spark_apps.runtime.session import spark_session
from tests.end_to_end import since_0_1_0
from tests.end_to_end.since_0_1_0 import as_today, is_of_the_release, without_simulated

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

DATA: Final = Path(__file__).parents[1] / "data" / "release_0_1_0"
DAYS: Final = (date(2026, 10, 12), date(2026, 10, 13), date(2026, 10, 14))
NEXT_DAY: Final = date(2026, 10, 15)
STEPS: Final = (
    runner.land,
    runner.decode_and_aggregate,
    runner.observe,
    runner.export_training,
    runner.fit,
    runner.store_forecasts,
    runner.size,
    runner.alert,
)
NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\w)")


def expected(name: str) -> Any:
    return json.loads(lzma.decompress((DATA / f"{name}.json.xz").read_bytes()))


SHOWN: Final = expected("expected")
NEXT: Final = expected("expected_next_day")
GROUPED: Final = "LOG-RUNWAY-12H/PLEXA/MQA1"
"""The key of a ticket of the release that also has a problem of another resource."""
OPENED: Final = {"CF-BUSY-1/PLEXA/CFA1": "PLEXA/CFA1"}
"""The key of the ticket that the next day opens, in the release and today."""
"""The key of a ticket about the loss of the only coupling facility."""
RECOVERY: Final = "PLEXA/MQA1/recovery"
RECOMPUTED: Final = {
    "LOG-RUNWAY-12H": "the rule is in h now, observed 1.7913883738249448, limit 12"
}
"""Where the stored inputs give another figure today: 5 logs x 1,024 MiB / 0.7939 MiB/s."""
EXPLAINED: Final = [tuple(pair) for pair in SHOWN["explained"]]


def unpacked(folder: Path, environment: pytest.MonkeyPatch) -> Path:
    """A copy of the site in a folder, made the site of the settings."""
    # Python before 3.11.4 has no filters.
    options: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    shutil.unpack_archive(DATA / "site.tar.xz", folder, **options)
    site = folder / "release_0_1_0"
    for name, value in {
        "SETTINGS_FILE": site / "platform.yaml",
        "LAKE": site / "lake",
        "STORE__URL": f"sqlite:///{site / 'store.db'}",
        "INGEST__INBOX": site / "inbox",
        "ALERTS__MAIL_FOLDER": site / "mail",
        "REPORTS__FOLDER": site / "reports",
    }.items():
        environment.setenv(f"MQCAP_{name}", str(value))
    return site


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Settings]]:
    """The store as the release left it, opened by the code of today."""
    with pytest.MonkeyPatch.context() as environment:
        unpacked(tmp_path_factory.mktemp("past"), environment)
        settings = load_settings()
        engine = open_store(settings.store.url.get_secret_value())
        yield engine, settings
        engine.dispose()


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store of another copy, once the next day was delivered and run."""
    with pytest.MonkeyPatch.context() as environment:
        site = unpacked(tmp_path_factory.mktemp("next"), environment)
        for file in sorted((site / "next_day").iterdir()):
            shutil.copy2(file, site / "inbox")
        settings = load_settings()
        with spark_session("upgrade", settings.spark):
            for step in STEPS:
                step(settings, NEXT_DAY)
        engine = open_store(settings.store.url.get_secret_value())
        yield engine
        engine.dispose()


def rows(engine: Store, table: str, column: str = "", day: date | None = None) -> list[Any]:
    """Rows of a table by primary key, as JSON has them."""
    result = Base.metadata.tables[table]
    statement = select(*result.columns).order_by(*result.primary_key)
    if column:
        statement = statement.where(result.columns[column] == day)
    with engine.connect() as connection:
        return [plain(dict(row)) for row in connection.execute(statement).mappings()]


def plain(value: Any) -> Any:
    """Dates and instants as text, as the expected figures have them."""
    return json.loads(json.dumps(value, default=lambda item: item.isoformat()))


def values_of(stored: dict[str, Any], read: Any) -> dict[str, Any]:
    """The stored columns as the model that was read shows them."""
    document = read.model_dump(mode="json")
    return {key: instant(document[key]) for key in stored if key in document}


def instant(value: Any) -> Any:
    """An instant of a document in the form that columns have."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", value):
        return datetime.fromisoformat(value).isoformat()
    return value


def numbers(lines: list[str]) -> set[str]:
    return {number for line in lines for number in NUMBER.findall(line.replace(",", ""))}


def test_the_store_is_sound_and_knows_its_days(past: tuple[Store, Settings]) -> None:
    engine, _ = past
    assert check(engine) == []
    assert [day.isoformat() for day in finding_dates(engine)] == SHOWN["judged_days"]


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_findings_show_what_was_stored(past: tuple[Store, Settings], day: date) -> None:
    stored = [row["document"] for row in SHOWN["days"][str(day)]["findings"]]
    findings = read_findings(past[0], day)
    assert len(findings) == len(stored) == 32
    for finding, document in zip(findings, stored, strict=True):
        shown = finding.model_dump(mode="json")
        for item in (*shown["inputs"], *shown["changes"]):
            item.pop("origin", None)
            item.pop("amount", None)
        assert shown.pop("is_data_incomplete") is ("data are incomplete" in shown["summary"])
        assert shown.pop("statement") in shown["summary"]
        assert (shown.pop("headroom_counts"), shown.pop("series_direction")) == (True, None)
        assert shown.pop("is_event") is False
        for item in document["changes"]:  # today counts have a separator of thousands
            item["typed"] = re.sub(r"^(\d+)(?=\d{3} channels$)", r"\1,", item["typed"])
        assert shown == document


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_source_and_amount_of_a_finding_became_a_structure(
    past: tuple[Store, Settings], day: date
) -> None:
    findings = read_findings(past[0], day)
    origins = [value.origin for finding in findings for value in finding.inputs]
    amounts = [change.amount for finding in findings for change in finding.changes if change.typed]
    assert len(origins) > 50
    assert not any(origin is None or isinstance(origin, TextSource) for origin in origins)
    assert len(amounts) > 5
    assert not any(amount is None or amount.kind is TypedKind.other for amount in amounts)


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_crossings_feeds_and_forecasts_show_what_was_stored(
    past: tuple[Store, Settings], day: date
) -> None:
    engine, shown = past[0], SHOWN["days"][str(day)]
    crossings = read_crossings(engine, day)
    assert [plain(crossing.model_dump()) for crossing in crossings] == shown["crossings"]
    feeds = {(item.subject, item.kind, item.member): item for item in read_feeds(engine, day)}
    assert len(feeds) == len(shown["feed_days"])
    for row in shown["feed_days"]:
        document = row["document"]
        feed = feeds[document["subject"], document["kind"], document["member"]]
        assert json.loads(feed.model_dump_json()) == document
    for forecast, head in zip(read_forecasts(engine, day), shown["forecasts"], strict=True):
        assert values_of(head, forecast) == {
            key: value for key, value in head.items() if key in type(forecast).model_fields
        }
        assert sum(point.expected for point in forecast.points) == head["expected_sum"]
        assert sum(item.expected for item in forecast.every_day) == head["every_day_expected_sum"]


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_problems_and_notifications_show_what_was_stored(
    past: tuple[Store, Settings], day: date
) -> None:
    engine, shown = past[0], SHOWN["days"][str(day)]
    problems = {item.key: item for item in read_problems(engine, day)}
    assert len(problems) == len(shown["problems"]) == 8
    for row in shown["problems"]:
        problem = problems[row["key"]]
        assert [str(problem.state), str(problem.severity)] == [row["state"], row["severity"]]
    deliveries = {item.delivery_id: item for item in read_deliveries(engine, day)}
    assert len(deliveries) == len(shown["deliveries"])
    for row in shown["deliveries"]:
        delivery = deliveries[row["delivery_id"]]
        assert delivery.subject_line == row["subject_line"]
        assert delivery.content == row.get("content", delivery.content)


def test_what_people_left_behind_is_still_there(past: tuple[Store, Settings]) -> None:
    engine, shown = past[0], SHOWN["store"]
    tickets = {item.dedupe_key: item for item in read_tickets(engine)}
    for row in shown["tickets"]:
        ticket = tickets[row["dedupe_key"]]
        assert [ticket.external_ref, ticket.title] == [row["external_ref"], row["title"]]
    [mark] = shown["problem_marks"]
    answered = latest_acknowledgements(engine, DAYS[-1])[mark["key"]]
    assert values_of(mark, answered) == {key: mark[key] for key in values_of(mark, answered)}
    assert str(answered.until_date) == "2026-12-31"
    [noted] = annotations_on(engine, DAYS[0])
    assert noted.note == shown["annotations"][0]["note"]
    [scenario] = read_scenarios(engine)
    assert scenario.parameters == shown["saved_scenarios"][0]["parameters"]


@pytest.mark.parametrize("day", DAYS, ids=str)
@pytest.mark.parametrize(("rule", "subject"), EXPLAINED, ids=[rule for rule, _ in EXPLAINED])
def test_an_explanation_has_the_same_figures(
    past: tuple[Store, Settings], day: date, rule: str, subject: str
) -> None:
    before = SHOWN["days"][str(day)]["explain"][f"{rule}/{subject}"]
    now = explain(*past, rule, subject, day).splitlines()
    assert numbers(before) <= numbers(now)  # today a comment names the complete range of dates
    assert f"  computed again from the inputs above: {RECOMPUTED.get(rule, 'the same')}" in now


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_a_change_pack_of_a_day_without_plans_says_how_to_make_them(
    past: tuple[Store, Settings], day: date
) -> None:
    with pytest.raises(ConfigurationError, match="no plan is stored of") as raised:
        change_pack(past[0], past[1].complete_estate(), day)
    assert "Run the daily DAG for this day again" in str(raised.value)


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_a_daily_report_lists_the_same_findings(past: tuple[Store, Settings], day: date) -> None:
    report = make_report(past[1], past[0], ReportKind.daily, day)
    tables = [table for section in report.sections for table in section.tables]
    before = SHOWN["days"][str(day)]["report_tables"]
    counts = {table.name: len(table.rows) for table in tables if table.name != "Plans"}
    assert counts == {name: len(lines) for name, lines in before.items()}
    titles = {finding.title for finding in read_findings(past[0], day)}
    listed = {cell.line for table in tables for row in table.rows for cell in row} & titles
    assert listed == {cell for lines in before.values() for row in lines for cell in row} & titles
    assert listed


def test_the_next_day_has_the_findings_and_crossings_of_the_old_release(ran: Store) -> None:
    assert check(ran) == []
    stored = list(filter(is_of_the_release, rows(ran, "finding", "site_date", NEXT_DAY)))
    keys = NEXT["findings"][0].keys()
    assert [{key: row[key] for key in keys} for row in stored] == as_today(
        NEXT["findings"], since_0_1_0.FINDINGS
    )
    crossings = without_simulated(rows(ran, "crossing", "cutoff_date", NEXT_DAY))
    assert crossings == as_today(without_simulated(NEXT["crossings"]), since_0_1_0.CROSSINGS)
    known = {row["series_id"].partition("/")[0] for row in NEXT["observations"]}
    observed = rows(ran, "observation_daily", "site_date", NEXT_DAY)
    of_the_release = [row for row in observed if row["series_id"].partition("/")[0] in known]
    assert of_the_release == NEXT["observations"]


def test_the_next_day_continues_problems_and_completeness(ran: Store) -> None:
    kinds = {row["kind"] for row in NEXT["feed_days"]}
    feeds = [feed for feed in read_feeds(ran, NEXT_DAY) if feed.kind in kinds]
    assert len(feeds) == len(NEXT["feed_days"])
    problems = [
        {key: row[key] for key in ("key", "state", "severity")}
        for row in rows(ran, "problem", "site_date", NEXT_DAY)
        if is_of_the_release(row)
    ]
    assert problems == [
        {key: row[key] for key in ("key", "state", "severity")}
        | since_0_1_0.PROBLEMS.get(row["key"], {})
        for row in NEXT["problems"]
    ]


def test_the_next_day_continues_tickets_and_acknowledgements(ran: Store) -> None:
    tickets = {row["dedupe_key"]: row for row in rows(ran, "ticket")}
    for before in NEXT["tickets"]:
        row = tickets[OPENED.get(before["dedupe_key"], before["dedupe_key"])]
        assert row["state"] == before["state"]
        if before["dedupe_key"] not in OPENED:
            assert row["external_ref"] == before["external_ref"]
    assert rows(ran, "problem_mark") == NEXT["problem_marks"]


def test_the_next_day_sends_what_it_sent_and_the_tickets_that_were_split(ran: Store) -> None:
    sent = rows(ran, "delivery", "site_date", NEXT_DAY)
    keys = ("channel", "recipient", "stage", "replay", "error")
    renamed = [
        {**row, "recipient": OPENED.get(row["recipient"], row["recipient"])}
        for row in NEXT["deliveries"]
    ]
    known = [[row[key] for key in keys] for row in renamed]
    assert all(row in [[item[key] for key in keys] for item in sent] for row in known)
    more = [row for row in sent if [row[key] for key in keys] not in known]
    assert sorted(row["recipient"] for row in more) == [GROUPED, RECOVERY]
    assert {row["stage"] for row in more} == {"sent"}


def test_a_ticket_of_two_resources_keeps_the_first_and_gives_the_second_its_own(ran: Store) -> None:
    result = {row["dedupe_key"]: row for row in rows(ran, "ticket")}
    kept = {resource_path(key) for key in result[GROUPED]["members"]}
    assert kept == {"PLEXA/MQA1/active_log"}
    assert result[RECOVERY]["members"] == ["REC-FORMULA-A/PLEXA/MQA1"]
    assert result[RECOVERY]["previous_ref"] == result[GROUPED]["external_ref"]
    assert len(result) == len(NEXT["tickets"]) + 1


def test_findings_of_the_next_day_are_stored_with_their_structures(ran: Store) -> None:
    stored = [row["document"] for row in rows(ran, "finding", "site_date", NEXT_DAY)]
    inputs = [value for document in stored for value in document["inputs"]]
    assert all(value["origin"]["kind"] != "text" for value in inputs)
    assert [Finding.model_validate(document) for document in stored] == read_findings(ran, NEXT_DAY)
