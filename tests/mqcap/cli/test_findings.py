"""Commands about findings: what they ask of the modules that answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from tests.factories import DAY, finding
from tests.mqcap.cli.command_line import invoked, output_of


@pytest.fixture
def evaluated(settings: Settings, engine: Engine) -> Settings:
    """A day with one breach of the log."""
    replace_findings(engine, DAY, [finding()])
    return settings


@pytest.mark.parametrize(
    "arguments", [("LOG-FILL-30MIN", "PLEX1/CSQ1"), ("LOG-FILL-30MIN/PLEX1/CSQ1",)]
)
def test_a_finding_is_explained_by_rule_and_subject_or_by_its_ticket_key(
    evaluated: Settings, arguments: tuple[str, ...]
) -> None:
    text = output_of("explain", *arguments, "--day", str(DAY))
    assert "LOG-FILL-30MIN" in text
    assert "PLEX1/CSQ1" in text


def test_a_finding_that_the_day_does_not_have_is_an_error(evaluated: Settings) -> None:
    error = invoked("explain", "LOG-FILL-30MIN", "PLEX1/NONE", "--day", str(DAY)).exception
    assert isinstance(error, CapacityError)
    assert "PLEX1/NONE" in str(error)


def test_a_change_pack_needs_pairs_of_rule_and_subject(evaluated: Settings) -> None:
    error = invoked("change-pack", "LOG-FILL-30MIN", "--day", str(DAY)).exception
    assert isinstance(error, ConfigurationError)


def test_a_scenario_that_does_not_exist_is_an_error_with_its_name(
    evaluated: Settings, tmp_path: Path
) -> None:
    error = invoked("whatif", str(tmp_path / "none.yaml"), "--day", str(DAY)).exception
    assert isinstance(error, CapacityError)
    assert "none.yaml" in str(error)
