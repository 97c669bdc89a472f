"""Which rules are dated, measured or typed, which had data, and cleaned histories."""

from collections import Counter
from datetime import date

import pytest

from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import EstateSource, InputSource, MeasuredDaySource
from mqcap.domain.metric import Statistic
from mqcap.rulebook.coverage import (
    TABLE,
    Basis,
    CoveredRule,
    basis_of,
    coverage,
    coverage_table,
    resting_on_typed,
    rules_of_typed_figures,
    sums,
    time_series_rules,
)
from sizing.rulebook.registry import all_rules
from sizing.table import rows
from tests.sizing.builders import finding

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
    assert next(sums(list(COVERED.values()))) == "45 dated, 29 measured, 0 typed"


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
    assert table.rows == (("typed", "LNX-CPU", "linux host", "-", "-", "-", "-", "cpu_pct"),)
    named = coverage_table([row._replace(metrics=("a_pct",)), row._replace(records=("SMF 1",))])
    assert [cells[6] for cells in named.rows] == ["a_pct", "SMF 1"]


def of_lnx_cpu(origin: InputSource) -> Finding:
    """A finding whose figure has this origin."""
    figure = InputValue(name="busiest_pct", value=50.0, unit="%", origin=origin)
    made = finding("LNX-CPU", busiest_pct=50)
    return made.model_copy(update={"inputs": (figure,)})


def test_a_figure_of_the_settings_is_counted_where_an_input_carries_it() -> None:
    typed = of_lnx_cpu(EstateSource(place="PLEX1/LNX1", key="cpu_pct"))
    measured = of_lnx_cpu(
        MeasuredDaySource(
            metric="host_cpu_busy_pct",
            subject="EAST/mq1",
            statistic=Statistic.peak,
            site_date=date(2026, 7, 1),
            window_days=7,
        )
    )
    limit = InputValue(name="log_ceiling", value=1, origin=EstateSource(place="x", key="y"))
    other = measured.model_copy(update={"rule_id": "LOG-DASD-50PCT", "inputs": (limit,)})
    engines = InputValue(name="engines", value=1, origin=EstateSource(place="x", key="engines"))
    before = typed.model_copy(update={"rule_id": "CF-BUSY-1", "inputs": (engines,)})
    gone = typed.model_copy(update={"rule_id": "GONE"})
    assert list(rules_of_typed_figures([typed, measured, other, before, gone])) == ["LNX-CPU"]


def test_below_the_table_are_the_rules_that_rest_on_typed_figures_and_what_would_help() -> None:
    covered = coverage([("LNX-CPU", Severity.ok)], ["LNX-CPU"])
    caption = coverage_table(covered).caption
    assert (
        "LNX-CPU took typed figures for 1 subject: nothing was measured in the window; live with "
        "Prometheus, amqsrua or a file of site figures."
    ) in caption
    typed = [line.split()[0] for line in resting_on_typed(covered) if "rests on" in line]
    assert typed == [each.rule for each in covered if each.basis == Basis.typed]
    assert len(typed) <= 6
    assert all(each.live_with for each in covered if each.rule.startswith(("LNX-", "IMS-")))
