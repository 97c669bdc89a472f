"""From error logs to findings, plans, mail and the ledger: what happened comes first."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from datetime import date
from email import message_from_string
from email.policy import default
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.estate.places import Place
from mqcap.domain.finding import Severity
from mqcap.judging.ledger import read_ledger
from mqcap.lake.landed_places import LandedPlaces, landed_files
from mqcap.lake.layout import landing_folder
from mqcap.presentation.ledger_text import ledger_lines
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings, load_settings
from mqcap.steps.console_states import record_states
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.notify import alert
from mqcap.store.console_states import read_states
from mqcap.store.feeds import upsert_source_files
from mqcap.store.findings import read_findings
from mqcap.store.outbox import read_deliveries
from mqcap.store.plans import read_plans
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.factories import source_file
from tests.stores import new_store

DAY = date(2026, 6, 10)
FULL = "2026-06-10T18:30:02.481Z AMQ7463E: Le journal est plein. [CommentInsert1(BROKER.A)]"
ROLLED_BACK = "2026-06-10T18:30:02.009Z AMQ7469W: x"
STARTED = "2026-06-10T23:26:52.070Z AMQ8003I: x [CommentInsert3(BROKER.A)]"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    site = {"site": "WEST", "timezone": "America/Chicago", "qmgrs": [{"name": "BROKER.A"}]}
    alerts = {"mail_to": ["planners@example.com"], "mail_folder": tmp_path / "mail"}
    return load_settings(
        lake=str(tmp_path / "lake"), estate=(Place.model_validate(site),), alerts=alerts
    )


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = new_store(tmp_path / "store.db")
    yield opened
    opened.dispose()


def recorded(
    settings: Settings,
    engine: Engine,
    *lines: str,
    qmgr: str = "BROKER.A",
    name: str = "a.log",
    root: str = "",
) -> dict[str, int]:
    """Land and decode the output of a container, and record the states of the day.

    ``root`` is the site of its input.
    """
    lake = Path(settings.lake)
    text = "\n".join([f"# mqcap errorlog QMGR({qmgr}) HOST(mq1)", *lines, ""])
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    folder = landing_folder(lake, "error_log", DAY)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder.parent / name
    file.write_text(text, encoding="utf-8")
    shutil.move(file, folder / f"{sha256}.log")
    stored = source_file(sha256=sha256, name=name, source="error_log", received_date=DAY)
    upsert_source_files(engine, [stored])
    places = LandedPlaces.load(lake)
    places.put(sha256, root, name, lambda _name: True)
    places.save()
    for landed in landed_files(lake):
        decode_file(landed, DecodeOptions(lake, 0.0, {}))
    return record_states(settings, engine, lake, [DAY])


def test_a_full_log_is_the_first_in_findings_plans_and_mail(
    settings: Settings, engine: Engine
) -> None:
    counts = recorded(settings, engine, ROLLED_BACK, FULL, STARTED)
    assert counts == {"console_states": 2, "console_unplaced": 0}
    evaluate_rules(settings, engine, DAY)
    alert(settings, engine, DAY)
    [found] = [one for one in read_findings(engine, DAY) if one.rule_id == "DST-ERRORLOG-LOG"]
    assert (found.subject, found.severity, found.is_event) == ("WEST/BROKER.A", Severity.act, True)
    assert found.title == "Units of work rolled back to free log space"
    assert "log full at 13:30 (AMQ7463; until 18:26 by AMQ8003)" in found.summary
    line = "AMQ7463 line 3 of a.log: AMQ7463 CommentInsert1(BROKER.A)"
    assert line in found.arithmetic
    assert line in explain(engine, settings, found.rule_id, found.subject, DAY)
    [plan] = read_plans(engine, DAY)
    assert (plan.resource, plan.incident is not None) == ("WEST/BROKER.A/log", True)
    [delivery] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    body = message_from_string(delivery.content, policy=default).get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert text.startswith("BROKER.A log files: Units of work rolled back to free log")
    assert "console" not in text
    assert ledger_lines(read_ledger(settings, engine, DAY, DAY)) == [
        "1 event in the error log without an evaluated day 14 days before: not compared."
    ]


def test_a_state_of_the_day_before_is_over(settings: Settings, engine: Engine) -> None:
    recorded(settings, engine, FULL)
    [state] = read_states(engine, DAY, DAY)
    assert (state.last_date, state.ended_by, state.line_number) == (DAY, "", 2)
    assert read_states(engine, date(2026, 6, 11), date(2026, 6, 11)) == []


def test_the_same_log_under_two_names_is_one_state(settings: Settings, engine: Engine) -> None:
    recorded(settings, engine, FULL)
    assert recorded(settings, engine, "2026-06-09T00:00:00Z AMQ7490I: x", FULL, name="b.log") == {
        "console_states": 1,
        "console_unplaced": 0,
    }


def test_a_queue_manager_that_no_site_lists_is_told_with_file_and_line(
    settings: Settings, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    counts = recorded(settings, engine, FULL, STARTED, qmgr="OTHER")
    assert counts == {"console_states": 0, "console_unplaced": 1}
    assert caplog.messages == [
        "a.log: line 2: AMQ7463 of queue manager OTHER, which no site lists."
    ]


def test_a_queue_manager_of_two_sites_is_that_of_the_input(
    settings: Settings, engine: Engine
) -> None:
    east = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "BROKER.A"}]})
    both = settings.model_copy(update={"estate": (*settings.estate, east)})
    for root, lines in (("EAST", [FULL]), ("WEST", [ROLLED_BACK, FULL])):
        counts = recorded(both, engine, *lines, name=f"{root}.log", root=root)
        assert counts["console_unplaced"] == 0
    found = [state.subject for state in read_states(engine, DAY, DAY)]
    assert found.count("EAST/BROKER.A") == 1
    assert set(found) == {"EAST/BROKER.A", "WEST/BROKER.A"}


def test_a_queue_manager_of_two_sites_is_told_too(
    settings: Settings, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    east = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "BROKER.A"}]})
    both = settings.model_copy(update={"estate": (*settings.estate, east)})
    assert recorded(both, engine, FULL)["console_unplaced"] == 1
    assert caplog.messages[-1].endswith("which the sites WEST EAST list.")
