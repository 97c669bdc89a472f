"""Commands ``unit-costs`` and ``transports``: as tables and as objects."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.metric import SubjectKind
from mqcap.settings import Settings
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.rulebook.builders import DAY as RECORDED
from tests.mqcap.rulebook.builders import observe
from tests.mqcap.transports.builders import channel, control, machines, sysplex
from tests.mqcap.unit_costs.builders import write_rows

CHINIT = "PLEX1/CSQ1/CHINIT"


@pytest.fixture
def learnt(settings: Settings, engine: Engine) -> Settings:
    """Half a year of channels and of the storage that follows them."""
    days = {DAY - timedelta(days=back): 2_000.0 - 5 * back for back in range(182)}
    used = {day: 500 + count / 10 for day, count in days.items()}
    kind = SubjectKind.channel_initiator
    observe(engine, "channels_current_count", CHINIT, days, kind=kind, unit="count")
    observe(engine, "chinit_31bit_used_mib", CHINIT, used, kind=kind, unit="MiB")
    return settings


def test_the_table_shows_the_learnt_figure_and_that_of_the_book(learnt: Settings) -> None:
    lines = output_of("unit-costs").splitlines()
    assert lines[0] == f"Unit costs learnt up to {DAY}"
    row, note, _ = (line for line in lines if CHINIT in line)
    assert row.startswith("learnt")
    assert "102.4 KiB (101.2 to 103.6 at 80 %)" in row
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
    assert (cost["sample_count"], cost["used"]) == (5, "book")


def test_a_subject_without_costs_is_an_error(learnt: Settings) -> None:
    result = invoked("unit-costs", "PLEX1/CSQ9")
    assert result.exit_code == 1
    assert "PLEX1/CSQ9" in str(result.exception)


@pytest.fixture
def site(
    settings: Settings, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """A sysplex with one channel between members of a group."""
    assert engine is not None
    plex = sysplex(*machines("CPC1", "CPC1")).model_dump(mode="json", by_alias=True)
    monkeypatch.setenv("MQCAP_ESTATE", json.dumps([plex]))
    lake = tmp_path / "lake"
    write_rows(lake, "section_qcst", [channel()])
    write_rows(lake, "section_qcct", [control("CSQ2")])
    return settings


def test_the_tables_have_the_channel_and_its_candidates(site: Settings) -> None:
    printed = output_of("transports", "--day", str(RECORDED))
    assert printed.startswith(
        f"Channels by transport, {site.transports.days} days up to {RECORDED}"
    )
    [row] = [line for line in printed.splitlines() if line.startswith("Shared queue")]
    assert "PLEX1/CSQ1 > CSQ2" in row
    assert printed.count("CSQ1.TO.CSQ2") == 6
    assert "To be set in the estate of PLEX1: systems: SYS1: roce" in printed


@pytest.mark.parametrize(("subject", "count"), [("PLEX1", 1), ("PLEX1/CSQ2", 1)])
def test_objects_are_those_of_the_subject(site: Settings, subject: str, count: int) -> None:
    assert site.transports.days == 7
    printed = output_of("transports", subject, "--day", str(RECORDED), "--format", "json")
    assert len(json.loads(printed)) == count


@pytest.mark.parametrize("subject", ["PLEX9", "PLEX1/CSQ3", "plex1"])
def test_a_subject_without_channels_is_an_error(site: Settings, subject: str) -> None:
    assert site.lake
    result = invoked("transports", subject, "--day", str(RECORDED))
    assert result.exit_code == 1
    assert str(result.exception).startswith(
        f"{subject} has no channel between two queue managers of one sysplex with measured "
        "messages; found such channels of PLEX1."
    )


def test_a_subject_that_does_not_exist_is_another_error(engine: Engine, site: Settings) -> None:
    assert site.lake
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {RECORDED: 1.0})
    result = invoked("transports", "PLEX9", "--day", str(RECORDED))
    assert str(result.exception) == ("no such subject; found PLEX9; expected PLEX1.")


def test_a_subject_where_no_channel_has_records_is_an_error_that_names_them(
    settings: Settings,
) -> None:
    assert settings.estate == ()
    result = invoked("transports", "PLEX1", "--day", str(RECORDED))
    assert result.exit_code == 1
    assert "START TRACE(ACCTG) CLASS(4)" in str(result.exception)


@pytest.mark.parametrize("command", ["unit-costs", "transports"])
def test_a_day_without_data_is_an_error_that_names_those_with_data(
    engine: Engine, settings: Settings, command: str
) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {RECORDED: 1.0})
    earlier = RECORDED - timedelta(days=1)
    result = invoked(command, "--day", str(earlier))
    assert str(result.exception).startswith(
        f"no data of {earlier}; found days {RECORDED} to {RECORDED}; expected a day with data."
    )


def test_a_lake_without_channel_accounting_says_what_it_takes(settings: Settings) -> None:
    assert settings.estate == ()
    result = invoked("transports", "--day", str(RECORDED))
    assert result.exit_code == 0
    assert "SMF 116 subtype 10" in result.output
