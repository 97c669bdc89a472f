"""``mqcap simulate``: a simulated estate as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from tests.mqcap.cli.command_line import invoked


@pytest.mark.thorough
def test_an_estate_is_simulated_for_the_days_asked_for(tmp_path: Path) -> None:
    result = invoked("simulate", "--out", str(tmp_path), "--days", "3", "--last-day", "2026-10-15")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "dumps" / "PLEX1.2026-10-15.smf").stat().st_size > 100_000
    assert (tmp_path / "platform.yaml").is_file()
    assert f"settings: {tmp_path / 'platform.yaml'}, ground truth: " in result.output


def test_a_specification_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    spec = tmp_path / "estate.yaml"
    spec.write_text("sysplexs: []\n", encoding="utf-8")
    error = invoked(
        "simulate", "--out", str(tmp_path / "out"), "--last-day", "2026-10-15",
        "--estate", str(spec),
    ).exception  # fmt: skip
    assert isinstance(error, ConfigurationError)
    assert "estate.yaml" in str(error)
    assert not (tmp_path / "out").exists()
