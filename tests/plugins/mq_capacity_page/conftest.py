"""A filled store for views, without Airflow and without a server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mq_capacity_page.web.context import PageContext
from mqcap.settings import load_settings
from mqcap.store.database import open_store
from tests.plugins import builder


@pytest.fixture(scope="session")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluated day as a SQLite file, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("views")
    builder.filled_store(folder).dispose()
    return folder / builder.STORE_FILE


@pytest.fixture
def empty_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageContext]:
    """A site in which no day has been evaluated."""
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(tmp_path)))
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    yield PageContext(settings, engine)
    engine.dispose()


@pytest.fixture
def context(
    tmp_path: Path, store_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PageContext]:
    """A site with one evaluated day."""
    shutil.copy(store_file, tmp_path / builder.STORE_FILE)
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(tmp_path)))
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    yield PageContext(settings, engine)
    engine.dispose()
