"""The registry of ticket backends: one module each, found by its name."""

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications.tickets.registry import backend, connection_id, names


def test_every_backend_has_a_test_of_its_name() -> None:
    tested = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert set(names()) <= tested
    assert "registry" not in names()


@pytest.mark.parametrize(
    ("name", "connection"),
    [
        ("embedded", None),
        ("jira", "jira_default"),
        ("servicenow", "servicenow_default"),
        ("webhook", "mqcap_webhook"),
        ("carrier-pigeon", None),
    ],
)
def test_a_backend_names_its_airflow_connection(name: str, connection: str | None) -> None:
    assert connection_id(name) == connection


def test_an_unknown_backend_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(ConfigurationError, match=" or ".join(names())):
        backend("carrier-pigeon")
