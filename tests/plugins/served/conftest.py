"""Stores of one evaluated day with scores, on SQLite and on a real PostgreSQL server."""

from collections.abc import Iterator

import pytest

from tests.mqcap.store.postgres import new_database, postgres_server
from tests.plugins import builder, scores


@pytest.fixture(scope="session")
def postgres_store() -> Iterator[str]:
    """The address of a store on PostgreSQL."""
    with postgres_server() as server, new_database(server) as url:
        scores.fill_site(url)
        yield url


@pytest.fixture(
    scope="session",
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)],
)
def store_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a store, of each kind in turn."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_store"))
    url = f"sqlite:///{tmp_path_factory.mktemp('served') / builder.STORE_FILE}"
    scores.fill_site(url)
    return url
