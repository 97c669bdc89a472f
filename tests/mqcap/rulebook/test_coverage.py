"""Which time-series rules are dated, measured or typed, and which had data."""

from __future__ import annotations

from collections import Counter

import pytest

from mqcap.domain.finding import Severity
from mqcap.rulebook.coverage import (
    TABLE,
    Basis,
    CoveredRule,
    basis_of,
    coverage,
    coverage_table,
    sums,
    time_series_rules,
)
from sizing.rulebook.registry import all_rules
from sizing.table import rows

COVERED = {each.rule: each for each in coverage()}


def test_the_documents_have_74_time_series_rules_and_each_is_in_the_rulebook_once() -> None:
    names = [rule.id for rule in time_series_rules()]
    assert len(names) == len(set(names)) == 74
    documents = Counter(row["source"].split()[0] for row in rows(TABLE))
    assert documents == {"MP16": 63, "Moving": 1, "z/TPF": 3, "MQ": 7}
    for row in rows(TABLE):
        citation = all_rules()[row["rule"]].citation
        assert row["source"] == f"{citation.document} {citation.edition}"


@pytest.mark.parametrize(
    ("rule_id", "basis"),
    [
        ("LOG-FILL-30MIN", Basis.dated),
        ("LOG-DAY-ACTIVE", Basis.dated),
        ("CF-RESPONSE", Basis.measured),
        ("CONSOLE-LOG", Basis.measured),
        ("LOG-DFWBP", Basis.measured),
        ("LNX-CPU", Basis.dated),
        ("LNX-DISK", Basis.measured),
        ("IMS-MPR", Basis.dated),
    ],
)
def test_a_forecast_makes_a_rule_dated_and_a_metric_measured(rule_id: str, basis: Basis) -> None:
    assert basis_of(all_rules()[rule_id]) is basis


def test_so_many_rules_are_dated_measured_and_typed() -> None:
    assert next(sums(list(COVERED.values()))) == "43 dated, 28 measured, 3 typed"


def test_a_rule_has_a_reason_exactly_where_it_has_no_date() -> None:
    for each in COVERED.values():
        assert bool(each.why_undated) is (each.basis != Basis.dated)
        assert bool(each.metrics) is (each.basis != Basis.typed)


def test_a_key_that_a_metric_can_replace_is_not_counted_as_typed() -> None:
    assert COVERED["SMF-LOST"].typed_keys == ()
    assert COVERED["CH-START-STOP"].typed_keys == ("channel_restart_max_s", "syncq_channels")


def test_findings_are_counted_apart_from_those_with_a_missing_input() -> None:
    found = [("CF-BUSY-1", Severity.ok), ("CF-BUSY-1", Severity.act)]
    missing = [("CF-BUSY-1", Severity.unknown), ("TPF-HWM", Severity.unknown)]
    counts = {
        each.rule: (each.subjects_with_data, each.subjects_unknown)
        for each in coverage([*found, *missing])
    }
    assert (counts["CF-BUSY-1"], counts["TPF-HWM"], counts["LNX-CPU"]) == ((2, 1), (0, 1), (0, 0))


def test_the_sums_count_rules_and_not_findings() -> None:
    first, second = sums(
        coverage([("CF-BUSY-1", Severity.ok)] * 2 + [("TPF-HWM", Severity.unknown)])
    )
    assert sum(int(part.split()[0]) for part in first.split(", ")) == 74
    assert second == "1 with data on the day, 1 with a missing input only"


def test_the_table_has_a_row_for_each_rule() -> None:
    row = CoveredRule(
        "LNX-CPU", "linux_host", "typed", (), (), ("cpu_pct",), "no record carries it", 0, 0
    )
    table = coverage_table([row])
    assert table.title == "1 time-series rule"
    assert table.rows == (("typed", "LNX-CPU", "linux host", "-", "-", "-", "cpu_pct"),)
    named = coverage_table([row._replace(metrics=("a_pct",)), row._replace(records=("SMF 1",))])
    assert [cells[5] for cells in named.rows] == ["a_pct", "SMF 1"]
