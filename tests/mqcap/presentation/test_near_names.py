"""Errors about a subject that there is not name those that may have been meant."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.presentation.near_names import listed_names, near_names, require_subject

SUBJECTS = ("PLEX1/CSQ1/BP01", "PLEX1/CSQ2", "PLEX2/CSQ9/CHINIT")


@pytest.mark.parametrize(
    "wanted", ["PLEX1", "plex1/csq2", "CSQ9", "PLEX2/CSQ9", "CHINIT", "PLEX1/CSQ1/BP01"]
)
def test_what_a_path_of_a_subject_has_exists(wanted: str) -> None:
    require_subject(wanted, SUBJECTS)


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("PLEX1/CSQ3", "PLEX1/CSQ2 or PLEX1/CSQ1 or PLEX2/CSQ9"),
        ("CSQ7", "CSQ9 or CSQ2 or CSQ1"),
        ("PLEX7", "PLEX2 or PLEX1"),
        ("HAMBURG", "one of these"),
        ("", "one of these"),
    ],
)
def test_what_no_path_has_is_an_error_that_names_what_is_near(wanted: str, near: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        require_subject(wanted, SUBJECTS)
    assert str(error.value) == (
        f"there is no subject {wanted}; found figures of PLEX1/CSQ1, PLEX1/CSQ2, PLEX2/CSQ9; "
        f"expected {near}."
    )


def test_where_nothing_is_measured_nothing_is_known() -> None:
    require_subject("PLEX1", ())


def test_names_are_listed_up_to_a_number() -> None:
    assert listed_names([f"Q{number:02}" for number in range(14)]).endswith("Q11 and 2 more")
    assert near_names("", ["Q1"]) == ""
