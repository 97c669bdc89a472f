"""The heat table: one row per queue manager or coupling facility, one column per resource."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.resource import HeatColumn
from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.presentation.heat_table import RowKind, heat_table
from mqcap.settings import Settings
from tests.factories import finding


def lines(*changed: dict[str, Any]) -> list[FleetLine]:
    """Return lines by urgency of findings without a crossing."""
    settings = Settings()
    defaults = {"breach": False, "headroom_ratio": 0.5}
    made = [finding(**(defaults | each)) for each in changed]
    return fleet_lines(Facts(made, [], []), settings.complete_estate(), settings.alerts)


def test_a_day_without_findings_is_an_empty_table() -> None:
    table = heat_table([])
    assert (table.rows, table.resources) == ((), ())


def test_findings_on_parts_of_a_queue_manager_are_in_its_row() -> None:
    table = heat_table(lines(
        {"subject": "PLEX1/CSQ1"},
        {"subject": "PLEX1/CSQ1/BP01", "rule_id": "BP-FREE-15", "series_id": None},
        {"subject": "PLEX1/CSQ2"},
        {"subject": "PLEX1", "rule_id": "LOG-RUNWAY-12H"},
    ))  # fmt: skip
    rows = {row.subject: (row.name, len(row.cells)) for row in table.rows}
    assert rows == {"PLEX1/CSQ1": ("CSQ1", 2), "PLEX1/CSQ2": ("CSQ2", 1), "PLEX1": ("PLEX1", 1)}


def test_the_same_name_in_two_sysplexes_is_two_rows() -> None:
    table = heat_table(lines({"subject": "PLEX1/CSQ1"}, {"subject": "PLEX2/CSQ1"}))
    assert [(row.sysplex, row.name) for row in table.rows] == [("PLEX1", "CSQ1"), ("PLEX2", "CSQ1")]


def test_columns_are_in_the_order_of_the_resources_and_only_those_that_occur() -> None:
    rules = ("ZZ-OTHER", "CFS-FULL", "BP-FREE-15", "LOG-RUNWAY-12H")
    table = heat_table(lines(*({"rule_id": rule, "series_id": None} for rule in rules)))
    assert table.resources == ("Active log", "Buffer pool", "CF structure", "Other")


def test_the_counts_of_all_cells_are_all_findings() -> None:
    rules = ("LOG-FILL-30MIN", "LOG-RUNWAY-12H", "LOG-COUNT-MIN", "LOG-MAXARCH", "LOG-DFWBP")
    made = lines(
        *(
            {"rule_id": rule, "severity": severity}
            for rule, severity in zip(rules, Severity, strict=True)
        )
    )
    table = heat_table(made)
    [row] = table.rows
    cell = row.cell(HeatColumn.active_log)
    assert cell is not None
    assert cell.counts[Severity.suggestion] == 1
    assert sum(cell.counts.values()) == len(Severity)
    assert cell.severity is Severity.act
    assert row.cell(HeatColumn.page_set) is None


@pytest.mark.parametrize("beside", [Severity.suggestion, Severity.ok])
def test_a_suggestion_is_the_severity_of_a_cell_only_where_nothing_else_is(
    beside: Severity,
) -> None:
    made = lines(
        {"rule_id": "LOG-FILL-30MIN", "severity": Severity.suggestion},
        {"rule_id": "LOG-COUNT-MIN", "severity": beside},
    )
    cell = heat_table(made).rows[0].cell(HeatColumn.active_log)
    assert cell is not None
    assert cell.severity is beside


def test_a_cell_in_order_shows_how_full_the_resource_is() -> None:
    full = {"unit": "%", "observed": 42.9, "limit_value": 80.0, "headroom_ratio": 0.464}
    made = lines(
        {"rule_id": "CF-RESPONSE", "severity": Severity.ok, "headroom_ratio": None},
        {"rule_id": "CFS-ADMIN", "severity": Severity.ok, "headroom_counts": False},
        {"rule_id": "CFS-FULL", "severity": Severity.ok, **full},
    )
    for each in (made, made[::-1]):
        cell = heat_table(each).rows[0].cells.popitem()[1]
        assert cell.figure == "42.9 %, limit 80 %"


def test_a_cell_to_watch_shows_the_figure_of_a_rule_that_is_not_graded() -> None:
    made = lines(
        {
            "rule_id": "CHI-SCAV-75",
            "severity": Severity.watch,
            "headroom_counts": False,
            "headroom_ratio": 0.031,
        },
    )
    cell = heat_table(made).rows[0].cell(HeatColumn.chinit_storage)
    assert cell is not None
    assert (cell.worst.finding.rule_id, cell.figure) == ("CHI-SCAV-75", cell.worst.of_limit)


def test_a_cell_to_watch_shows_its_severity_where_its_limit_is_its_own_past() -> None:
    made = lines(
        {"rule_id": "LOG-RATE-MBH", "severity": Severity.watch, "headroom_ratio": None},
        {"rule_id": "LOG-RUNWAY-12H", "severity": Severity.ok},
    )
    cell = heat_table(made).rows[0].cell(HeatColumn.active_log)
    assert cell is not None
    assert (cell.worst.finding.rule_id, cell.figure) == ("LOG-RATE-MBH", "Watch")


@pytest.mark.parametrize("severity", [Severity.act, Severity.watch, Severity.ok])
def test_a_cell_shows_its_most_urgent_finding(severity: Severity) -> None:
    made = lines(
        {"rule_id": "LOG-FILL-30MIN", "severity": severity, "headroom_ratio": 0.3},
        {"rule_id": "LOG-COUNT-MIN", "severity": severity, "headroom_ratio": 0.1},
    )
    cell = heat_table(made).rows[0].cell(HeatColumn.active_log)
    assert cell is not None
    assert cell.worst == made[0]


def test_an_unknown_cell_shows_a_headroom_where_it_has_one() -> None:
    made = lines(
        {"rule_id": "LOG-FILL-30MIN", "severity": Severity.unknown, "headroom_ratio": None},
        {"rule_id": "LOG-COUNT-MIN", "severity": Severity.unknown, "headroom_ratio": 0.4},
    )
    cell = heat_table(made).rows[0].cell(HeatColumn.active_log)
    assert cell is not None
    assert cell.worst.finding.rule_id == "LOG-COUNT-MIN"
    [only] = heat_table([each for each in made if each.finding.rule_id == "LOG-FILL-30MIN"]).rows
    absent = only.cell(HeatColumn.active_log)
    assert absent is not None
    assert absent.worst.finding.headroom_ratio is None


def test_rows_of_each_kind_are_a_table_with_the_columns_that_they_have() -> None:
    table = heat_table(lines(
        {"subject": "EAST/QM1", "rule_id": "DST-CHANNELS", "series_id": None},
        {"subject": "PLEX1/CF01", "rule_id": "CF-BUSY-1", "series_id": None},
        {"subject": "PLEX1/CSQ1"},
        {"subject": "PLEX1/CSQ1", "rule_id": "BP-FREE-15", "series_id": None},
        {"subject": "PLEX1/CSQ2", "rule_id": "ZZ-OTHER", "series_id": None},
    ))  # fmt: skip
    parts = {
        kind: ([row.name for row in part.rows], list(part.resources))
        for kind, part in table.by_kind()
    }
    assert list(parts) == list(RowKind)
    log, pool, other = HeatColumn.active_log, HeatColumn.buffer_pool, HeatColumn.other
    assert parts[RowKind.queue_manager] == (["CSQ1", "CSQ2"], [log, pool, other])
    assert parts[RowKind.coupling_facility] == (["CF01"], [HeatColumn.cf_processor])
    assert parts[RowKind.other] == (["QM1"], [HeatColumn.max_channels])


@pytest.mark.parametrize("subjects", [(), ("PLEX1/CSQ1",)])
def test_a_kind_without_rows_has_no_table(subjects: tuple[str, ...]) -> None:
    kinds = [kind for kind, _ in heat_table(lines(*({"subject": s} for s in subjects))).by_kind()]
    assert kinds == [RowKind.queue_manager][: len(subjects)]


def test_a_cell_of_a_part_of_its_row_names_the_part_and_a_channel_initiator_is_none() -> None:
    made = lines(
        {"subject": "PLEX1/CSQ1/BP01", "rule_id": "BP-FREE-15", "series_id": None},
        {"subject": "PLEX1/CSQ1/CHINIT", "rule_id": "CHI-80-31BIT", "series_id": None},
    )
    cells = heat_table(made).rows[0].cells.values()
    assert {cell.label for cell in cells} == {"BP-FREE-15, BP01", "CHI-80-31BIT"}
