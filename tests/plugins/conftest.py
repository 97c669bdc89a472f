"""A site for the tests of the page, and clients of the page with and without a user.

The application is imported only for a test that asks for a client: it loads Airflow, so such a test
is marked ``airflow``, wherever it is.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from mq_capacity_page.web.context import PageContext, current_context
from mqcap.settings import load_settings
from mqcap.store.database import open_store
from tests.plugins import builder, lake
from tests.plugins.web import OWN, Manager, Person, TestClient


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that load Airflow."""
    if "application" in getattr(item, "fixturenames", ()):
        item.add_marker("airflow")


@pytest.fixture
def site_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a settings file; the page has not opened its store yet.

    The lake is there too: the default one is that of ``make run`` in this checkout.
    """
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(tmp_path)))
    current_context.cache_clear()
    yield tmp_path
    if current_context.cache_info().currsize:
        current_context().engine.dispose()
    current_context.cache_clear()


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluated day as a SQLite file, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("filled")
    builder.filled_store(folder).dispose()
    return folder / builder.STORE_FILE


@pytest.fixture(scope="session")
def page_application() -> FastAPI:
    """The page, made once: it asks for the site at each request."""
    from mq_capacity_page.application import create_application  # noqa: PLC0415 - loads Airflow

    return create_application()


@pytest.fixture
def application(site_folder: Path, page_application: FastAPI) -> Iterator[FastAPI]:
    """The page of the site in ``site_folder``, with Airflow's own login."""
    yield page_application
    page_application.dependency_overrides.clear()


@pytest.fixture
def client(application: FastAPI) -> Iterator[TestClient]:
    """A signed-in reader of the site in ``site_folder``."""
    from mq_capacity_page.web.dependencies import get_user, may_edit  # noqa: PLC0415 - loads Airflow

    application.dependency_overrides[get_user] = lambda: "reader"
    application.dependency_overrides[may_edit] = lambda: False
    with TestClient(application) as reader:
        yield reader


@pytest.fixture
def store_of_a_day(site_folder: Path, filled_file: Path) -> Path:
    """The file of the store of ``site_folder`` with one evaluated day."""
    return Path(shutil.copy(filled_file, site_folder / builder.STORE_FILE))


@pytest.fixture
def empty_context(site_folder: Path) -> Iterator[PageContext]:
    """A site in which no day has been evaluated, for views without Airflow and a server."""
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    yield PageContext(settings, engine)
    engine.dispose()


@pytest.fixture
def context(store_of_a_day: Path, empty_context: PageContext) -> PageContext:
    """A site with one evaluated day."""
    return empty_context


@pytest.fixture
def filled(store_of_a_day: Path, client: TestClient) -> TestClient:
    """A signed-in reader of a site with one evaluated day."""
    return client


@pytest.fixture
def traced(site_folder: Path, filled: TestClient, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A reader of a site whose lake holds the hours and records of two days."""
    monkeypatch.setenv("MQCAP_LAKE", str(lake.fill(site_folder)))
    lake.know_files(site_folder)
    return filled


@pytest.fixture
def manager(application: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Manager:
    """The rights of ``person``: at first those of an operator."""
    from mq_capacity_page.web import dependencies as auth  # noqa: PLC0415 - loads Airflow

    made = Manager({"GET", "PUT"})
    monkeypatch.setattr(auth, "get_auth_manager", lambda: made)
    return made


@pytest.fixture
def person(store_of_a_day: Path, application: FastAPI, manager: Manager) -> Iterator[TestClient]:
    """A user of the page itself with a login, whose rights are those of ``manager``."""
    from airflow.api_fastapi.core_api.security import get_user  # noqa: PLC0415 - loads Airflow

    application.dependency_overrides[get_user] = Person
    with TestClient(application, follow_redirects=False, headers=OWN) as client:
        yield client
