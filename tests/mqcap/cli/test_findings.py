"""Commands about findings: what they ask of the modules that answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.tickets import save_ticket
from tests.factories import DAY, finding, ticket
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


def test_the_end_of_a_subject_is_enough_where_it_is_the_only_one(evaluated: Settings) -> None:
    for arguments in (("LOG-FILL-30MIN", "CSQ1"), ("LOG-FILL-30MIN/CSQ1",)):
        text = output_of("explain", *arguments, "--day", str(DAY))
        assert text.startswith(f"LOG-FILL-30MIN PLEX1/CSQ1 on {DAY}: Act")


def test_a_ticket_reference_explains_each_of_its_problems_with_a_finding(
    evaluated: Settings, engine: Engine
) -> None:
    keys = ("LOG-FILL-30MIN/PLEX1/CSQ1", "LOG-FILL-30MIN/PLEX1/CSQ2", "LOG-FILL-30MIN/PLEX1/CSQ3")
    replace_findings(engine, DAY, [finding(), finding("PLEX1/CSQ2")])
    save_ticket(engine, ticket(external_ref="MQCAP-E59027", members=keys), "embedded")
    lines = output_of("explain", "MQCAP-E59027", "--day", str(DAY)).splitlines()
    heads = [line for line in lines if line.startswith("LOG-FILL-30MIN PLEX1/")]
    assert heads == [f"LOG-FILL-30MIN PLEX1/{name} on {DAY}: Act" for name in ("CSQ1", "CSQ2")]


def test_a_ticket_without_a_finding_on_the_day_is_an_error_with_its_problem(
    evaluated: Settings, engine: Engine
) -> None:
    save_ticket(
        engine, ticket(dedupe_key="CF-BUSY-1/PLEX1/CF01", external_ref="MQCAP-1"), "embedded"
    )
    error = invoked("explain", "MQCAP-1", "--day", str(DAY)).exception
    assert isinstance(error, ConfigurationError)
    assert error.found == "CF-BUSY-1 PLEX1/CF01"


def test_a_word_that_is_neither_a_rule_nor_a_ticket_says_what_is_expected(
    evaluated: Settings,
) -> None:
    error = invoked("explain", "MQCAP-9", "--day", str(DAY)).exception
    assert isinstance(error, ConfigurationError)
    assert error.problem == "neither a rule nor a ticket"
    assert "mqcap tickets list" in error.remedy


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
