from __future__ import annotations

import re
from pathlib import Path

import sizing
from sizing.advice import all_advice
from sizing.misprints import all_misprints, misprints_of
from sizing.rulebook.registry import entries

FLAG = re.compile(r"F-\d\d")


def test_each_flag_is_listed_once_and_refers_to_existing_entries() -> None:
    flags = [item.flag for item in all_misprints()]
    assert flags == [f"F-{number:02}" for number in range(1, 55)]
    known = set(entries()) | set(all_advice())
    for item in all_misprints():
        assert item.ids
        assert set(item.ids) <= known, item.flag
        assert item.finding
        assert item.reading


def test_every_flag_that_the_code_names_is_explained() -> None:
    folder = Path(sizing.__file__ or "").parent
    named = {
        flag for path in folder.rglob("*.py") for flag in FLAG.findall(path.read_text("utf-8"))
    }
    assert named <= {item.flag for item in all_misprints()}


def test_a_rule_finds_its_own_flags() -> None:
    assert [item.flag for item in misprints_of("CFB-LOGSPACE")] == ["F-02", "F-04"]
    assert misprints_of("VS-ACCT") == ()
