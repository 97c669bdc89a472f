"""Command ``unit-costs``: as a table and as objects."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.metric import SubjectKind
from mqcap.settings import Settings
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.rulebook.builders import observe

CHINIT = "PLEX1/CSQ1/CHINIT"


@pytest.fixture
def learnt(settings: Settings, engine: Engine) -> Settings:
    """Ninety days of channels and of the storage that follows them."""
    days = {DAY - timedelta(days=back): 1_000.0 + 30 * (back % 40) for back in range(90)}
    used = {day: 500 + count / 10 for day, count in days.items()}
    kind = SubjectKind.channel_initiator
    observe(engine, "channels_current_count", CHINIT, days, kind=kind, unit="count")
    observe(engine, "chinit_31bit_used_mib", CHINIT, used, kind=kind, unit="MiB")
    return settings


def test_the_table_shows_the_learnt_figure_and_that_of_the_book(learnt: Settings) -> None:
    lines = output_of("unit-costs").splitlines()
    assert lines[0] == f"Unit costs learnt up to {DAY}"
    row, note = (line for line in lines if CHINIT in line)
    assert row.startswith("learnt")
    assert "102.4 KiB (no spread seen)" in row
    assert note.startswith(f"31-bit storage per channel, {CHINIT}: Storage is a sawtooth")
    assert "90 KiB (CHI-FOOTPRINT-MCA" in row


def test_objects_are_those_of_the_subject_and_its_parts(learnt: Settings) -> None:
    [cost] = json.loads(output_of("unit-costs", "PLEX1/CSQ1", "--format", "json"))
    assert (cost["subject"], cost["used"]) == (CHINIT, "learnt")
    assert cost["value"] == pytest.approx(102.4)
    assert cost["base"] == pytest.approx(500)


def test_an_earlier_day_has_the_figures_of_that_day(learnt: Settings) -> None:
    day = DAY - timedelta(days=31)
    [cost] = json.loads(output_of("unit-costs", "--day", str(day), "--format", "json"))
    assert (cost["sample_count"], cost["used"]) == (59, "book")


def test_a_subject_without_costs_is_an_error(learnt: Settings) -> None:
    result = invoked("unit-costs", "PLEX1/CSQ9")
    assert result.exit_code == 1
    assert "PLEX1/CSQ9" in str(result.exception)
