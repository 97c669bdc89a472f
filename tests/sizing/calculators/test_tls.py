"""TLS on channels: MP16, "TLS channel start costs" and "Secret key (re-)negotiation costs"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import tls as registered
from sizing.rulebook.registry import get
from tests.sizing.builders import refusal

tls: Any = registered  # a registered function has the return type of all


def test_a_start_costs_what_the_row_of_its_cipher_says() -> None:
    figures = tls.tls_start("TLS_AES_256_GCM_SHA384")
    assert figures == {"cpu_ms": 0.81, "channels_per_s": 177.2}


@pytest.mark.parametrize("cipher", [None, "none", "NONE", "No TLS", "no ssl", "unprotected"])
def test_without_tls_it_is_the_plain_start_with_4000_channels(cipher: str | None) -> None:
    plain = {"cpu_ms": 0.38, "channels_per_s": 428}
    assert tls.tls_start(cipher) == plain
    assert get("CH-TLS-START").answer({"cipher": cipher, "channels_in_syncq": 4_000}) == plain
    assert get("CH-TLS-START").answer({"cipher": cipher, "channels": 428})["seconds"] == 1


def test_every_cipher_starts_slower_than_no_tls() -> None:
    plain = tls.tls_start("none")
    for cipher in ("TLS_RSA_WITH_NULL_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"):
        secured = tls.tls_start(cipher)
        assert secured["cpu_ms"] > plain["cpu_ms"]
        assert secured["channels_per_s"] < plain["channels_per_s"]


def test_many_starts_take_their_number_by_the_rate_and_the_cost() -> None:
    assert tls.tls_starts("none", 428) == {"seconds": 1, "cpu_s": approx(0.16264)}
    assert tls.tls_starts("none", 856)["seconds"] == 2


def test_an_alias_names_the_cipher_that_is_negotiated() -> None:
    assert tls.alias_start("ANY_TLS12") == {
        "negotiated": "TLS_RSA_WITH_AES_256_GCM_SHA384", "cpu_ms": 0.74, "channels_per_s": 184,
    }  # fmt: skip


def test_an_unknown_cipher_or_alias_names_the_measured_ones() -> None:
    text = refusal("CH-TLS-START", cipher="TLS_RSA_WITH_RC4_128_SHA256")
    assert "found TLS_RSA_WITH_RC4_128_SHA256; expected TLS_AES_128_GCM_SHA256" in text
    assert "expected ANY, ANY_TLS12, ANY_TLS12_OR_HIGHER" in refusal(
        "CH-TLS-ALIAS", alias="ANY_TLS11"
    )


def test_keys_are_negotiated_once_for_each_sslrkeyc_of_data() -> None:
    # "Secret key (re-)negotiation costs": 2 to 7 ms each with hardware.
    assert tls.negotiations(10, 1) == {
        "negotiations_per_s": 10, "cpu_from_ms_per_s": 20, "cpu_to_ms_per_s": 70,
    }  # fmt: skip
    assert tls.negotiations(0, 1)["cpu_to_ms_per_s"] == 0


def test_a_larger_sslrkeyc_costs_less_and_software_more() -> None:
    costs = [tls.negotiations(10, size)["cpu_to_ms_per_s"] for size in (1, 5, 10)]  # F-41
    assert costs == [70, 14, 7]
    assert tls.negotiations(1, 1, "software") == {
        "negotiations_per_s": 1, "cpu_from_ms_per_s": 70, "cpu_to_ms_per_s": 133,
    }  # fmt: skip
    assert "sslrkeyc_mb: Input should be greater than 0" in refusal(
        "CH-TLS-NEG", mb_per_s=1, sslrkeyc_mb=0
    )


def test_two_tests_of_the_same_load_give_the_cost_of_one_negotiation() -> None:
    assert tls.negotiation_cost(15, 10, 100) == {"cpu_us": 500}
    assert tls.negotiation_cost(10, 10, 100) == {"cpu_us": 0}


def test_a_stop_costs_the_channel_initiator_more_with_system_ssl_only() -> None:
    assert tls.tls_stop("none") == tls.tls_stop("AT-TLS") == {"cpu_us": 340}
    assert tls.tls_stop("System SSL") == {"cpu_us": 450}
    assert "'AT-TLS' or 'System SSL'" in refusal("CH-TLS-STOP", protection="IPSec")


def test_the_change_to_at_tls_is_computed_where_the_printed_one_does_not_follow() -> None:
    assert tls.attls_change(10, 5) == {"change_pct": -50}
    assert tls.attls_change(7.10, 7.01)["change_pct"] == approx(-1.3, abs=0.05)  # F-29
