"""Names as people type them, and columns of exports."""

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import (
    NAMED_MAX,
    listed_names,
    names_meant,
    names_within,
    near_names,
    near_or_all,
    the_name_meant,
)

SUBJECTS = ("PLEX1/CSQ1", "PLEX1/CSQ1/CHINIT", "PLEX1/CSQ11", "PLEX2/CSQ9", "PLEX2/CSQ9/CHINIT")


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("PLEX1/CSQ1", ["PLEX1/CSQ1"]),
        ("plex1/csq1", ["PLEX1/CSQ1"]),
        ("CSQ1", ["PLEX1/CSQ1"]),
        ("csq1/chinit", ["PLEX1/CSQ1/CHINIT"]),
        ("CHINIT", ["PLEX1/CSQ1/CHINIT", "PLEX2/CSQ9/CHINIT"]),
        ("SQ1", []),
        ("PLEX1", []),
        ("", []),
    ],
)
def test_a_name_is_meant_in_any_case_and_by_its_last_parts(wanted: str, meant: list[str]) -> None:
    assert names_meant(wanted, SUBJECTS) == meant


@pytest.mark.parametrize(
    ("wanted", "within"),
    [
        ("csq11", ["PLEX1/CSQ11"]),
        ("CSQ9", ["PLEX2/CSQ9", "PLEX2/CSQ9/CHINIT"]),
        ("plex2/csq9", ["PLEX2/CSQ9", "PLEX2/CSQ9/CHINIT"]),
        ("SQ9", []),
        ("", []),
    ],
)
def test_a_path_has_a_name_as_whole_parts(wanted: str, within: list[str]) -> None:
    assert names_within(wanted, SUBJECTS) == within


def test_a_name_itself_is_not_mistaken_for_the_end_of_another_or_another_case() -> None:
    assert names_meant("QM1", ["EAST/QM1", "qm1", "QM1"]) == ["QM1"]
    assert names_meant("qM1", ["EAST/QM1", "qm1", "QM1"]) == ["qm1", "QM1"]


def test_several_are_listed() -> None:
    with pytest.raises(ConfigurationError) as error:
        the_name_meant("CHINIT", SUBJECTS, "subject")
    assert str(error.value) == (
        "more than one subject has this name; found CHINIT; "
        "expected PLEX1/CSQ1/CHINIT or PLEX2/CSQ9/CHINIT."
    )


def test_without_one_near_names_are_suggested() -> None:
    with pytest.raises(ConfigurationError) as error:
        the_name_meant("CSQ8", SUBJECTS, "subject", remedy="See the list.")
    assert str(error.value) == (
        "no such subject; found CSQ8; expected PLEX1/CSQ1 or PLEX2/CSQ9 or PLEX1/CSQ11. "
        "See the list."
    )


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("log-fill", ["LOG-FILL-30MIN", "LOSS-LOG-FILL"]),
        ("LOGFILL30MIN", ["LOG-FILL-30MIN"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_near_is_what_begins_so_then_what_contains_it_then_what_looks_like_it(
    wanted: str, near: list[str]
) -> None:
    known = ["LOSS-LOG-FILL", "LOG-FILL-30MIN", "CF-BUSY-1"]
    assert near_names(wanted, known) == near


def test_a_part_of_a_path_is_near_after_the_paths_that_end_with_it() -> None:
    plans = ["PLEX1/CSQ2/active_log", "PLEX1/CSQ1/active_log", "PLEX1/CSQ1"]
    assert near_names("CSQ99", plans) == ["PLEX1/CSQ1", "PLEX1/CSQ2/active_log"]
    assert near_names("active_lock", plans) == ["PLEX1/CSQ2/active_log"]


def test_where_nothing_is_near_all_are_listed() -> None:
    assert near_or_all("zzz", iter(["CF01", "CF02"])) == "CF01, CF02"
    assert near_or_all("CF1", iter(["CF01", "XY"])) == "CF01"
    assert near_or_all("zzz", []) == ""


@pytest.mark.parametrize(
    ("count", "end"), [(NAMED_MAX, "Q10 or Q11"), (NAMED_MAX + 1, "Q11 and 1 more")]
)
def test_names_are_listed_up_to_a_number(count: int, end: str) -> None:
    assert listed_names([f"Q{number:02}" for number in range(count)], "or").endswith(end)
