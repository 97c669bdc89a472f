from __future__ import annotations

from datetime import date
from pathlib import Path

from mqcap.lake.landed_places import LandedFile, landed_files
from mqcap.lake.layout import landed_paths, landing_folder

A, B = "a" * 64, "b" * 64


def land(lake: Path, source: str, day: date, name: str, content: bytes = b"") -> Path:
    folder = landing_folder(lake, source, day)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name


def test_delivered_files_come_with_hash_date_and_size(tmp_path: Path) -> None:
    smf = land(tmp_path, "smf", date(2026, 3, 9), f"{B}.smf.gz", b"12345")
    console = land(tmp_path, "console", date(2026, 3, 10), A, b"1")
    land(tmp_path, "smf", date(2026, 3, 9), f".{A}.smf.17")
    assert list(landed_files(tmp_path)) == [
        LandedFile(path=console, sha256=A, received_date=date(2026, 3, 10), bytes_count=1),
        LandedFile(path=smf, sha256=B, received_date=date(2026, 3, 9), bytes_count=5),
    ]
    assert landed_paths(tmp_path) == {A: console, B: smf}


def test_a_new_lake_has_no_delivered_files(tmp_path: Path) -> None:
    assert list(landed_files(tmp_path)) == []
    assert landed_paths(tmp_path) == {}
