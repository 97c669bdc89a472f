from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.ingest.smf.dump_file import open_content
from tests.mqcap.ingest.dumps import small_dump

pytestmark = pytest.mark.thorough


def test_bytes_that_were_let_go_can_be_read_again(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    content = open_content(dump)
    content.release(1, len(content.data))
    assert content.data.tobytes() == dump.read_bytes()
