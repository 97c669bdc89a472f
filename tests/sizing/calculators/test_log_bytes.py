"""Calculators beyond their vectors."""

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


def test_an_unknown_device_names_the_measured_ones() -> None:
    text = refusal("LOG-DASD-CEILING", dasd_type="DS9999", message_bytes=1)
    assert text.startswith("the document has no such row in log_dasd_ceiling; found DS9999")
    assert "DS8900F (RAID 5) 4 stripes + zHPF" in text


def test_a_combination_that_was_not_measured_names_those_that_were() -> None:
    text = refusal(
        "THR-RR-PRIVATE", lpar="3-way", queue_pairs=5, repliers_per_pair=1, requesters_per_pair=1
    )
    assert text.startswith("the document has no such row in request_reply_private")
    assert "found 3-way 5 1 1" in text
    assert "3-way 4 1 1" in text


def test_an_unknown_cipher_or_alias_names_the_measured_ones() -> None:
    text = refusal("CH-TLS-START", cipher="TLS_RSA_WITH_RC4_128_SHA256")
    assert "found TLS_RSA_WITH_RC4_128_SHA256; expected TLS_AES_128_GCM_SHA256" in text
    assert "expected ANY, ANY_TLS12, ANY_TLS12_OR_HIGHER" in refusal(
        "CH-TLS-ALIAS", alias="ANY_TLS11"
    )
