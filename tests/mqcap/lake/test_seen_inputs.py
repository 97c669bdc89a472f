from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.lake.layout import seen_inputs_path
from mqcap.steps.land import SeenInputs


def test_an_unchanged_input_has_the_contents_of_its_last_reading(tmp_path: Path) -> None:
    seen = SeenInputs.load(tmp_path)
    seen.add("week.zip", "10-17", ["aa", "bb"])
    seen.add("day.smf", "20-18", ["cc"])
    seen.save()
    loaded = SeenInputs.load(tmp_path)
    assert loaded.contents("week.zip", "10-17") == ["aa", "bb"]
    assert loaded.contents("week.zip", "11-17") == []
    assert loaded.contents("other.smf", "10-17") == []


def test_names_that_are_not_there_any_more_are_forgotten(tmp_path: Path) -> None:
    seen = SeenInputs.load(tmp_path)
    seen.add("a", "1", ["aa"])
    seen.add("b", "1", ["bb"])
    seen.save(only={"b", "c"})
    loaded = SeenInputs.load(tmp_path)
    assert (loaded.contents("a", "1"), loaded.contents("b", "1")) == ([], ["bb"])


@pytest.mark.parametrize("content", [None, "", "{", "[1]"])
def test_entries_that_cannot_be_read_are_no_entries(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        path = seen_inputs_path(tmp_path)
        path.parent.mkdir()
        path.write_text(content, "utf-8")
    assert SeenInputs.load(tmp_path).contents("a", "1") == []


def test_a_later_reading_replaces_the_earlier_one(tmp_path: Path) -> None:
    seen = SeenInputs.load(tmp_path)
    seen.add("a", "1", ["aa"])
    seen.add("a", "2", ["bb"])
    assert seen.contents("a", "1") == []
    assert seen.contents("a", "2") == ["bb"]
