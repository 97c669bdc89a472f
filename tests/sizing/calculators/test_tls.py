"""TLS on channels: MP16, "TLS channel start costs" and "Secret key (re-)negotiation costs"."""

from __future__ import annotations

from tests.sizing.builders import refusal


def test_an_unknown_cipher_or_alias_names_the_measured_ones() -> None:
    text = refusal("CH-TLS-START", cipher="TLS_RSA_WITH_RC4_128_SHA256")
    assert "found TLS_RSA_WITH_RC4_128_SHA256; expected TLS_AES_128_GCM_SHA256" in text
    assert "expected ANY, ANY_TLS12, ANY_TLS12_OR_HIGHER" in refusal(
        "CH-TLS-ALIAS", alias="ANY_TLS11"
    )
