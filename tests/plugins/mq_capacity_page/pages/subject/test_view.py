"""A subject as a model."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mq_capacity_page.pages.subject.view import sections_of, subject_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from tests.mqcap.rulebook.builders import DAY as RECORDED
from tests.mqcap.rulebook.builders import observe
from tests.mqcap.transports.builders import channel, sysplex
from tests.mqcap.unit_costs.builders import write_rows
from tests.plugins import builder


@pytest.mark.parametrize(
    ("name", "findings", "series"),
    [("PLEX1", 3, 3), ("PLEX1/CSQ1", 2, 1), ("PLEX1/CF01", 1, 2), ("PLEX2", 1, 1)],
)
def test_a_subject_has_the_findings_and_series_below_it(
    context: PageContext, name: str, findings: int, series: int
) -> None:
    view = subject_view(context, name, builder.DAY)
    assert view is not None
    assert (len(view.lines), len(view.series)) == (findings, series)


@pytest.mark.parametrize("day", [builder.DAY, None])
def test_a_subject_without_findings_and_series_has_no_view(
    context: PageContext, day: date | None
) -> None:
    assert subject_view(context, "PLEX1/CSQ", day) is None


def test_before_the_first_evaluated_day_a_subject_has_all_its_series(context: PageContext) -> None:
    view = subject_view(context, "PLEX1", None)
    assert view is not None
    assert view.lines == []
    assert {facts.series_id for facts in view.series} == {builder.LOG, builder.CF, builder.QUIET}


@pytest.mark.parametrize(
    ("name", "parts"),
    [("PLEX1", {"CSQ1": 2, "CF01": 1}), ("PLEX1/CSQ1", {"Active log": 2}), ("PLEX2", {"TST1": 1})],
)
def test_findings_are_grouped_by_owner_of_a_sysplex_else_by_resource(
    context: PageContext, name: str, parts: dict[str, int]
) -> None:
    view = subject_view(context, name, builder.DAY)
    assert view is not None
    assert {section.name: len(section.lines) for section in view.sections} == parts
    assert sum(sum(section.counts.values()) for section in view.sections) == len(view.lines)


@pytest.mark.parametrize(("full", "shown"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_a_sysplex_shows_its_most_urgent_findings_and_counts_all(
    context: PageContext, full: int, shown: int
) -> None:
    view = subject_view(context, "PLEX1", builder.DAY)
    assert view is not None
    sections = sections_of("PLEX1", view.lines, full)
    lines = [line for section in sections for line in section.lines]
    assert {line.key for line in lines} == {line.key for line in view.lines[:full]}
    assert len(lines) == shown
    assert {part.name: (sum(part.counts.values()), part.subject) for part in sections} == {
        "CSQ1": (2, "PLEX1/CSQ1"),
        "CF01": (1, "PLEX1/CF01"),
    }
    assert sum(section.further for section in sections) == 3 - shown


def test_a_queue_manager_shows_all_its_findings(context: PageContext) -> None:
    view = subject_view(context, "PLEX1/CSQ1", builder.DAY)
    assert view is not None
    [section] = sections_of("PLEX1/CSQ1", view.lines, 0)
    assert (len(section.lines), section.further) == (2, 0)


def test_the_summary_has_what_is_to_act_on_and_to_watch(context: PageContext) -> None:
    view = subject_view(context, "PLEX1", builder.DAY)
    assert view is not None
    severities = {Severity.act, Severity.watch}
    assert view.urgent == [line for line in view.lines if line.finding.severity in severities]
    assert view.urgent


def test_a_channel_initiator_has_its_learnt_storage(context: PageContext) -> None:
    chinit = "PLEX1/CSQ1/CHINIT"
    counts = {builder.DAY - timedelta(days=back): 2_000.0 - 5 * back for back in range(182)}
    used = {day: 300 + count / 8 for day, count in counts.items()}
    for metric, values in (("channels_current_count", counts), ("chinit_31bit_used_mib", used)):
        observe(context.engine, metric, chinit, values, kind=SubjectKind.channel_initiator)
    view = subject_view(context, "PLEX1/CSQ1", builder.DAY)
    assert view is not None
    [row] = view.unit_costs
    assert (row.used, row.subject, row.base) == ("learnt", chinit, "300 MiB")
    sysplex = subject_view(context, "PLEX1", builder.DAY)
    assert sysplex is not None
    assert sysplex.unit_costs == []


@pytest.fixture
def moved(context: PageContext, tmp_path: Path) -> PageContext:
    """A channel from CSQ1 to CSQ2 on the evaluated day."""
    lake = tmp_path / "lake"
    hours_back = 24 * (RECORDED - builder.DAY).days
    write_rows(lake, "section_qcst", [channel(hours_back=hours_back)])
    changed = {"estate": (sysplex(),), "lake": str(lake)}
    return context._replace(settings=context.settings.model_copy(update=changed))


@pytest.mark.parametrize("name", ["PLEX1", "PLEX1/CSQ1"])
def test_a_sysplex_and_a_queue_manager_have_the_transports_of_their_channels(
    moved: PageContext, name: str
) -> None:
    view = subject_view(moved, name, builder.DAY)
    assert view is not None
    assert view.transports is not None
    [row] = view.transports.moves
    assert row[1:3] == ("PLEX1/CSQ1 > CSQ2", "CSQ1.TO.CSQ2")
    assert len(row) == len(view.transports.headings)
    assert {len(each) for each in view.transports.candidates} == {
        len(view.transports.candidate_headings)
    }
    assert view.transports.notes[0].startswith("CPU is of SYS-COST")


@pytest.mark.parametrize("name", ["PLEX1/CF01", "PLEX2"])
def test_other_subjects_have_no_transports(moved: PageContext, name: str) -> None:
    view = subject_view(moved, name, builder.DAY)
    assert view is not None
    assert view.transports is None
