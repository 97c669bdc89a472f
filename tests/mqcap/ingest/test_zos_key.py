"""Names of samples of z/OS."""

from __future__ import annotations

import pytest

from mqcap.ingest.zos_key import QMGR, object_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("03", 3), ("99", 99), ("100", None), ("", None), ("-1", None), ("3.0", None)],
)
def test_pools_and_page_sets_have_numbers_up_to_99(text: str, number: int | None) -> None:
    assert object_number(text) == number


@pytest.mark.parametrize(
    ("name", "fits"), [("CSQ1", True), ("A", True), ("CSQ12", False), ("csq1", False), ("", False)]
)
def test_a_queue_manager_has_up_to_four_capitals(name: str, fits: bool) -> None:
    assert (QMGR.fullmatch(name) is not None) is fits
