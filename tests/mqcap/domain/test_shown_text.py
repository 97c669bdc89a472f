"""User, password and paths of addresses, and control characters, are not shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.shown_text import (
    MASK,
    harmless,
    holds_secret,
    masked,
    names_credential,
    place_of,
    without_credentials,
    wrapped,
)


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("   SSLKeyRepositoryPassword=hunter2", f"   SSLKeyRepositoryPassword={MASK}"),
        (
            "DEFINE AUTHINFO(A) LDAPPWD('hunter2') X(1)",
            f"DEFINE AUTHINFO(A) LDAPPWD('{MASK}') X(1)",
        ),
        ('{"token": "hunter2", "a": 1}', f'{{"token": "{MASK}", "a": 1}}'),
        ("api_key : hunter2;b", f"api_key : {MASK};b"),
        ("passphrase=", "passphrase="),
        ("zhyperlink_other_token_count=7", "zhyperlink_other_token_count=7"),
        ("the password was changed", "the password was changed"),
        ("MAXDEPTH(5000)", "MAXDEPTH(5000)"),
    ],
)
def test_values_behind_names_of_credentials_are_masked(text: str, shown: str) -> None:
    assert without_credentials(text) == shown
    assert without_credentials(shown) == shown


@pytest.mark.parametrize(
    ("key", "expected"),
    [("keyrepositorypassword", True), ("ldappwd", True), ("logpath", False), ("tokens.of", False)],
)
def test_names_of_credentials_are_known(key: str, *, expected: bool) -> None:
    assert names_credential(key) is expected


@pytest.mark.parametrize(
    "control", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x85", "\x9b", "\udcc5"]
)
def test_control_characters_become_question_marks(control: str) -> None:
    assert harmless(f"a{control}b") == "a?b"


def test_line_ends_tabs_and_characters_of_any_language_stay() -> None:
    text = "Größe\tstørrelse\n大"
    assert harmless(text) == text


@given(st.text())
def test_the_length_stays_and_a_second_time_changes_nothing(text: str) -> None:
    assert len(harmless(text)) == len(text)
    assert harmless(harmless(text)) == harmless(text)


WORDS = st.lists(st.text("abc-%0", min_size=1, max_size=12), max_size=12)


def test_lines_break_between_words_and_later_ones_are_indented() -> None:
    assert wrapped("define 16 active-logs now", 14, "  ") == ["define 16", "  active-logs", "  now"]


def test_a_longer_word_is_not_cut_and_no_text_is_one_empty_line() -> None:
    assert wrapped("PLEX1/CSQ1/CHINIT is full", 5) == ["PLEX1/CSQ1/CHINIT", "is", "full"]
    assert wrapped("", 5) == [""]
    assert wrapped("a b", 0) == ["a", "b"]


@given(WORDS, st.integers(1, 40))
def test_all_words_are_kept_in_their_order(words: list[str], width: int) -> None:
    assert " ".join(wrapped(" ".join(words), width)).split() == words
