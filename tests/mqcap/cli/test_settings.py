"""``mqcap settings check``."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from tests.mqcap.cli.command_line import invoked, output_of


def test_the_settings_are_printed_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://user:hunter2@db/mqcap")
    text = output_of("settings", "check")
    assert "horizon_days" in text
    assert "hunter2" not in text


def test_an_invalid_setting_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "platform.yaml"
    file.write_text("forecast:\n  horizon_days: soon\n", encoding="utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    error = invoked("settings", "check").exception
    assert isinstance(error, ConfigurationError)
    assert "forecast.horizon_days" in str(error)
