from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from mqcap.judging import log_names
from mqcap.judging.log_names import console_log_names, with_log_names
from mqcap.settings import Settings, load_settings

DAY = date(2026, 11, 28)
PLEXES: Any = (
    {
        "sysplex": "PLEX1",
        "smfids": ["SYS1"],
        "qmgrs": [
            {"name": "CSQ1", "active_log_names": ["MQM.CSQ1.LOGCOPY1.DS01"]},
            {"name": "CSQ2", "active_log_names": ["CSQ2.LOGCOPY1.DS01"]},
            {"name": "CSQ3"},
        ],
    },
)


def row(qmgr: str, number: int, copy: int = 1) -> dict[str, Any]:
    name = f"{qmgr}.LOGCOPY{copy}.DS{number:02}"
    text = f"+{qmgr} CURRENT COPY {copy} ACTIVE LOG DATA SET IS DSNAME={name}, STARTRBA=0 ENDRBA=FF"
    return {"qmgr": qmgr, "smfid": "SYS1", "text": text}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A console on which every queue manager has used its logs in turn."""
    rows = [row(name, number, copy) for name in ("CSQ1", "CSQ2", "CSQ3", "CSQX")
            for copy in (2, 1) for number in (2, 1, 2)]  # fmt: skip
    monkeypatch.setattr(log_names, "console_events", lambda *_: rows)
    return load_settings(estate=PLEXES)


def test_names_of_the_console_count_where_those_of_the_estate_begin_otherwise(
    settings: Settings,
) -> None:
    """CSQ2 has only fewer names in the estate, CSQ3 none, and CSQX is not in it."""
    expected = tuple(f"CSQ1.LOGCOPY{copy}.DS{number:02}" for copy in (1, 2) for number in (1, 2))
    found = console_log_names(settings, DAY)
    assert found.keys() == {"PLEX1/CSQ1", "PLEX1/CSQ2"}
    assert found["PLEX1/CSQ1"] == expected
    estate = with_log_names(settings.complete_estate(), {"PLEX1/CSQ1": expected})
    [one, two, _] = estate.sysplexes[0].qmgrs
    assert (one.active_log_names, two.active_log_names) == (expected, ("CSQ2.LOGCOPY1.DS01",))


def test_without_names_in_the_estate_no_console_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(log_names, "console_events")
    assert console_log_names(load_settings(estate=({"sysplex": "PLEX1"},)), DAY) == {}
