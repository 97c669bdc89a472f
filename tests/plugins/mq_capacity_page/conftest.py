"""A filled store for views, without Airflow and without a server."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mq_capacity_page.web.context import PageContext
from mqcap.settings import load_settings
from mqcap.store.database import open_store
from tests.plugins import builder


@pytest.fixture
def empty_context(site_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageContext]:
    """A site in which no day has been evaluated."""
    monkeypatch.setenv("MQCAP_LAKE", str(site_folder / "lake"))
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    yield PageContext(settings, engine)
    engine.dispose()


@pytest.fixture
def store_of_a_day(site_folder: Path, filled_file: Path) -> Path:
    """The file of a store with one evaluated day."""
    return Path(shutil.copy(filled_file, site_folder / builder.STORE_FILE))


@pytest.fixture
def context(store_of_a_day: Path, empty_context: PageContext) -> PageContext:
    """A site with one evaluated day."""
    return empty_context
