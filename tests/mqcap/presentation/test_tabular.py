"""Rows of the fleet, as tables."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import BaseModel, Field

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.ticket import Ticket
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.tabular import as_csv, flat
from mqcap.queries.fleet import FleetRow, fleet_lines, fleet_rows
from mqcap.settings import Settings
from mqcap.store.models import SeriesName
from tests.plugins import builder


def lines(
    findings: Iterable[Finding], crossings: Iterable[Crossing] = (), tickets: Iterable[Ticket] = ()
) -> list[FleetLine]:
    settings = Settings()
    return fleet_lines(
        list(findings), list(crossings), list(tickets), settings.complete_estate(), settings.alerts
    )


def row(
    finding: Finding, crossings: Iterable[Crossing] = (), tickets: Iterable[Ticket] = ()
) -> FleetRow:
    [line] = lines([finding], crossings, tickets)
    return FleetRow.of(line, SubjectKind.queue_manager)


def test_a_row_has_the_figures_of_the_finding_as_stored_and_blanks_for_what_it_has_not() -> None:
    made = row(builder.finding())
    assert (made.observed, made.limit_value, made.unit) == (2.5, 2.25, "MiB/s")
    assert (made.rule_id, made.subject, made.sysplex) == ("LOG-FILL-30MIN", "PLEX1/CSQ1", "PLEX1")
    assert made.headroom_ratio == -0.111
    assert (made.crossing_state, made.reach, made.reason) == (None, "", None)
    assert (made.earliest_date, made.expected_date, made.latest_date) == (None, None, None)
    assert (made.ticket_ref, made.ticket_key) == (None, None)


def test_a_row_has_the_dates_of_its_limit_and_both_keys_of_its_ticket() -> None:
    passed = row(builder.finding(), [builder.crossing()], [builder.ticket()])
    assert passed.crossing_state is CrossingState.breached
    assert passed.breached_since == date(2026, 1, 20)
    assert (passed.ticket_ref, passed.ticket_key) == ("MQCAP-7", "LOG-FILL-30MIN/PLEX1/CSQ1")
    coming = row(builder.judged()[2], builder.dated())
    assert (coming.earliest_date, coming.expected_date) == (date(2026, 2, 12), date(2026, 3, 4))
    assert (coming.latest_date, coming.crossing_state) == (None, CrossingState.will_cross)
    assert coming.reach != ""


@pytest.mark.parametrize(
    ("series_id", "subject", "kind"),
    [
        (builder.LOG, "PLEX1/CSQ1", SubjectKind.queue_manager),
        (None, "PLEX1/CF01", SubjectKind.coupling_facility),
        ("gone/PLEX1/CSQ1", "PLEX1/CSQ1", SubjectKind.queue_manager),
        (None, "PLEX1/CSQ7", None),
    ],
    ids=["by-series", "by-subject", "series-unknown", "neither"],
)
def test_the_kind_of_a_subject_is_that_of_its_series_else_of_any_series_of_the_subject(
    series_id: str | None, subject: str, kind: SubjectKind | None
) -> None:
    made = lines([builder.finding(series_id=series_id, subject=subject)])
    known = [builder.facts(builder.LOG), builder.facts(builder.CF)]
    names = [
        SeriesName(each.series_id, each.metric, each.subject, each.subject_kind) for each in known
    ]
    [result] = fleet_rows(made, names)
    assert result.subject_kind is kind


def test_rows_keep_the_order_of_the_lines() -> None:
    made = lines(builder.judged(), builder.dated())
    rows = [(row.rule_id, row.subject) for row in fleet_rows(made, [])]
    assert rows == [line.key for line in made]


class Part(BaseModel):
    number: int = Field(default=1, serialization_alias="no")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, None),
        (1.5, 1.5),
        (Severity.act, "act"),
        (Part(), '{"number":1}'),
        ({"a": ["é"]}, '{"a": ["é"]}'),
        (("x", Severity.ok), "x; ok"),
        ([{"a": 1}, {"a": 2}], '{"a": 1}; {"a": 2}'),
        ((), ""),
    ],
)
def test_any_value_fits_one_cell(value: object, cell: object) -> None:
    assert flat(value) == cell


def test_a_file_has_a_heading_iso_days_and_blanks_where_nothing_is_known() -> None:
    rows: list[dict[str, Any]] = [
        {"a": date(2026, 1, 31), "b": None, "more": 1},
        {"a": datetime(2026, 1, 31, 9, tzinfo=UTC), "b": 'x"y'},
    ]
    assert as_csv(rows, ["a", "b"]) == 'a,b\n2026-01-31,\n2026-01-31T09:00:00+00:00,"x""y"\n'
    assert as_csv([], ["a", "b"], "\r\n") == "a,b\r\n"
