"""Logs in change packs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.change_pack.logs import (
    STEPS_MAX,
    LogChange,
    log_change,
    log_needs,
    log_statements,
    new_names,
    old_names,
)
from mqcap.domain.estate import QueueManager
from tests.mqcap.change_pack.builders import change

TODAY = {"active_log_size_mib": 2_048.0, "active_logs": 8}
NAMES = tuple(f"MQM.CSQ1.LOGCOPY{copy}.DS{number:02}" for copy in (1, 2) for number in range(1, 9))


def manager(**changed: Any) -> QueueManager:
    return QueueManager(**({"name": "CSQ1", "dual_logging": True, **TODAY} | changed))


def made(**changed: Any) -> LogChange:
    values: dict[str, Any] = {
        "queue_manager": "CSQ1", "cylinders": 5_825, "old_cylinders": 2_913, "existing": 8,
        "new": 21, "dual_logging": True,
    }  # fmt: skip
    return LogChange(**(values | changed))


def test_larger_logs_take_the_place_of_all_of_today() -> None:
    larger = change("PLEX1/CSQ1", TODAY, active_log_size_mib=4_095.7, active_logs=21)
    result = made()
    assert log_change(larger, manager()) == result
    assert (result.replaces, result.new_cylinders) == (True, 244_650)
    assert result.freed_cylinders == 46_608


def test_more_logs_of_the_same_size_leave_those_of_today_where_that_is_known() -> None:
    more = change("PLEX1/CSQ1", {"active_logs": 8}, active_logs=11)
    result = made(cylinders=2_913, new=3)
    assert log_change(more, manager()) == result
    assert (result.replaces, result.freed_cylinders) == (False, 0)
    assert log_change(more, manager(active_log_size_mib=None)) is None


def test_larger_logs_of_the_same_number_need_the_number_of_the_estate() -> None:
    larger = change("PLEX1/CSQ1", {"active_log_size_mib": 2_048.0}, active_log_size_mib=4_095.7)
    assert log_change(larger, manager()) == made(new=8)
    assert log_change(larger, None) is None
    assert log_change(larger, manager(active_logs=None)) is None


@pytest.mark.parametrize(("dual", "copies"), [(True, (1, 2)), (False, (1,)), (None, (1, 2))])
def test_single_logging_as_the_estate_states_it_gets_no_second_copy(
    dual: bool | None, copies: tuple[int, ...]
) -> None:
    result = made(dual_logging=dual)
    assert result.copies == copies
    assert ("COPY(2)" in "\n".join(log_statements(result))) is (2 in copies)
    assert ("not known whether" in "\n".join(log_needs(result))) is (dual is None)


def test_each_old_log_of_both_copies_is_deleted_by_its_name() -> None:
    lines = list(log_statements(made(names=NAMES)))
    deleted = [line.partition("=")[2] for line in lines if "DELETE DSNAME" in line]
    assert deleted == [*NAMES]
    assert "DEFINE LOG('MQM.CSQ1.LOGCOPY2.DS29') COPY(2)" in lines
    kept = "\n".join(log_statements(made(cylinders=2_913, names=NAMES)))
    assert "DELETE" not in kept


def test_each_new_data_set_is_defined_formatted_and_added_once() -> None:
    text = "\n".join(log_statements(made()))
    for part in ("CYLINDERS(5825)", "LINEAR SHAREOPTIONS(2 3)", "EXEC FORMAT,", "DEFINE LOG("):
        assert text.count(part) == 42, part


@pytest.mark.parametrize(("new", "jobs"), [(254, 1), (255, 1), (256, 2), (310, 2)])
def test_no_job_has_more_steps_than_a_job_can_have(new: int, jobs: int) -> None:
    lines = list(log_statements(made(new=new, dual_logging=False)))
    starts = [number for number, line in enumerate(lines) if " JOB " in line]
    steps = [
        sum("EXEC FORMAT," in line for line in lines[start:end])
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]
    assert sum(steps) == new
    assert max(steps) <= STEPS_MAX
    assert sum(count > 0 for count in steps) == jobs


@pytest.mark.parametrize(("new", "is_too_many"), [(301, False), (302, False), (303, True)])
def test_old_and_new_logs_over_the_limit_are_done_in_two_parts(new: int, is_too_many: bool) -> None:
    needs = "\n".join(log_needs(made(new=new)))
    assert ("do it in two parts" in needs) is is_too_many


def test_dasd_is_counted_over_all_data_sets_and_copies() -> None:
    assert list(log_needs(made())) == [
        "New: 42 data sets x 5,825 cylinders of 3390 = 244,650 cylinders (172,020 MiB).",
        "Old: 46,608 cylinders, free once they are deleted.",
    ]


COPY1, COPY2 = [*NAMES[:8]], [*NAMES[8:]]


def test_new_names_go_on_after_the_highest_number_of_all_copies() -> None:
    assert new_names(NAMES, "CSQ1", (1, 2), 8, 2) == [
        (copy, f"MQM.CSQ1.LOGCOPY{copy}.DS{number}") for number in ("09", "10") for copy in (1, 2)
    ]
    known = [*COPY1, *COPY2[:-1], "MQM.CSQ1.LOGCOPY2.DS31"]
    assert [name for _, name in new_names(known, "CSQ1", (1, 2), 8, 1)] == [
        "MQM.CSQ1.LOGCOPY1.DS32",
        "MQM.CSQ1.LOGCOPY2.DS32",
    ]


@pytest.mark.parametrize(
    "known",
    [[], ["MQM.CSQ1.LOGA", "MQM.CSQ1.LOGB"], COPY1, [*COPY1, "MQM.CSQ1.OTHER1", *COPY2]],
)
def test_names_without_one_beginning_for_each_copy_leave_it_to_the_site(known: list[str]) -> None:
    assert [name for _, name in new_names(known, "CSQ1", (1, 2), 8, 1)] == [
        "++HLQ++.CSQ1.LOGCOPY1.DS09",
        "++HLQ++.CSQ1.LOGCOPY2.DS09",
    ]


@given(
    numbers=st.lists(st.integers(0, 400), unique=True, min_size=1, max_size=30),
    is_dual=st.booleans(),
    count=st.integers(1, 40),
)
def test_no_new_name_exists_already(numbers: list[int], is_dual: bool, count: int) -> None:
    copies = (1, 2) if is_dual else (1,)
    known = [f"MQM.LOGCOPY{copy}.DS{number:02}" for copy in copies for number in numbers]
    made = [name for _, name in new_names(known, "CSQ1", copies, len(numbers), count)]
    assert len(set(made)) == count * len(copies)
    assert not {*made} & {*known}


@pytest.mark.parametrize(("known", "placeholders"), [(15, 1), (16, 0), (0, 16), (17, 0)])
def test_each_old_log_that_is_not_known_has_a_placeholder(known: int, placeholders: int) -> None:
    every = [*COPY1, *COPY2, "MQM.CSQ1.LOGCOPY2.DS99"]
    names = list(old_names(every[:known], (1, 2), 8))
    assert names[:known] == every[:known]
    assert sum(name.startswith("++OLD-ACTIVE-LOG-") for name in names) == placeholders
