"""Sysplex or site of the files of inputs."""

from __future__ import annotations

from pathlib import Path

import fsspec
import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.inputs.locations import InputLocation, input_locations
from mqcap.ingest.inputs.places import InputPlaces
from mqcap.settings.ingest import PlacedInput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a/1.smf", "b/2.smf", "3.smf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path


def listed(*entries: PlacedInput, addresses: bool = True) -> InputPlaces:
    return InputPlaces.listed(
        {f"ingest.inputs.{number}": entry for number, entry in enumerate(entries)},
        addresses=addresses,
    )


def location(path: Path | str) -> InputLocation:
    [found] = input_locations([path])
    return found


def test_a_file_has_the_place_of_the_folder_or_pattern_that_has_it(folder: Path) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "b" / "*.smf"), site="EAST"),
        PlacedInput(path=str(folder / "none"), sysplex="PLEXC"),
    )
    assert places.root_of(location(folder / "a" / "1.smf")) == "PLEXA"
    assert places.root_of(location(folder / "b" / "2.smf")) == "EAST"
    assert places.root_of(location(folder / "3.smf")) == ""


def test_a_file_has_its_place_however_it_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = listed(PlacedInput(path=str(folder / "a"), sysplex="PLEXA"))
    monkeypatch.chdir(folder / "b")
    assert places.root_of(location("../a/1.smf")) == "PLEXA"


def test_a_file_of_two_inputs_of_one_place_is_of_it(folder: Path) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "*" / "1.smf"), sysplex="PLEXA"),
    )
    assert places.root_of(location(folder / "a" / "1.smf")) == "PLEXA"


def test_a_file_of_inputs_of_two_places_is_named_with_both_keys(folder: Path) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "*" / "1.smf"), site="EAST"),
    )
    with pytest.raises(ConfigurationError) as caught:
        places.root_of(location(folder / "a" / "1.smf"))
    text = str(caught.value)
    assert "1.smf: inputs of EAST and of PLEXA have this file" in text
    assert "ingest.inputs.0: {path: " in text
    assert "ingest.inputs.1: {path: " in text


def test_objects_have_places_too_unless_no_address_is_asked_for() -> None:
    with fsspec.open("memory://bucket-of-places/plexa/1.smf", "wb") as file:
        file.write(b"x")
    entry = PlacedInput(path="memory://bucket-of-places/plexa", sysplex="PLEXA")
    found = location("memory://bucket-of-places/plexa/1.smf")
    assert listed(entry).root_of(found) == "PLEXA"
    assert listed(entry, addresses=False).root_of(found) == ""
