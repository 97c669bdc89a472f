"""An object store in memory."""

from collections.abc import Iterator

import fsspec
import pytest


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    """An empty object store with the addresses ``memory://``."""
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()
