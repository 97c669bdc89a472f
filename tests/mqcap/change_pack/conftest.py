"""A new store for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.store.database import Store
from tests.mqcap.rulebook.builders import new_store


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path)
