"""The collector of circles waits for the end of a step, and is left as it was."""

from __future__ import annotations

import gc

import pytest

from mqcap.steps.collection import collecting_later


def test_the_collector_waits_until_the_end() -> None:
    assert gc.isenabled()
    with collecting_later():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="bad"), collecting_later():
        raise ValueError("bad")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collecting_later():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
