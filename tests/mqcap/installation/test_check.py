"""Results of checks."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation.check import Check, CheckState, checked, is_fine

FINE = Check(CheckState.fine, "store", "sqlite")
OPTIONAL = Check(CheckState.optional, "mail", "not there", "Add it.")
TO_DO = Check(CheckState.to_do, "pool", "not there", "airflow pools set x 1 'a b'")


def test_a_remedy_is_a_line_of_its_own() -> None:
    assert FINE.lines == ["fine      store: sqlite"]
    assert TO_DO.lines == ["to do     pool: not there", "          airflow pools set x 1 'a b'"]


def test_only_what_must_be_done_is_not_fine() -> None:
    assert is_fine([FINE, OPTIONAL])
    assert not is_fine([FINE, OPTIONAL, TO_DO])
    assert is_fine([])


def test_an_error_is_what_must_be_done() -> None:
    def look() -> Check:
        raise ConfigurationError("no Java", found="/x", expected="17", remedy="Install it.")

    assert checked("Spark", look) == Check(
        CheckState.to_do, "Spark", "no Java; found /x", "Expected 17. Install it."
    )


def test_an_error_without_details_is_its_problem() -> None:
    def look() -> Check:
        raise ServiceUnavailable("no answer")

    assert checked("mail", look) == Check(CheckState.to_do, "mail", "no answer")


def test_another_error_is_ours() -> None:
    def look() -> Check:
        raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        checked("mail", look)
