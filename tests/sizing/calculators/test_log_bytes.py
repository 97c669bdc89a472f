"""Log bytes of messages: MP16, "How much log space does my message use?"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import log_bytes as registered
from sizing.rulebook.registry import all_calculators
from tests.sizing.builders import refusal

log_bytes: Any = registered  # a registered function has the return type of all


def test_a_flow_is_linear_between_sizes_and_flat_below_them() -> None:
    assert log_bytes.by_flow(0, "local_or_client_put_get")["log_bytes_per_message"] == 1_700
    assert log_bytes.by_flow(750, "local_or_client_put_get")["log_bytes_per_message"] == 2_000
    assert "put_and_send_batch50" in refusal("LOG-BYTES-FLOW", message_bytes=1, flow="send")


@pytest.mark.parametrize(
    ("pattern", "messages", "total"),
    [
        ("put_out_of_syncpoint", 1, 1_060),
        ("put_out_of_syncpoint", 7, 7_420),
        ("put_then_commit", 7, 7_420),
        ("put10_commit", 10, 7_510),  # as MP16 prints it for ten messages of one byte
        ("put10_commit", 25, 18_775),
    ],
)
def test_the_total_of_several_messages_is_given_for_every_pattern(
    pattern: str, messages: int, total: int
) -> None:
    figures = all_calculators()["LOG-BYTES-PUT-LOCAL"].answer(
        {"message_bytes": 1, "pattern": pattern, "messages": messages}
    )
    assert figures["log_bytes"] == total
