"""Every test of the store runs on a SQLite file and on a real PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.store.database import open_store
from tests.mqcap.store.postgres import new_database, postgres_server
from tests.stores import new_store

BACKENDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)]


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def migrated_url(postgres_url: str) -> Iterator[str]:
    with new_database(postgres_url) as url:
        open_store(url).dispose()
        yield url


@pytest.fixture(params=BACKENDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    with new_database(request.getfixturevalue("postgres_url")) as url:
        yield url


@pytest.fixture(params=BACKENDS)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        new_store(tmp_path / "store.db").dispose()
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    server = request.getfixturevalue("postgres_url")
    with new_database(server, request.getfixturevalue("migrated_url")) as url:
        yield url


@pytest.fixture
def engine(store_url: str) -> Iterator[Engine]:
    opened = open_store(store_url)
    yield opened
    opened.dispose()
