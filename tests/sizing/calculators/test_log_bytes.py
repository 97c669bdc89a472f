"""Calculators beyond their vectors."""

import pytest

from sizing.rulebook.registry import all_calculators
from tests.sizing.builders import refusal


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


def test_an_unknown_cipher_or_alias_names_the_measured_ones() -> None:
    text = refusal("CH-TLS-START", cipher="TLS_RSA_WITH_RC4_128_SHA256")
    assert "found TLS_RSA_WITH_RC4_128_SHA256; expected TLS_AES_128_GCM_SHA256" in text
    assert "expected ANY, ANY_TLS12, ANY_TLS12_OR_HIGHER" in refusal(
        "CH-TLS-ALIAS", alias="ANY_TLS11"
    )
