"""Who may read and who may answer, and what an answer does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.web import TestClient  # isort: skip - chooses Airflow's home first

from domain.problem import MarkKind
from mq_capacity_page import auth
from mq_capacity_page.application import create_application
from store import problems, reads
from tests.plugins import builder


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
    with TestClient(application, follow_redirects=False) as client:
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
    assert problems.marks(engine, builder.DAY) == {}
    engine.dispose()


def test_an_operator_s_answer_is_noted_with_the_name(person: TestClient, site_folder: Path) -> None:
    answer = person.post("/answer", data=form("accepted risk until 2026-12-31"))
    assert (answer.status_code, answer.headers["location"]) == (303, "tickets")
    engine = builder.empty_store(site_folder)
    day = reads.latest_site_date(engine)
    assert day is not None
    [mark] = problems.marks(engine, day).values()
    assert (mark.kind, mark.who) == (MarkKind.accepted_until, "anna")
    engine.dispose()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (form("whatever"), 400),
        (form(ticket="none"), 404),
        (form("acknowledged " + "x" * 5_000), 413),
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
        assert anonymous.post("/answer", data=form()).status_code == 401
