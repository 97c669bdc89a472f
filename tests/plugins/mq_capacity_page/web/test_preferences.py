"""Display preferences: the cookie, and addresses to which a form may return."""

from __future__ import annotations

import pytest

from mq_capacity_page.web.preferences import (
    RATE_LABELS,
    current_address,
    format_cookie,
    parse_cookie,
    safe_address,
    set_current_address,
)
from mqcap.presentation.display_units import Clock, DisplayPreferences, Rate


@pytest.mark.parametrize("rate", list(Rate))
@pytest.mark.parametrize("clock", list(Clock))
def test_a_cookie_holds_what_was_chosen(rate: Rate, clock: Clock) -> None:
    shown = DisplayPreferences(rate=rate, clock=clock)
    assert parse_cookie(format_cookie(shown)) == shown


@pytest.mark.parametrize(
    "cookie", ["", ".", "furlongs.sundial", "x" * 9_000, "mb_per_hour", "..utc", "<script>.local"]
)
def test_unknown_values_are_the_default(cookie: str) -> None:
    assert parse_cookie(cookie) == DisplayPreferences()


def test_one_unknown_value_leaves_the_other_as_chosen() -> None:
    shown = parse_cookie("furlongs.utc")
    assert (shown.rate, shown.clock) == (Rate.mb_per_hour, Clock.utc)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("series?series=x", "series?series=x"),
        ("what-if", "what-if"),
        ("", "./"),
        ("?rows=3", "./?rows=3"),
        ("https://elsewhere.example/", "./"),
        ("//elsewhere.example", "./"),
        ("javascript:alert(1)", "./"),
        ("series\\..", "./"),
        ("../../admin", "./"),
        ("series?a b", "./"),
        ("series?next=//elsewhere.example", "series?next=//elsewhere.example"),
    ],
)
def test_only_addresses_of_this_application_are_safe(address: str, safe: str) -> None:
    assert safe_address(address) == safe


@pytest.mark.parametrize(
    ("path", "query", "address"),
    [("series", "day=2026-01-31", "series?day=2026-01-31"), ("", "", "./"), ("a/b", "", "./")],
)
def test_the_current_address_is_where_the_form_returns_to(
    path: str, query: str, address: str
) -> None:
    set_current_address(path, query)
    assert current_address() == address


def test_every_rate_has_its_label() -> None:
    assert set(RATE_LABELS) == set(Rate)
