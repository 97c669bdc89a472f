from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.change_pack.logs import new_names, old_names

COPY1 = [f"MQM.CSQ1.LOGCOPY1.DS{number:02}" for number in range(1, 9)]
COPY2 = [f"MQM.CSQ1.LOGCOPY2.DS{number:02}" for number in range(1, 9)]


def test_new_names_go_on_with_the_numbers_of_both_copies() -> None:
    assert new_names([*COPY1, *COPY2], "CSQ1", (1, 2), 8, 2) == [
        (1, "MQM.CSQ1.LOGCOPY1.DS09"),
        (2, "MQM.CSQ1.LOGCOPY2.DS09"),
        (1, "MQM.CSQ1.LOGCOPY1.DS10"),
        (2, "MQM.CSQ1.LOGCOPY2.DS10"),
    ]


def test_new_names_begin_after_the_highest_number_of_all_copies() -> None:
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
