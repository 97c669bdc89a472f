"""The rulebook described and listed, which of its rules have data, and lines of advice."""

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import EstateSource, InputSource, MeasuredDaySource
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.plan import Plan
from mqcap.rulebook import explain
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
from mqcap.rulebook.describe import Item, describe, items, lines, read_vectors, unit_of
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from sizing.advice import Advice, Misprint, all_advice, all_misprints
from sizing.rulebook.registry import all_rules, entries
from sizing.table import rows
from tests import factories, plan_factories
from tests.many_values import for_each
from tests.mqcap.cli.command_line import COMMAND
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, settings_of
from tests.sizing.builders import finding

VECTORS = Path(__file__).parents[2] / "sizing" / "vectors.json"


def run(*arguments: str, columns: str = "240") -> tuple[int, str]:
    result = CliRunner(env={"COLUMNS": columns}).invoke(COMMAND, list(arguments))
    return result.exit_code, result.output


def vectors(tmp_path: Path, **changed: object) -> Path:
    vector = {
        "rule": "LOG-FILL-30MIN",
        "inputs": {"log_size_mib": 4096, "log_rate_mib_per_s": 2.5},
        "expected": {"fill_time_s": 1638.4, "breach": True},
        "tolerance": {"rel": 1e-9},
    }
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps([vector | changed]), encoding="utf-8")
    return file


def test_a_rule_is_shown_with_inputs_limit_strictness_and_source() -> None:
    code, text = run("rules", "show", "LOG-FILL-30MIN")
    assert code == 0
    assert "log_size_mib [MiB] (required, > 0 and <= 4096): estate: active_log_size_mib" in text
    assert "measured: log_growth_mib_per_s (peak) of SMF 115 subtype 1" in text
    assert "below the limit; a value exactly at it is allowed" in text
    assert "How large should the active logs be?" in text
    assert "interval_s [s]" in text


@pytest.mark.parametrize(
    ("rule_id", "words"),
    [
        ("LOG-OUTBUFF-WTB", "asked: OUTBUFF, from DISPLAY LOG"),
        ("LOG-OUTBUFF-WTB", "a first step, to be measured, because the counter says that tasks"),
        ("CHI-80-31BIT", "chinit_31bit_kib_per_channel, where its interval is narrow enough"),
        ("CFS-FULL", "exactly at it is a breach"),
        ("BP-OVERSIZE-50", "never a breach: a value below the limit; exactly at it is one"),
    ],
)
def test_a_rule_says_what_is_special_of_it(rule_id: str, words: str) -> None:
    assert words in describe(rule_id)
    assert words not in describe("LOG-FILL-30MIN")


@for_each("flag", all_misprints(), ids=lambda flag: flag.flag)
def test_every_flag_is_shown_with_its_reading_where_it_applies(flag: Misprint) -> None:
    known = set(entries()) | set(all_advice())
    ids = [item for item in flag.ids if item in known]
    shown = [describe(identity) for identity in ids]
    assert all(f"flag {flag.flag}: " in text for text in shown)


@for_each("advice", all_advice().values(), ids=lambda advice: advice.id)
def test_advice_is_listed_with_what_it_helps(advice: Advice) -> None:
    assert "kind: advice" in describe(advice.id)
    helped = [describe(item) for item in advice.helps]
    assert all(f"advice {advice.id}: " in text for text in helped)


def test_all_worked_examples_of_the_suite_pass() -> None:
    code, text = run("rules", "verify", str(VECTORS))
    assert (code, text.splitlines()[1:]) == (0, ["failed: 0", "without implementation: 0"])


def test_a_difference_or_a_rule_without_implementation_is_named_and_ends_with_one(
    tmp_path: Path,
) -> None:
    code, text = run("rules", "verify", str(vectors(tmp_path, expected={"fill_time_s": 1.0})))
    assert code == 1
    assert "LOG-FILL-30MIN: fill_time_s: expected 1.0, got 1638.4" in text
    code, text = run("rules", "verify", str(vectors(tmp_path, rule="LOG-NOT-YET")))
    assert code == 1
    assert text.splitlines()[-2:] == ["without implementation: 1", "  LOG-NOT-YET"]


@pytest.mark.parametrize("content", ["{", "[1]", "{}"])
def test_a_file_of_another_form_is_refused_with_its_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json"):
        read_vectors(file)


ITEM = Item(
    "EXAMPLE-1", "rule", "example", "An example", 'MP16 (14), "Size of logs"', "buffer_pool"
)
SECOND_LINE = '    rule for a buffer pool; example; MP16 (14), "Size of logs"'


def test_the_list_holds_every_rule_calculator_and_advice() -> None:
    assert {item.id for item in items()} == set(entries()) | set(all_advice())


def test_a_topic_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(ConfigurationError, match="log_fill") as caught:
        items("log_fil")
    assert str(caught.value).count("log_fill") == 1


