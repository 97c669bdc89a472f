"""``mqcap metrics``: to standard output, or as a file that is replaced."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.store.step_runs import save_step_run
from tests.factories import step_run
from tests.mqcap.cli.command_line import invoked, output_of


def test_a_file_has_what_is_printed_otherwise(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    save_step_run(engine, step_run())
    printed = output_of("metrics")
    assert 'mqcap_step_runs{step="alert"} 1\n' in printed
    assert output_of("metrics", "--out", str(tmp_path / "a" / "mqcap.prom")) == ""
    assert (tmp_path / "a" / "mqcap.prom").read_text(encoding="utf-8") == printed
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mqcap.prom"]


def test_a_file_that_cannot_be_written_is_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = invoked("metrics", "--out", str(tmp_path / "file" / "mqcap.prom"))
    assert isinstance(result.exception, ConfigurationError)
    assert "the metrics cannot be written" in str(result.exception)
