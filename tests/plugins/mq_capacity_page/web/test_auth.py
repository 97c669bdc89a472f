"""Airflow's login and the rights of a role."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI, HTTPException

from tests.plugins.web import Manager, Person, TestClient, text_of


@pytest.fixture
def auth(application: FastAPI) -> Any:
    """The module that asks Airflow."""
    from mq_capacity_page.web import auth as module  # noqa: PLC0415 - loads Airflow

    return module


@pytest.mark.parametrize(
    ("rights", "reads", "edits"),
    [(set(), False, False), ({"GET"}, True, False), ({"GET", "PUT"}, True, True)],
    ids=["none", "viewer", "operator"],
)
def test_the_rights_on_the_daily_dag_decide(
    auth: Any, manager: Manager, rights: set[str], reads: bool, edits: bool
) -> None:
    manager.rights = rights
    user = Person()
    for required, allowed, verb in (
        (auth.get_user, reads, "read"),
        (auth.get_operator, edits, "edit"),
    ):
        if allowed:
            assert required(user) is user
            continue
        with pytest.raises(HTTPException) as refused:
            required(user)
        assert refused.value.status_code == 403
        assert refused.value.detail == f"Your Airflow role may not {verb} the DAG mqcap_daily."
    assert auth.may_edit(user) is edits
    assert manager.asked == [("GET", "mqcap_daily"), ("PUT", "mqcap_daily"), ("PUT", "mqcap_daily")]


@pytest.mark.parametrize(("user", "name"), [(Person(), "anna"), ("reader", ""), (None, "")])
def test_a_user_has_the_name_that_airflow_shows(auth: Any, user: object, name: str) -> None:
    assert auth.user_name(user) == name


def test_who_may_not_read_the_dag_sees_nothing(person: TestClient, manager: Manager) -> None:
    manager.rights = set()
    answer = person.get("/")
    assert answer.status_code == 403
    assert "PLEX1" not in answer.text
    assert "Your Airflow role may not read the DAG mqcap_daily." in text_of(answer)
