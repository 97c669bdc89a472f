"""An empty store for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqcap.store.database import Store
from tests.stores import new_store


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Store]:
    opened = new_store(tmp_path / "store.db")
    yield opened
    opened.dispose()
