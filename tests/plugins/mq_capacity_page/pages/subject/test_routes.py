"""The page of one subject."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from mq_capacity_page.pages.subject import routes
from mq_capacity_page.pages.subject.view import SubjectView, sections_of, subject_view
from mq_capacity_page.web.context import PageContext
from tests.mqcap.rulebook.builders import DAY as RECORDED
from tests.mqcap.transports.builders import channel, sysplex
from tests.mqcap.unit_costs.builders import write_rows
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of


def test_the_series_page_names_what_a_finding_lacks(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1/CSQ1"))
    assert "active_logs: set it in the estate (DISPLAY LOG)" in text


def test_a_subject_page_lists_the_subjects_below_it(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1"))
    assert "CF01" in text
    assert "CSQ1" in text
    assert "TST1" not in text


def test_a_page_that_is_cut_short_links_to_all_findings_and_series(
    filled: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(context: PageContext, name: str, day: date | None) -> SubjectView:
        view = subject_view(context, name, day)
        assert view is not None
        sections = sections_of(name, view.lines, 0)
        return view.model_copy(update={"first_series": 1, "sections": sections})

    monkeypatch.setattr(routes, "subject_view", short)
    text = text_of(filled.get("/subject?name=PLEX1"))
    assert "All findings of CSQ1 (2)" in text
    assert "All findings of CF01 (1)" in text
    assert "The first 1 of 3; all are in the list of series ." in text


def test_a_subject_page_shows_the_plan_of_each_resource_not_the_changes_of_its_rules(
    filled: TestClient,
) -> None:
    answer = filled.get("/subject?name=PLEX1/CSQ1")
    assert "16 x CYL(5825)" in rows_of(answer)[0]
    text = text_of(answer)
    assert "Begin by 14 Feb 2026 (Payments MQ team)" in text
    assert "4500 MiB" not in text
    assert "limit = 4050 MiB / 1800 s = 2.25 MiB/s" in text


@pytest.fixture
def members(monkeypatch: pytest.MonkeyPatch, site_folder: Path) -> Path:
    """An estate with members of a group, and the lake for their channels."""
    estate = [sysplex().model_dump(mode="json", by_alias=True)]
    monkeypatch.setenv("MQCAP_ESTATE", json.dumps(estate))
    monkeypatch.setenv("MQCAP_LAKE", str(site_folder / "lake"))
    return site_folder / "lake"


def test_a_subject_page_shows_the_transports_of_its_channels(
    members: Path, filled: TestClient
) -> None:
    hours_back = 24 * (RECORDED - builder.DAY).days
    pairs = (("CSQ1", "CSQ2"), ("CSQ2", "CSQ1"))
    write_rows(members, "section_qcst", [channel(*each, hours_back=hours_back) for each in pairs])
    text = text_of(filled.get("/subject?name=PLEX1"))
    assert "Transports of channels" in text
    assert "10 candidates" in text
    assert "CPU is of SYS-COST" in text
    assert "Transports of channels" not in text_of(filled.get("/subject?name=PLEX1/CF01"))
