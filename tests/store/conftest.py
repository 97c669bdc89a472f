"""Every test of the store runs on a SQLite file and on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from store.database import open_store
from tests.store.postgres import new_database, postgres_server


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    with new_database(request.getfixturevalue("postgres_url")) as url:
        yield url


@pytest.fixture
def engine(store_url: str) -> Iterator[Engine]:
    opened = open_store(store_url)
    yield opened
    opened.dispose()
