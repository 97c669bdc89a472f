"""Errors of keys: the same of several entries is reported once, with their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import load_settings
from mqcap.settings.loader import WrongKey, joined

MANAGERS = ("estate", 0, "qmgrs")


def test_the_same_error_of_several_entries_is_told_once_with_their_names() -> None:
    document = {"estate": [{"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1"}, {"name": "CSQ2"}]}]}
    errors = [WrongKey((*MANAGERS, number, "maxarc"), "no such setting") for number in (0, 1)]
    shown = "estate.*.qmgrs.*.maxarc of CSQ1, CSQ2: no such setting"
    assert joined(errors, document) == shown
    assert joined(errors, None) == shown.replace("CSQ1, CSQ2", "0, 1")


def test_other_errors_are_told_by_their_own_keys() -> None:
    errors = [WrongKey((*MANAGERS, 0, "a"), "no such setting"), WrongKey((), "They contradict.")]
    assert joined(errors, {}) == "estate.0.qmgrs.0.a: no such setting; They contradict."


def test_the_known_keys_are_listed_once_for_all_entries_with_the_same_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managers = "[{name: CSQ1, maxarc: 9}, {name: CSQ2, maxarc: 9}]"
    (file := tmp_path / "platform.yaml").write_text(
        f"estate: [{{sysplex: PLEX1, qmgrs: {managers}}}]\n", "utf-8"
    )
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    with pytest.raises(ConfigurationError) as raised:
        load_settings()
    found = str(raised.value)
    assert "estate.*.qmgrs.*.maxarc of CSQ1, CSQ2: no such setting, expected one of " in found
    assert found.count("active_log_size_mib") == 1
