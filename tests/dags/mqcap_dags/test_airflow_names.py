"""Names of Airflow by release."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk import exceptions
from mqcap_dags import airflow_names


def test_the_newest_place_comes_first() -> None:
    assert airflow_names.AirflowFailException is exceptions.AirflowFailException
    assert airflow_names.AirflowNotFoundException is exceptions.AirflowNotFoundException


@pytest.mark.parametrize("name", airflow_names._PLACES)
def test_an_older_release_has_the_name_elsewhere(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest, former = airflow_names._PLACES[name]
    modules: dict[str, Any] = {
        newest: SimpleNamespace(), former: SimpleNamespace(**{name: "that of 3.1"})
    }  # fmt: skip
    monkeypatch.setattr(airflow_names, "import_module", modules.__getitem__)
    assert getattr(airflow_names, name) == "that of 3.1"


def test_another_name_is_none_of_them() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Asset'"):
        _ = airflow_names.Asset


@pytest.mark.parametrize(("version", "backoff"), [("1.1.8", True), ("1.2.0", 2.0), ("1.3.2", 2.0)])
def test_the_wait_doubles_in_every_release(version: str, backoff: float) -> None:
    value = airflow_names.doubling_backoff(version)
    assert (value, type(value)) == (backoff, type(backoff))
