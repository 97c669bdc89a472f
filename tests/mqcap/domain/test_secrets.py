"""User, password and paths of addresses are not shown."""

from __future__ import annotations

import pytest

from mqcap.domain.secrets import MASK, holds_secret, masked, place_of


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://mqcap:secret@db:5432/x", f"postgresql://{MASK}@db:5432/x"),
        ("s3://key@bucket/path", f"s3://{MASK}@bucket/path"),
        ("sqlite:////var/mqcap.db", "sqlite:////var/mqcap.db"),
        ("two: a://u:p@h and b://v@i", f"two: a://{MASK}@h and b://{MASK}@i"),
        ("anna@example.com", "anna@example.com"),
    ],
)
def test_addresses_lose_user_and_password(address: str, shown: str) -> None:
    assert masked(address) == shown
    assert holds_secret(address) is (shown != address)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://hooks.example.com/T0/B1/secret?x=1", "https://hooks.example.com"),
        ("https://user:secret@host:8443/path", "https://host:8443"),
        ("http://host:nonsense/", MASK),
    ],
)
def test_the_place_of_an_address_is_scheme_host_and_port(address: str, place: str) -> None:
    assert place_of(address) == place
