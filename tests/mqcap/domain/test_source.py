from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mqcap.domain.source import sha256_of


@pytest.mark.parametrize("content", [b"", b"abc", bytes(range(256)) * 5_000])
def test_the_hash_is_that_of_the_content_whatever_the_name(tmp_path: Path, content: bytes) -> None:
    for name in ("one.smf", "other"):
        (tmp_path / name).write_bytes(content)
        assert sha256_of(tmp_path / name) == hashlib.sha256(content).hexdigest()


def test_a_missing_file_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sha256_of(tmp_path / "absent")
