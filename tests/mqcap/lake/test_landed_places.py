"""Places of delivered files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.lake.landed_places import LandedPlaces
from mqcap.lake.layout import landed_places_path


def there(_name: str) -> bool:
    return True


def gone(_name: str) -> bool:
    return False


def placed(lake: Path) -> LandedPlaces:
    places = LandedPlaces.load(lake)
    places.put("1", "PLEXA", "/in/a/1.smf", there)
    return places


def test_places_are_read_as_they_were_written(tmp_path: Path) -> None:
    placed(tmp_path).save()
    again = LandedPlaces.load(tmp_path)
    assert (again.root("1"), again.root("2")) == ("PLEXA", "")


def test_nothing_is_written_for_files_without_a_place(tmp_path: Path) -> None:
    places = LandedPlaces.load(tmp_path)
    places.put("1", "", "/in/1.smf", there)
    places.save()
    assert not landed_places_path(tmp_path).exists()


@pytest.mark.parametrize("root", ["PLEXB", ""])
def test_an_input_may_get_another_place(tmp_path: Path, root: str) -> None:
    places = placed(tmp_path)
    places.put("1", root, "/in/a/1.smf", there)
    assert places.root("1") == root


def test_the_same_content_without_a_place_changes_nothing(tmp_path: Path) -> None:
    places = placed(tmp_path)
    places.put("1", "", "/tmp/copy.smf", there)
    assert places.root("1") == "PLEXA"


def test_the_same_content_in_two_places_is_refused_with_both(tmp_path: Path) -> None:
    places = placed(tmp_path)
    with pytest.raises(InputError, match=r"/in/a/1\.smf of PLEXA, this one of PLEXB"):
        places.put("1", "PLEXB", "/in/b/1.smf", there)
    assert places.root("1") == "PLEXA"


def test_a_file_that_was_moved_has_the_place_of_its_new_folder_and_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    places = placed(tmp_path)
    with caplog.at_level(logging.WARNING):
        places.put("1", "PLEXB", "/in/b/1.smf", gone)
    assert places.root("1") == "PLEXB"
    assert "it was an input of PLEXA (/in/a/1.smf), which is gone" in caplog.text


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = landed_places_path(tmp_path)
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"places\.json"):
        LandedPlaces.load(tmp_path)
