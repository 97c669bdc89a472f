"""The CSV file of business drivers; what is wrong is reported with file and line."""

from datetime import date
from pathlib import Path

import pytest

from mqcap.steps.forecast import DriverFile, read_driver_file

FIRST = date(2026, 3, 1)


def read(folder: Path, *lines: str, head: str = "driver,time,value") -> DriverFile:
    file = folder / "drivers.csv"
    file.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    found = read_driver_file(file)
    return found._replace(problems=tuple(text.replace(f"{file} ", "") for text in found.problems))


def test_values_are_read_by_driver_and_day(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "payments,2026-03-01,12.5",
        "",
        "orders,2026-03-01T23:00,3",
        " payments ,2026-03-02,9",
    )
    assert found.problems == ()
    assert found.values == {
        "payments": {FIRST: 12.5, date(2026, 3, 2): 9.0},
        "orders": {FIRST: 3.0},
    }


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("payments,2026-03-02,many", "'many' is no number"),
        ("payments,2026-03-02,nan", "nan is not above zero"),
        ("payments,2026-03-02,0", "0 is not above zero"),
        ("payments,2026-03-02,-0.1", "-0.1 is not above zero"),
        ("payments,2 March,5", "'2 March' is no day such as 2026-01-31"),
        ("payments,2026-03-02", "expected 3 cells, found 2"),
        (",2026-03-02,5", "the driver has no name"),
    ],
)
def test_a_line_that_cannot_be_read_is_left_out_and_named(
    tmp_path: Path, line: str, problem: str
) -> None:
    found = read(tmp_path, "payments,2026-03-01,5", line)
    assert found.values == {"payments": {FIRST: 5.0}}
    assert found.problems == (f"line 3: {problem}; the line is left out",)


def test_of_a_day_that_is_given_again_the_first_line_counts(tmp_path: Path) -> None:
    found = read(tmp_path, "payments,2026-03-01,5", "payments,2026-03-01,7")
    assert found.values["payments"] == {FIRST: 5.0}
    assert found.problems == ("line 3: 2026-03-01 of payments is given again; line 2 counts",)


def test_missing_days_are_counted_with_the_line_before_the_first(tmp_path: Path) -> None:
    found = read(
        tmp_path, "payments,2026-03-05,5", "payments,2026-03-01,5", "payments,2026-03-03,5"
    )
    [problem] = found.problems
    assert problem == (
        "line 3: 2 days of payments missing between 2026-03-01 and 2026-03-05, the first is "
        "2026-03-02; they are drawn through"
    )
    assert len(found.values["payments"]) == 3


@pytest.mark.parametrize("head", ["name,day,value", "", "driver,time"])
def test_other_headings_give_no_driver(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, "payments,2026-03-01,5", head=head)
    assert found.values == {}
    [problem] = found.problems
    assert problem.startswith("line 1: expected the headings driver,time,value, found ")


def test_a_file_that_is_not_there_or_no_text_is_reported(tmp_path: Path) -> None:
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"driver,time,value\n" + bytes(range(32)))
    for file in (tmp_path / "none.csv", binary):
        found = read_driver_file(file)
        assert found.values == {}
        assert found.problems[0].startswith(f"{file}: drivers cannot be read: ")


def test_a_mark_at_the_begin_and_capitals_of_headings_are_understood(tmp_path: Path) -> None:
    found = read(tmp_path, "payments,2026-03-01,5", head="\ufeffDriver,Time,Value")
    assert found.values == {"payments": {FIRST: 5.0}}
