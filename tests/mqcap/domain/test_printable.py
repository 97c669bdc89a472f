"""Control characters in texts of others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.printable import harmless


@pytest.mark.parametrize("control", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x85", "\x9b"])
def test_control_characters_become_question_marks(control: str) -> None:
    assert harmless(f"a{control}b") == "a?b"


def test_line_ends_tabs_and_characters_of_any_language_stay() -> None:
    text = "Größe\tstørrelse\n大"
    assert harmless(text) == text


@given(st.text())
def test_the_length_stays_and_a_second_time_changes_nothing(text: str) -> None:
    assert len(harmless(text)) == len(text)
    assert harmless(harmless(text)) == harmless(text)
