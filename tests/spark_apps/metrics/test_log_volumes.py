"""The share of I/Os to the volumes of the logs that bypass the cache, from rows of 74.5."""

from __future__ import annotations

from typing import Any

from spark_apps.metrics.logs import BYPASS, REQUESTS, log_volumes
from tests.spark_apps.rows import HALF_HOUR, START, between, levels, sections

CSQ1, CSQ2 = "PLEX1/CSQ1", "PLEX1/CSQ2"
NEXT = between(START + HALF_HOUR, START + 2 * HALF_HOUR)


def device(volume: str, bypassed: float | None = None, **changed: Any) -> dict[str, Any]:
    """Return a device with 800 I/Os, 100 of each kind that counts as one."""
    ios = {name.lower(): 100.0 for name in REQUESTS}
    return {"r745dvol": volume, "r745dfwb": bypassed, **ios, **changed}


def shares(*rows: dict[str, Any], **volumes: tuple[str, ...]) -> Any:
    by_manager = {f"PLEX1/{name}": serials for name, serials in volumes.items()}
    return levels(log_volumes(sections(log_volumes=by_manager, section_r745d=rows)))


def test_the_volume_with_the_highest_share_counts_in_each_interval() -> None:
    rows = [
        device("MQL001", 2.0),
        device("MQL002", 16.0),
        device("MQL001", 4.0, **NEXT),
        device("MQL002", 0.0, **NEXT),
        device("DATA01", 400.0),
        device("MQL001", 800.0, sysplex="PLEX2"),
        device("MQL001", 2.0, smfid="SYS2"),
    ]
    assert shares(*rows, CSQ1=("MQL001", "MQL002"), CSQ2=("MQL001",)) == {
        (BYPASS, CSQ1): [2.0, 0.5],
        (BYPASS, CSQ2): [0.25, 0.5],
    }


def test_a_volume_without_ios_or_without_the_count_has_no_share() -> None:
    idle = {name.lower(): 0.0 for name in REQUESTS}
    rows = [device("MQL001", 0.0, **idle), device("MQL002"), device("MQL003", 1.0, r745dicl=None)]
    assert shares(*rows, CSQ1=("MQL001", "MQL002", "MQL003")) == {}


def test_without_named_volumes_or_without_records_there_is_no_row() -> None:
    assert shares(device("MQL001", 9.0)) == {}
    assert shares(device("DATA01", 9.0), CSQ1=("MQL001",)) == {}
    assert shares(CSQ1=("MQL001",)) == {}
