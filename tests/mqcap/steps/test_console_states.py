import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.estate import Sysplex
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.settings import Settings, load_settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.notify import alert
from mqcap.steps.observe import observe
from mqcap.store.console_states import read_states
from mqcap.store.feeds import read_source_files
from mqcap.store.findings import read_findings
from mqcap.store.outbox import read_deliveries
from mqcap.store.plans import read_plans
from mqcap.store.series import upsert_series
from tests.factories import series_facts
from tests.mqcap.ingest.console.samples import hardcopy
from tests.mqcap.steps.logs import decoded_states, land_log
from tests.shared import shared_cases, shared_dir
from tests.summary_budget import mail_text

DAY = date(2025, 3, 10)
ZONE = "Etc/GMT+5"
GOLDEN = Path(__file__).with_name("golden") / "console_states.txt"
SHARED = shared_dir()
CSQJ111A = "*CSQJ111A !MQP1 OUT OF SPACE IN ACTIVE LOG DATA SETS"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    qmgrs = [{"name": "MQP1", "qsg": "QSGP"}, {"name": "MQP2", "qsg": "QSGP"}, {"name": "MQL1"}]
    plex = {"sysplex": "PLEXP", "timezone": ZONE, "smfids": ["PRD1", "PRD2"], "qmgrs": qmgrs}
    alerts = {"mail_to": ["planners@example.com"], "mail_folder": tmp_path / "mail"}
    return load_settings(
        lake=str(tmp_path / "lake"), estate=(Sysplex.model_validate(plex),), alerts=alerts
    )


def recorded(settings: Settings, engine: Engine, *files: Path, **zones: str) -> dict[str, int]:
    for file in files:
        land_log(settings, engine, "console", DAY, file)
    return decoded_states(settings, engine, DAY, **{"PRD1": ZONE, "PRD2": ZONE, **zones})


def log(folder: Path, *lines: str, name: str = "syslog.txt") -> Path:
    path = folder / name
    path.write_text("".join(lines))
    return path


def states(engine: Engine) -> list[tuple[Any, ...]]:
    found = read_states(engine, DAY, DAY)
    return [(one.message_id, one.subject, one.ended_by, one.line_number) for one in found]


def mail_of(engine: Engine) -> str:
    [delivery] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    rows = [line for line in mail_text(delivery.content).splitlines() if "MQP1" in line]
    return "\n".join([delivery.subject_line, *rows, ""])


