"""The end of a session: that of its app, or that of the block that keeps it."""

from __future__ import annotations

import pytest

from spark_apps.runtime.kept import at_its_end, kept_session


def test_a_session_ends_with_its_app() -> None:
    calls: list[str] = []
    with at_its_end(lambda: calls.append("stop")):
        calls.append("work")
    assert calls == ["work", "stop"]


def test_a_session_that_is_kept_ends_with_the_block_also_after_an_error() -> None:
    calls: list[str] = []
    with pytest.raises(ValueError, match="later"), kept_session():
        with pytest.raises(ValueError, match="first"), at_its_end(lambda: calls.append("stop")):
            raise ValueError("first")
        calls.append("next app")
        raise ValueError("later")
    assert calls == ["next app", "stop"]
    with at_its_end(lambda: calls.append("another")):
        pass
    assert calls == ["next app", "stop", "another"]
