"""Roles that may read and acknowledge, and the effect of an acknowledgement."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.served.web import TestClient, text_of  # isort: skip - chooses Airflow's home first

from mq_capacity_page.application import create_application
from mq_capacity_page.web import auth
from mq_capacity_page.web.forms import is_same_site
from mqcap.domain.problem import AcknowledgementKind
from mqcap.store.findings import latest_site_date
from mqcap.store.problems import latest_acknowledgements
from tests.plugins import builder

OWN = {"Sec-Fetch-Site": "same-origin"}


class Manager:
    """An auth manager of one user with the given rights."""

    def __init__(self, rights: set[str]) -> None:
        self.rights = rights
        self.asked: list[tuple[str, str]] = []

    def is_authorized_dag(self, *, method: str, details: Any, user: object) -> bool:
        self.asked.append((method, details.id))
        return method in self.rights


class Person:
    def get_name(self) -> str:
        return "anna"


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Manager:
    made = Manager({"GET", "PUT"})
    monkeypatch.setattr(auth, "get_auth_manager", lambda: made)
    return made


@pytest.fixture
def person(site_folder: Path, filled_file: Path, manager: Manager) -> Iterator[TestClient]:
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    application = create_application()
    application.dependency_overrides[auth.get_airflow_user] = Person
    with TestClient(application, follow_redirects=False, headers=OWN) as client:
        yield client


def form(words: str = "false alarm", **more: str) -> dict[str, str]:
    return {"ticket": builder.ticket().dedupe_key, "words": words, **more}


def test_who_may_not_read_the_dag_sees_nothing(person: TestClient, manager: Manager) -> None:
    manager.rights = set()
    answer = person.get("/")
    assert answer.status_code == 403
    assert "PLEX1" not in answer.text
    assert manager.asked == [("GET", "mqcap_daily")]


def test_a_viewer_reads_and_may_not_answer(
    person: TestClient, manager: Manager, site_folder: Path
) -> None:
    manager.rights = {"GET"}
    assert person.get("/tickets").status_code == 200
    assert person.post("/answer", data=form()).status_code == 403
    engine = builder.empty_store(site_folder)
    assert latest_acknowledgements(engine, builder.DAY) == {}
    engine.dispose()


def test_an_operator_s_answer_is_noted_with_the_name(person: TestClient, site_folder: Path) -> None:
    answer = person.post("/answer", data=form("accepted risk until 2026-12-31"))
    assert (answer.status_code, answer.headers["location"]) == (303, "tickets")
    engine = builder.empty_store(site_folder)
    day = latest_site_date(engine)
    assert day is not None
    [mark] = latest_acknowledgements(engine, day).values()
    assert (mark.kind, mark.who) == (AcknowledgementKind.accepted_until, "anna")
    engine.dispose()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (form("whatever"), 400),
        (form(ticket="none"), 404),
        (form("acknowledged " + "x" * 9_000), 413),
        ({}, 400),
    ],
    ids=["words", "ticket", "length", "nothing"],
)
def test_an_answer_that_cannot_be_noted_is_refused(
    person: TestClient, data: dict[str, str], status: int
) -> None:
    assert person.post("/answer", data=data).status_code == status


def test_another_site_cannot_answer_for_the_reader(person: TestClient) -> None:
    answer = person.post("/answer", data=form(), headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_nobody_answers_without_a_login(site_folder: Path) -> None:
    with TestClient(create_application()) as anonymous:
        assert anonymous.post("/answer", data=form(), headers=OWN).status_code == 401


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "https://airflow.example", "host": "airflow.example"}, True),
        ({"origin": "https://evil.example", "host": "airflow.example"}, False),
        ({"origin": "null", "host": "airflow.example"}, False),
        ({"authorization": "Bearer abc"}, True),
        ({"cookie": "_token=abc"}, False),
    ],
    ids=["same", "typed", "cross", "sibling", "origin", "foreign", "null", "token", "cookie"],
)
def test_only_the_page_itself_and_clients_with_a_token_may_send_a_form(
    headers: dict[str, str], own: bool
) -> None:
    assert is_same_site(headers) is own


def finding_form(**fields: str) -> dict[str, str]:
    back = {"back_rule": "LOG-FILL-30MIN", "back_subject": "PLEX1/CSQ1", "back_day": "2026-01-31"}
    return {"ticket": "LOG-FILL-30MIN/PLEX1/CSQ1", **back, **fields}


FINDING = "finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-01-31"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"kind": "acknowledged", "reason": "on it"},
            "Acknowledged by anna: acknowledged on it",
        ),
        (
            {"kind": "accepted_until", "until": "2026-12-31", "reason": "small"},
            "Risk accepted until Thu 31 Dec 2026 by anna",
        ),
        ({"kind": "known_project", "reason": "P1"}, "Known project by anna"),
        ({"kind": "false_alarm"}, "False alarm by anna"),
    ],
    ids=["acknowledged", "accepted", "project", "false-alarm"],
)
def test_a_chosen_answer_is_shown_with_name_and_reason(
    person: TestClient, fields: dict[str, str], words: str
) -> None:
    answer = person.post("/answer", data=finding_form(**fields))
    assert (answer.status_code, answer.headers["location"]) == (303, FINDING)
    assert words in text_of(person.get(f"/{FINDING}"))


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "accepted_until"},
        {"kind": "accepted_until", "until": "2026-02-30"},
        {"kind": "nonsense"},
    ],
    ids=["no-date", "no-such-date", "no-such-kind"],
)
def test_a_chosen_answer_that_says_nothing_is_refused(
    person: TestClient, fields: dict[str, str]
) -> None:
    assert person.post("/answer", data=finding_form(**fields)).status_code == 400


def test_a_problem_without_a_ticket_can_be_answered_too(person: TestClient) -> None:
    data = {"ticket": "CF-BUSY-1/PLEX1/CF01", "kind": "acknowledged"}
    assert person.post("/answer", data=data).status_code == 303
    shown = person.get("/finding?rule=CF-BUSY-1&subject=PLEX1/CF01")
    assert "Acknowledged by anna" in text_of(shown)


def test_a_note_is_kept_once_with_its_days_and_its_writer(person: TestClient) -> None:
    fields = {"subject": "PLEX1/CSQ1", "rule": "LOG-FILL-30MIN", "note": "Batch ran twice",
              "first": "2026-01-20", "last": "2026-01-21"}  # fmt: skip
    for _ in range(2):
        answer = person.post("/annotate", data=finding_form(**fields))
        assert (answer.status_code, answer.headers["location"]) == (303, FINDING)
    text = text_of(person.get(f"/{FINDING}"))
    assert text.count("Batch ran twice") == 1
    assert "anna, about Tue 20 Jan 2026 to Wed 21 Jan 2026" in text


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"note": ""}, 400),
        ({"first": "soon"}, 400),
        ({"last": "2026-01-01"}, 400),
        ({"subject": "NOWHERE"}, 404),
        ({"note": "x" * 2_001}, 413),
    ],
    ids=["words", "date", "order", "subject", "length"],
)
def test_a_note_that_cannot_be_kept_is_refused(
    person: TestClient, changed: dict[str, str], status: int
) -> None:
    fields = {"subject": "PLEX1/CSQ1", "note": "x", "first": "2026-01-20", **changed}
    assert person.post("/annotate", data=fields).status_code == status


def test_a_viewer_sees_which_role_is_needed_and_cannot_write(
    person: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET"}
    shown = person.get(f"/{FINDING}")
    assert "you need a role that may edit the DAG mqcap_daily" in text_of(shown)
    assert '<form class="answer"' not in shown.text
    note = {"subject": "PLEX1/CSQ1", "note": "x", "first": "2026-01-20"}
    assert person.post("/annotate", data=note).status_code == 403


def test_a_finding_shows_its_ticket_and_how_to_take_the_change_pack_along(
    person: TestClient,
) -> None:
    text = text_of(person.get(f"/{FINDING}"))
    assert "MQCAP-7" in text
    pack = person.get(
        "/change-pack?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31&download=true"
    )
    name = 'attachment; filename="change-pack-2026-01-31-LOG-FILL-30MIN-PLEX1-CSQ1.txt"'
    assert pack.headers["content-disposition"] == name


def test_a_finding_that_does_not_exist_is_not_found(person: TestClient) -> None:
    assert person.get("/finding?rule=NONE&subject=PLEX1/CSQ1").status_code == 404


def test_a_form_never_sends_the_reader_to_another_site(person: TestClient) -> None:
    data = finding_form(kind="acknowledged", back_subject="//evil.example/x")
    location = person.post("/answer", data=data).headers["location"]
    assert location.startswith("finding?rule=")


def scenario(**fields: str) -> dict[str, str]:
    return {"name": "Twice the load", "subject": "PLEX1/CSQ1", "growth": "100", **fields}


def test_a_scenario_is_saved_by_name_compared_shared_and_forgotten(person: TestClient) -> None:
    assert "No saved scenarios" in text_of(person.get("/scenarios"))
    answer = person.post("/scenario", data=scenario(start="2026-03-01"))
    assert answer.headers["location"] == "scenarios?name=Twice+the+load"
    person.post("/scenario", data=scenario(name="A little more", growth="5"))
    shown = person.get("/scenarios?name=Twice+the+load&name=A+little+more")
    text = text_of(shown)
    assert "Side by side" in text
    assert "Growth of everything measured 100 %; start 2026-03-01" in text
    assert "whatif?subject=PLEX1%2FCSQ1&amp;day=2026-01-31&amp;growth=100&amp;start=" in shown.text
    person.post("/scenario", data={"name": "Twice the load", "forget": "yes"})
    assert "Twice the load" not in text_of(person.get("/scenarios"))


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"name": ""}, 400), ({"name": "x" * 81}, 400), ({"subject": "NOWHERE"}, 404),
     ({"growth": ""}, 400)],
    ids=["nameless", "long", "subject", "nothing"],
)  # fmt: skip
def test_a_scenario_that_cannot_be_kept_is_refused(
    person: TestClient, changed: dict[str, str], status: int
) -> None:
    assert person.post("/scenario", data=scenario(**changed)).status_code == status


def test_a_viewer_may_compare_scenarios_and_not_save_one(
    person: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET"}
    assert person.get("/scenarios").status_code == 200
    assert person.post("/scenario", data=scenario()).status_code == 403