@pytest.mark.parametrize("kind", SubjectKind)
def test_a_subject_kind_leaves_the_rules_for_it(kind: SubjectKind) -> None:
    expected = {
        rule.id
        for rule in all_rules().values()
        if kind in {rule.traits.subject_kind, *rule.traits.also_of}
    }
    assert {item.id for item in items(subject_kind=kind)} == expected
    without = {SubjectKind.site_object, SubjectKind.ztpf_queue}
    assert bool(expected) is (kind not in without), "sweeps are judged by system"


def test_chosen_rules_leave_out_all_others() -> None:
    assert [item.id for item in items(rule_ids={"LOG-FILL-30MIN"})] == ["LOG-FILL-30MIN"]
    assert items("advice", rule_ids={"LOG-FILL-30MIN"}) == []


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (len(SECOND_LINE), SECOND_LINE),
        (len(SECOND_LINE) - 1, '    rule for a buffer pool; example; MP16 (14), "Size of ...'),
    ],
)
def test_a_line_too_long_for_the_terminal_ends_after_a_whole_word(columns: int, shown: str) -> None:
    assert lines([ITEM], columns)[-1] == shown


RULE = "LOG-FILL-30MIN"


def advice(engine: Store, folder: Path, plan: Plan, day: date = DAY) -> tuple[str, ...]:
    """The advice on a finding of the active logs with its heading, with this plan on ``day``."""
    replace_findings(engine, DAY, [factories.finding(site_date=DAY)])
    replace_plans(engine, day, [plan])
    section = explain.explanation(engine, settings_of(folder), RULE, QUEUE_MANAGER, DAY)[-1]
    return (section.heading, *section.lines)


def test_advice_is_the_plan_and_then_that_of_the_rule_with_what_it_is_sized_for(
    engine: Store, tmp_path: Path
) -> None:
    plan = plan_factories.plan(site_date=DAY)
    heading, *lines = advice(engine, tmp_path, plan)
    assert heading == f"Advice: {plan.changes[0].sentence} now"
    assert lines[0].startswith("Option: 16 x CYL(5825); +96 GiB DASD, 10 h")
    assert lines[1] == (
        f"{RULE} alone (limit 0.556 MiB/s), for the level that it names, else its limit, at the "
        "expected value of the day of the forecast that it names, else on the measured days; the "
        "plan is sized at the 90 % bound of the forecast: Make the active logs larger first; "
        "then add more."
    )
    assert "[CYL(3073)]" in lines[2]


def test_the_watch_level_that_the_plan_keeps_is_named(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, watch_level=0.445)
    assert (
        "(limit 0.556 MiB/s, Watch above 0.445 MiB/s), for"
        in explain.advice(engine, found).lines[1]
    )


def test_of_a_plan_without_a_change_the_rule_has_the_advice(engine: Store, tmp_path: Path) -> None:
    plan = plan_factories.plan(site_date=DAY, changes=())
    heading, first, second, *_ = advice(engine, tmp_path, plan)
    assert heading == "Advice: Make the active logs larger first; then add more."
    assert first.startswith("Plan of the resource: nothing to do")
    assert second.startswith("- Allocate each active log")


def test_what_was_reported_has_no_figure_as_its_limit(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, is_event=True)
    assert explain.advice(engine, found).lines[1].startswith(f"{RULE} alone: Make")


@pytest.mark.parametrize(
    ("resource", "back"), [("PLEX1/CSQ2/active_log", 0), (f"{QUEUE_MANAGER}/active_log", 1)]
)
def test_advice_is_of_the_rule_where_another_resource_or_day_has_the_plan(
    engine: Store, tmp_path: Path, resource: str, back: int
) -> None:
    day = DAY - timedelta(days=back)
    plan = plan_factories.plan(site_date=day, resource=resource)
    assert advice(engine, tmp_path, plan, day)[1].startswith("- Allocate each active log")


def test_a_rule_that_is_no_longer_known_has_no_plan(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, rule_id="GONE-1")
    assert explain.advice(engine, found).heading == f"Advice: {found.advice}"


UNITS = {
    "log_rate_mib_per_s": "MiB/s", "messages_per_s": "per s", "log_size_mib": "MiB",
    "size_gb": "GB", "used_pct": "%", "restart_min": "min", "restart_target_minutes": "min",
    "fill_s": "s", "cf_us": "us", "schedule_hours": "h", "QUEUE_PAGES": "pages", "engines": "",
    "dual_logging": "", "qpstnbuf": "",
}  # fmt: skip


def test_a_name_ends_in_its_unit() -> None:
    assert {name: unit_of(name) for name in UNITS} == UNITS


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
    seen = [("CF-BUSY-1", Severity.ok)] * 2 + [("TPF-HWM", Severity.unknown)]
    assert list(sums(coverage(seen))) == [
        "45 dated, 29 measured, 0 typed",
        "1 with data on the day, 1 with a missing input only",
    ]


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
    series = {"metric": "host_cpu_busy_pct", "subject": "EAST/mq1", "statistic": Statistic.peak}
    measured = of_lnx_cpu(MeasuredDaySource.model_validate(series | {"site_date": DAY}))
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
