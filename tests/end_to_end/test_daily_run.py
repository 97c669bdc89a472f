"""The real DAG over a small estate, with a real mail server: what was planted is reported."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest

from devtools.simulator import CrossingClass
from mqcap.domain.console.ledger import Foreseen
from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import ForecastBasis
from mqcap.judging.ledger import read_ledger
from mqcap.notifications.audit_record import audit_record
from mqcap.reports.platform_metrics import exposition
from mqcap.settings import SmtpServer, load_settings
from mqcap.store.crossings import read_crossings
from mqcap.store.feeds import read_source_files
from mqcap.store.findings import read_findings
from mqcap.store.forecasts import read_forecasts
from mqcap.store.observations import read_observations
from mqcap.store.outbox import read_deliveries
from mqcap.store.scores import reliability
from mqcap.store.tickets import read_tickets
from tests.airflow_home import HOME, environment
from tests.end_to_end.estate import BIN, LAST_DAY, LoadedEstate, completed
from tests.mqcap.notifications.smtp_server import Mailbox
from tests.plugins.web import TestClient, a_reader, text_of

pytestmark = [pytest.mark.end_to_end, pytest.mark.airflow, pytest.mark.spark]

DATE_TOLERANCE_DAYS = 75
"""Of one metric of a simulated estate; of real limits the median error is 30 days."""
RESTS_ON_AN_ASSUMPTION = {"REC-FORMULA-A"}
"""No breach while the estate does not say how fast logs are read (log_read_mib_per_s)."""
RULE_OF_METRIC = {
    "log_growth_mib_per_s": {"LOG-FILL-30MIN"},
    "cf_busy_pct": {"CF-BUSY-1", "CF-BUSY-N"},
    "chinit_31bit_used_pct": {"CHI-80-31BIT"},
    "chinit_64bit_used_pct": {"CHI-80-64BIT"},
}


def run_dag(estate: LoadedEstate, server: SmtpServer) -> str:
    smtp = {
        "conn_type": "smtp",
        "host": server.host,
        "port": server.port,
        "extra": {"disable_ssl": True, "disable_tls": True},
    }
    spark = {"conn_type": "spark", "host": "local[2]", "extra": {"spark-binary": "spark-submit"}}
    everything = estate.environment(
        **environment(HOME),
        AIRFLOW_CONN_SMTP_DEFAULT=json.dumps(smtp),
        AIRFLOW_CONN_SPARK_DEFAULT=json.dumps(spark),
    )
    conf = json.dumps({"day": LAST_DAY.isoformat()})
    return completed([str(BIN / "airflow"), "dags", "test", "mqcap_daily", "-c", conf], everything)


@pytest.fixture(scope="module")
def ran(estate: LoadedEstate, post: tuple[SmtpServer, Mailbox], airflow_home: Path) -> LoadedEstate:
    estate.inbox.mkdir(exist_ok=True)
    for file in estate.last_day_files:
        shutil.copy(file, estate.inbox)
    run_dag(estate, post[0])
    return estate


@pytest.fixture
def page(ran: LoadedEstate) -> Iterator[TestClient]:
    with a_reader(ran.environment()) as client:
        yield client


def test_every_planted_subject_is_forecast_as_it_was_planted(ran: LoadedEstate) -> None:
    engine = ran.store()
    findings = {
        (finding.subject, finding.rule_id): finding for finding in read_findings(engine, LAST_DAY)
    }
    crossings = {(item.subject, item.rule_id): item for item in read_crossings(engine, LAST_DAY)}
    assert len(ran.truth.planted) >= 7
    for planted in ran.truth.planted:
        [key] = [
            key
            for key in findings
            if key[0] == planted.subject and key[1] in RULE_OF_METRIC[planted.metric]
        ]
        crossing = crossings[key]
        assert crossing.limit_value == pytest.approx(planted.limit), key
        match planted.crossing_class:
            case CrossingClass.already_over:
                assert findings[key].severity is Severity.act, key
                assert crossing.state is CrossingState.breached, key
            case CrossingClass.crosses_within_90_days:
                assert crossing.state is CrossingState.will_cross, key
                assert crossing.expected_date is not None, key
                assert planted.first_crossing_date is not None, key
                error_days = (crossing.expected_date - planted.first_crossing_date).days
                assert abs(error_days) <= DATE_TOLERANCE_DAYS, (key, error_days)
            case CrossingClass.never:
                assert findings[key].severity is Severity.ok, key


def test_planted_rules_say_what_was_planted(ran: LoadedEstate) -> None:
    result = {
        (item.rule_id, str(item.subject)): item for item in read_findings(ran.store(), LAST_DAY)
    }
    assert {rule.breach for rule in ran.truth.rules} == {True, False}
    for planted in ran.truth.rules:
        finding = result[planted.rule, planted.subject]
        if planted.breach and planted.rule in RESTS_ON_AN_ASSUMPTION:
            assert (finding.severity, finding.breach) == (Severity.watch, None), finding
            continue
        assert finding.breach is planted.breach, finding
        assert bool(finding.changes) is planted.breach, finding


def test_missing_inputs_are_reported_once_for_each_rule_and_reason(ran: LoadedEstate) -> None:
    """Rules that a site has no use for are silent; the others say which key or feed is missing."""
    unknown = [
        finding
        for finding in read_findings(ran.store(), LAST_DAY)
        if finding.severity is Severity.unknown and not finding.is_data_incomplete
    ]
    assert len({(item.rule_id, item.missing) for item in unknown}) <= 3
    assert {item.rule_id for item in unknown} <= {"CHI-80-64BIT"}


def test_log_bytes_of_every_day_are_those_that_were_written(ran: LoadedEstate) -> None:
    engine = ran.store()
    compared = 0
    for subject, by_day in ran.truth.log_bytes.items():
        series = f"log_growth_mib_per_s/{subject}"
        stored = read_observations(engine, series, date(2026, 1, 1), LAST_DAY)
        for day in stored:
            assert day.total == by_day[day.site_date], (subject, day.site_date)
            compared += 1
        assert {day.site_date for day in stored} == set(by_day)
    assert compared > 150


def test_one_mail_names_what_to_change(ran: LoadedEstate, post: tuple[SmtpServer, Mailbox]) -> None:
    [message] = post[1].mails
    assert message["Subject"].startswith("ACT MQA1 active logs: Archiving failed ")
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    assert isinstance(plain, EmailMessage)
    assert isinstance(rich, EmailMessage)
    text = plain.get_content()
    assert re.match(r"MQA1 active logs: Archiving failed \S.*, logs full \d\d:\d\d\. ", text)
    assert len(text.split()) <= 600
    [of_logs] = [line for line in text.splitlines() if line.startswith("Act    MQA1 active logs ")]
    assert re.search(r"\d+ x CYL\(\d+\)", of_logs)
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert pictures
    for picture in pictures:
        assert f"cid:{picture['Content-ID'].strip('<>')}" in rich.get_content()


def test_events_are_compared_with_a_rolling_origin(ran: LoadedEstate, page: TestClient) -> None:
    every = read_ledger(load_settings(), ran.store(), date(2026, 7, 17), LAST_DAY)
    ledger = every.of(ForecastBasis.hold_out)
    found = {(event.label, event.message_id): event.stated_on for event in ledger.events}
    assert found["MQA1 active logs", "CSQJ111A"] == date(2026, 9, 15)
    assert found["MQA1 archive logs", "CSQJ115E"] is None
    foreseen = (*ledger.where(Foreseen.forecast), *ledger.where(Foreseen.over_already))
    assert len(foreseen) == 1
    stated = reliability(ran.store(), date(2026, 7, 17), LAST_DAY)
    assert {(row.basis, row.horizon_days) for row in stated} == {(ForecastBasis.hold_out, 30)}
    card = text_of(page.get("/reports", params={"day": LAST_DAY.isoformat()}))
    assert "Hold-out: 2 events on the console:" in card
    assert "1 not foreseen." in card
    assert "30 days hold-out" in card
    board = page.get("/", params={"day": LAST_DAY.isoformat()}).text
    assert "MQA1" in board[board.index('<summary class="row">') :][:400]


def test_each_problem_to_act_on_has_one_ticket(ran: LoadedEstate) -> None:
    engine = ran.store()
    keys = [key for ticket in read_tickets(engine) for key in ticket.members]
    assert "LOG-RUNWAY-12H/PLEXA/MQA1" in keys
    assert len(keys) == len(set(keys))


def test_every_byte_that_landed_is_accounted_for(ran: LoadedEstate) -> None:
    files = read_source_files(ran.store())
    assert len(files) >= 10
    for file in files:
        assert file.problem is None, file
        parts = (file.decoded_bytes, file.skipped_bytes, file.quarantined_bytes)
        assert sum(part or 0 for part in parts) == file.bytes_count, file


def test_every_task_has_logged_what_ran(ran: LoadedEstate) -> None:
    record = audit_record(ran.store(), LAST_DAY)
    steps = {item["step"]: item for item in record["ran"]}
    assert list(steps) == [
        "land", "decode_and_aggregate", "observe", "export_training", "fit",
        "store_forecasts", "size", "alert",
    ]  # fmt: skip
    assert steps["decode_and_aggregate"]["counts"]["files"] == len(ran.last_day_files)
    assert steps["fit"]["counts"]["series"] > 0
    assert all(step["versions"]["rules_sha256"] for step in steps.values())
    assert {file.name for file in ran.last_day_files} <= {item["name"] for item in record["files"]}
    assert {delivery["stage"] for delivery in record["said"]} == {"sent"}
    assert record["tickets"]


def test_each_value_that_board_and_alerts_of_documents_select_is_printed(ran: LoadedEstate) -> None:
    board = json.loads(Path("docs/monitoring/grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += re.findall(r"expr: (.+)", Path("docs/running.md").read_text(encoding="utf-8"))
    engine = ran.store()
    printed = set(_labelled(exposition(engine)))
    engine.dispose()
    selected = set(_labelled("\n".join(asked)))
    assert len(selected) >= 4
    assert selected - printed == set()


def _labelled(text: str) -> Iterator[tuple[str, str, str]]:
    for metric, labels in re.findall(r"\b(mqcap_\w+)\{([^}]*)\}", text):
        for label, value in re.findall(r'(\w+)="([^"]*)"', labels):
            yield metric, label, value


def test_a_rerun_says_and_does_nothing(ran: LoadedEstate, post: tuple[SmtpServer, Mailbox]) -> None:
    (server, mailbox), engine = post, ran.store()

    def everything() -> tuple[object, ...]:
        return (
            read_findings(engine, LAST_DAY),
            read_crossings(engine, LAST_DAY),
            read_forecasts(engine, LAST_DAY),
            read_tickets(engine),
            read_deliveries(engine),
            read_source_files(engine),
        )

    before, mails = everything(), len(mailbox.mails)
    run_dag(ran, server)
    assert everything() == before
    assert len(mailbox.mails) == mails
