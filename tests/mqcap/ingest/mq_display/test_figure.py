"""Numbers of answers."""

from __future__ import annotations

import pytest

from mqcap.ingest.mq_display.figure import number


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0.0), ("0012", 12.0), ("", None), (None, None), ("-1", None), ("1.5", None)],
)
def test_only_whole_numbers_are_known(text: str | None, expected: float | None) -> None:
    assert number(text) == expected
