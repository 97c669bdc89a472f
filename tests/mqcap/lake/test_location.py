"""The lake is a path or a URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.lake.location import Location, open_lake
from mqcap.lake.objects import ObjectLocation


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("var/lake", Path("var/lake")),
        ("/data/lake", Path("/data/lake")),
        ("file:///data/lake", Path("/data/lake")),
        ("memory://bucket/lake/", ObjectLocation("memory", ("bucket", "lake"))),
    ],
)
def test_a_path_is_a_folder_and_a_url_an_object_store(address: str, place: Location) -> None:
    assert open_lake(address) == place
    assert isinstance(open_lake(address), Location)
