"""Tables of reports: values of the cells, and the order of the rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT
from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.presentation.heat_table import heat_table
from mqcap.reports.tables import (
    findings_table,
    fleet_table,
    limits_table,
    severity_cell,
)
from mqcap.settings import Settings
from tests.factories import DAY, crossing, finding, forecast, ticket
from tests.mqcap.reports.builders import texts
from tests.plan_factories import plan, plan_rule


def line(*, with_ticket: bool = False, **changed: Any) -> FleetLine:
    judged = finding(**({"breach": False} | changed))
    tickets = [ticket(external_ref="MQCAP-7")] if with_ticket else []
    settings = Settings()
    facts = Facts([judged], [crossing(judged, probability_90_days=0.37)], tickets)
    return fleet_lines(facts, settings.complete_estate(), settings.alerts)[0]


def test_a_finding_has_its_figures_its_change_and_its_ticket() -> None:
    [row] = texts(findings_table([line(with_ticket=True)]))
    assert row[0] == "▲ Act"
    assert row[3:6] == ["4,320 MB/hour", "2,001.6 MB/hour", "under -100 %"]
    assert row[-2:] == [line().advice, "MQCAP-7"]


def test_a_finding_has_the_change_of_the_plan_that_judges_it() -> None:
    judged = plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ1")
    plans = [
        plan(label="CSQ2 active logs", rules=(plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ2"),)),
        plan(rules=(judged,)),
    ]
    cell = findings_table([line()], plans).rows[0][-2]
    assert (cell.text, cell.note) == ("16 x CYL(5825)", "CSQ1 active logs")
    kept = plan(rules=(judged,), changes=())
    without = findings_table([line()], [kept]).rows[0][-2]
    assert without.text == "nothing to do"


def test_a_limit_has_its_dates_and_its_probability() -> None:
    [row] = texts(limits_table([line()], {}))
    assert row[6:10] == ["2 Apr 2026", "29 Apr 2026", "29 Jun 2026", "37 %"]


def test_a_limit_without_a_forecast_says_so_in_place_of_its_growth() -> None:
    made = forecast(points=(), refusal="only 12 days were measured")
    for forecasts in ({}, {(made.series_id, made.statistic): made}):
        cell = limits_table([line()], forecasts).rows[0][5]
        assert (cell.text, cell.note) == (ABSENT, "no forecast")


def test_the_plan_has_the_stated_probability_and_none_without_a_crossing() -> None:
    lines = (line(), line().model_copy(update={"crossing": None}))
    with_crossing, without = (limits_table([each], {}) for each in lines)
    assert with_crossing.rows[0][9].value == 0.37
    assert without.rows[0][9].value is None


def test_a_cell_of_the_fleet_has_sign_and_figures_or_that_it_is_unknown() -> None:
    lines = [line(), line(subject="PLEX1/CSQ2", severity=Severity.unknown, headroom_ratio=None)]
    rows = fleet_table(heat_table(lines), "Queue manager").rows
    assert [(row[0].text, row[1].text) for row in rows] == [
        ("CSQ1", "▲ 4,320 of 2,001.6 MB/hour"), ("CSQ2", "? Unknown"),
    ]  # fmt: skip
    assert {row[1].note for row in rows} == {"LOG-FILL-30MIN"}


def test_every_severity_has_a_sign_and_a_label() -> None:
    cells = [severity_cell(severity) for severity in Severity]
    assert len({cell.text for cell in cells}) == len(Severity)
    assert [cell.severity for cell in cells] == list(Severity)


def test_a_passed_due_date_is_at_once() -> None:
    late = line().model_copy(update={"due_date": DAY})
    soon = line().model_copy(update={"due_date": DAY + timedelta(days=1)})
    assert [row[7].text for row in findings_table([late, soon]).rows] == ["at once", "3 Mar 2026"]


def test_a_limit_and_a_finding_are_due_on_the_day_of_the_plan_of_their_resource() -> None:
    due = DAY + timedelta(days=20)
    made = plan(due_date=due, rules=())
    other = plan(resource="PLEX1/CSQ2/active_log", due_date=due + timedelta(days=1), rules=())
    assert line().due_date != due
    limit = limits_table([line()], {}, [other, made]).rows[0][-1]
    assert limit.text == "22 Mar 2026"
    assert findings_table([line()], [other, made]).rows[0][7].text == "22 Mar 2026"


def test_a_limit_of_a_resource_without_a_plan_keeps_its_own_day() -> None:
    later = line().model_copy(update={"due_date": DAY + timedelta(days=1)})
    other = plan(resource="PLEX1/CSQ2/active_log", rules=())
    assert limits_table([later], {}, [other]).rows[0][-1].text == "3 Mar 2026"


def test_every_table_with_due_days_names_them_the_same() -> None:
    for table in (findings_table([]), limits_table([], {})):
        assert [column.heading for column in table.columns].count("Begin by") == 1
