"""The wheel in an Airflow of its own: what it starts with, and how it ends."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mqcap.domain.errors import ServiceUnavailable
from tests.airflow_home import CHECKOUT
from tests.services import plain_airflow as module
from tests.services.plain_airflow import PlainAirflow, ask_for_page, main

PLAIN = PlainAirflow(Path("/site/venv/bin/python"), Path("/site"), 8180)


def test_nothing_of_the_checkout_and_of_this_process_is_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    monkeypatch.setenv("MQCAP_REPORTS__FOLDER", "/elsewhere")
    monkeypatch.setenv("AIRFLOW__CORE__PLUGINS_FOLDER", str(CHECKOUT / "plugins"))
    monkeypatch.setenv("JAVA_HOME", "/jdk")
    environment = PLAIN.environment
    gone = {"PYTHONPATH", "MQCAP_REPORTS__FOLDER", "AIRFLOW__CORE__PLUGINS_FOLDER", "JAVA_HOME"}
    assert gone & environment.keys() == set()
    ours = {name: value for name, value in environment.items() if name.startswith("MQCAP")}
    assert all("/site/" in value for value in ours.values())


class Statuses:
    """Stands for clients of the page."""

    def __init__(self, by_user: dict[str, int]) -> None:
        self.by_user = by_user

    def client(self, user: str) -> Statuses:
        return Statuses({"": self.by_user[user]})

    def status_of(self, _path: str) -> int:
        return self.by_user[""]


@pytest.mark.parametrize("visitor", [200, 401, 500])
def test_a_status_that_is_not_expected_fails(monkeypatch: pytest.MonkeyPatch, visitor: int) -> None:
    statuses = Statuses({"admin": 200, "visitor": visitor})
    monkeypatch.setattr(PlainAirflow, "api", statuses.client)
    with pytest.raises(ServiceUnavailable, match=f"the page as visitor; found status {visitor}"):
        ask_for_page(PLAIN)


def test_a_step_that_fails_ends_the_program_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def refuse(*_: object) -> Path:
        raise ServiceUnavailable("wheel ended with code 1")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "build_wheel", refuse)
    monkeypatch.setattr(sys, "argv", ["plain_airflow", "--airflow", "3.3.2"])
    assert main() == 1
    assert "failed: wheel ended with code 1" in capsys.readouterr().err
