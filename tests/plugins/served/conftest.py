"""An Airflow home for the tests of the page, and clients with and without a user."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.served.web import TestClient  # isort: skip - chooses Airflow's home first

from mq_capacity_page.application import create_application
from mq_capacity_page.web.auth import get_user, may_edit
from mq_capacity_page.web.context import current_context
from tests.plugins import builder


@pytest.fixture
def site_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a settings file; the page has not opened its store yet."""
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(tmp_path)))
    current_context.cache_clear()
    yield tmp_path
    if current_context.cache_info().currsize:
        current_context().engine.dispose()
    current_context.cache_clear()


@pytest.fixture
def client(site_folder: Path) -> Iterator[TestClient]:
    """A signed-in reader of the site in ``site_folder``."""
    application = create_application()
    application.dependency_overrides[get_user] = lambda: "reader"
    application.dependency_overrides[may_edit] = lambda: False
    with TestClient(application) as reader:
        yield reader


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judged day as a SQLite file, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("filled")
    builder.filled_store(folder).dispose()
    return folder / builder.STORE_FILE


@pytest.fixture
def filled(site_folder: Path, filled_file: Path, client: TestClient) -> TestClient:
    """A signed-in reader of a site with one judged day."""
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    return client