@pytest.mark.parametrize("folder", shared_cases([SHARED]))
def test_the_sample_ran_out_of_log_golden(folder: Path, settings: Settings, engine: Engine) -> None:
    logs = sorted((folder / "data" / "smf" / "console").glob("*.txt"))
    assert recorded(settings, engine, *logs) == {"console_states": 5, "console_unplaced": 0}
    evaluate_rules(settings, engine, DAY)
    alert(settings, engine, DAY)
    reported = [one for one in read_findings(engine, DAY) if one.rule_id.startswith("CONSOLE-")]
    lines = [f"{one.severity} {one.title}\n  {one.summary}" for one in reported]
    lines += [
        f"plan {plan.severity} {plan.about.label}: {plan.reason.summary}"
        for plan in read_plans(engine, DAY)
    ]
    text = "\n".join([*lines, "", mail_of(engine)])
    if os.environ.get("MQCAP_GOLDEN") == "write":
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_logs_of_equal_systems_of_two_sysplexes_are_told_apart_by_their_inputs(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    plexes = [Sysplex(sysplex=name, timezone=ZONE, smfids=("PRD1",)) for name in ("PLEXP", "PLEXQ")]
    both = settings.model_copy(update={"estate": tuple(plexes)})
    later = hardcopy("CSQX513E !MQP1 CSQXRESP Current channel limit exceeded, connection 10.1.1.1")
    for name, lines in (("PLEXP", [CSQJ111A]), ("PLEXQ", [CSQJ111A, CSQJ111A])):
        file = log(tmp_path, *map(hardcopy, lines), *([later] if name == "PLEXQ" else []))
        land_log(both, engine, "console", DAY, file, name)
    assert recorded(both, engine) == {"console_states": 3, "console_unplaced": 0}
    assert sorted(subject for _, subject, *_ in states(engine)) == [
        "PLEXP/MQP1",
        "PLEXQ/MQP1",
        "PLEXQ/MQP1/CHINIT",
    ]


def test_a_state_is_placed_in_the_subject_that_its_message_names(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    structure = series_facts(
        "PLEXP/CFP1/QSGPAPPL1", subject_kind=SubjectKind.structure, series_id="structure"
    )
    upsert_series(engine, [structure])
    file = log(
        tmp_path,
        hardcopy(CSQJ111A),
        hardcopy("CSQP020E !MQP1 CSQP1RSW Buffer pool 3 is too small"),
        hardcopy("CSQP014E !MQP1 CSQP1NWP EXPANSION FAILED FOR PAGE SET 12. FUTURE REQUESTS"),
        hardcopy("CSQP014E !MQP1 CSQP1NWP EXPANSION FAILED. FUTURE REQUESTS"),
        hardcopy("CSQX513E !MQP1 CSQXRESP Current channel limit exceeded, connection 10.1.1.1"),
        hardcopy("CSQE112E !MQP1 CSQERWI1 Unable to recover structure APPL1, failed to read"),
        hardcopy("CSQE112E !MQP1 CSQERWI1 Unable to recover structure OTHER, failed to read"),
        hardcopy(
            "IXC585E STRUCTURE QSGPAPPL1 IN COUPLING FACILITY CFP1, PHYSICAL STRUCTURE VERSION 1,"
            " IS AT OR ABOVE STRUCTURE FULL MONITORING THRESHOLD OF 80%."
        ),
    )
    assert recorded(settings, engine, file) == {"console_states": 8, "console_unplaced": 0}
    assert sorted((message, subject) for message, subject, *_ in states(engine)) == [
        ("CSQE112E", "PLEXP/CFP1/QSGPAPPL1"),
        ("CSQE112E", "PLEXP/MQP1"),
        ("CSQJ111A", "PLEXP/MQP1"),
        ("CSQP014E", "PLEXP/MQP1"),
        ("CSQP014E", "PLEXP/MQP1/PS12"),
        ("CSQP020E", "PLEXP/MQP1/BP03"),
        ("CSQX513E", "PLEXP/MQP1/CHINIT"),
        ("IXC585E", "PLEXP/CFP1/QSGPAPPL1"),
    ]


def test_messages_that_nothing_places_are_logged_with_file_and_line(
    settings: Settings, engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    db2 = "IXC585E STRUCTURE DB2_LOCK IN COUPLING FACILITY CFP1, PHYSICAL STRUCTURE VERSION 1"
    limit = "BPXI039I SYSTEM LIMIT MAXPROCSYS HAS REACHED 90% OF ITS CURRENT CAPACITY"
    vsam = "IEC070I 209(4)-220,PAYROLL,STEP1,OUTFILE,8A00,VOL001,PAY.DATA,PAY.DATA.DATA"
    file = log(tmp_path, hardcopy(db2), hardcopy(vsam), hardcopy(limit))
    assert recorded(settings, engine, file) == {"console_states": 0, "console_unplaced": 1}
    assert [record.getMessage() for record in caplog.records] == [
        f"syslog.txt: line 3: BPXI039I is not judged: {catalogue()['BPXI039I'].not_judged}."
    ]


@pytest.mark.parametrize(
    ("message_id", "limit"),
    [("BPXI039I", "SYSTEM LIMIT MAXPROCSYS"), ("BPXI040I", "PROCESS LIMIT MAXPROCUSER")],
)
def test_a_limit_of_processes_is_judged_in_the_log_of_a_channel_initiator(
    settings: Settings, engine: Engine, tmp_path: Path, message_id: str, limit: str
) -> None:
    text = f"{message_id} {limit} HAS REACHED 90% OF ITS CURRENT CAPACITY"
    file = log(tmp_path, hardcopy("IEF403I MQP1CHIN - STARTED"), hardcopy(text))
    assert recorded(settings, engine, file) == {"console_states": 1, "console_unplaced": 0}
    evaluate_rules(settings, engine, DAY)
    [found] = [one for one in read_findings(engine, DAY) if one.rule_id == "CONSOLE-CHINIT-TASKS"]
    assert (found.subject, found.severity, found.breach) == (
        "PLEXP/MQP1/CHINIT",
        Severity.watch,
        True,
    )


def test_a_queue_manager_of_another_estate_is_logged(
    settings: Settings, engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    foreign = hardcopy("*CSQJ111A !XYZ1 OUT OF SPACE IN ACTIVE LOG DATA SETS").replace(
        "PRD1", "XXX1"
    )
    file = log(tmp_path, foreign)
    assert recorded(settings, engine, file, XXX1=ZONE)["console_unplaced"] == 1
    assert [record.getMessage() for record in caplog.records] == [
        "syslog.txt: line 1: CSQJ111A names no queue manager or structure of the estate."
    ]


def test_other_messages_begin_no_state(settings: Settings, engine: Engine, tmp_path: Path) -> None:
    text = "CSQX548E !MQP1 CSQXRESP Messages sent to local dead-letter queue, channel C, reason="
    file = log(tmp_path, hardcopy(f"{text}2119"), hardcopy(f"{text}2192", time="09:00:00.00"))
    assert recorded(settings, engine, file)["console_states"] == 1
    assert states(engine) == [("CSQX548E", "PLEXP/MQP1", "", 2)]


def test_what_cannot_be_read_of_a_log_is_told_with_file_and_line_and_the_rest_counts(
    settings: Settings, engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Unknown messages, another language, a message without a date, systems of two zones."""
    unknown = hardcopy("CSQJ999E !MQP1 NOBODY KNOWS IT")
    french = hardcopy("CSQJ001I !MQP1 JEU DE DONNEES COURANT")
    alone = hardcopy("*CSQJ111A !MQP2 PLUS DE PLACE", time="07:00:00.00")
    other = hardcopy(CSQJ111A, time="23:30:00.00").replace("PRD1", "PRD2")
    undated = hardcopy(CSQJ111A, day="2025999")
    file = log(tmp_path, unknown, french, alone, other, undated)
    assert recorded(settings, engine, file, PRD2="Etc/GMT-2")["console_states"] == 2
    assert states(engine) == [("CSQJ111A", "PLEXP/MQP2", "", 3), ("CSQJ111A", "PLEXP/MQP1", "", 4)]
    assert [one.first_utc.hour for one in read_states(engine, DAY, DAY)] == [12, 21]
    known = read_source_files(engine)
    observe(settings, engine)
    assert {one.record_count for one in known} == {None}
    assert [message for message in caplog.messages if "syslog.txt" in message] == [
        "syslog.txt: line 2: the text of CSQJ001I was not understood.",
        (
            "syslog.txt: line 3: CSQJ111A: its text is not the known one, so it counts by its "
            "number without figures."
        ),
        "syslog.txt: line 5: CSQJ111A has no date before it.",
        (
            "syslog.txt: messages of MQ that ask for action and are not in the catalogue: CSQJ999E "
            "(line 1). They are skipped."
        ),
    ]
    caplog.clear()
    observe(settings, engine)
    assert caplog.messages == []


def test_messages_of_two_logs_are_one(settings: Settings, engine: Engine, tmp_path: Path) -> None:
    one = log(tmp_path, hardcopy(CSQJ111A))
    other = log(tmp_path, hardcopy("IEF403I JOB1"), hardcopy(CSQJ111A), name="operlog.txt")
    assert recorded(settings, engine, one, other)["console_states"] == 1
    assert states(engine) == [("CSQJ111A", "PLEXP/MQP1", "", 2)]


def test_a_log_that_comes_later_ends_the_state_of_an_earlier_day(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    begun = hardcopy("CSQJ004I !MQP1 ACTIVE LOG COPY 2 INACTIVE, LOG IN SINGLE MODE, ENDRBA=1FFF")
    recorded(settings, engine, log(tmp_path, begun))
    [single] = read_states(engine, DAY, DAY)
    assert (single.ended_utc, single.last_date) == (None, date(2025, 3, 16))
    ended = "CSQJ005I !MQP1 ACTIVE LOG COPY 2 IS ACTIVE, LOG IN DUAL MODE, STARTRBA=2000"
    later = log(tmp_path, hardcopy(ended, day="2025070"), name="later.txt")
    recorded(settings, engine, later)
    [single] = read_states(engine, DAY, DAY)
    assert (single.ended_by, single.last_date) == ("CSQJ005I", date(2025, 3, 11))
    assert single.ended_utc == datetime(2025, 3, 11, 13, 30, 0, 170_000, tzinfo=UTC)
