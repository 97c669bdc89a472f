from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.change_pack.logs import LogPlan, log_plan, log_statements
from mqcap.change_pack.operands import OPERANDS
from mqcap.change_pack.pack import WIDTH, change_pack, pairs
from mqcap.change_pack.steps import PLAYBOOKS
from mqcap.change_pack.text import WRITTEN, Target, Wish
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Change, Citation, Finding, InputValue
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.judging.evaluate import size
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from sizing.log_space import MIB_PER_CYLINDER
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests import factories
from tests.mqcap.rulebook.builders import (
    DAY,
    QUEUE_MANAGER,
    days,
    new_store,
    observe,
    run,
    settings_of,
)
from tests.sizing.builders import Policy


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path)


def finding(rule: str, subject: str, *amounts: TypedAmount, **inputs: float) -> Finding:
    return factories.finding(
        subject,
        rule_id=rule,
        site_date=DAY,
        changes=tuple(Change(action="Change it.", amount=amount) for amount in amounts),
        citation=Citation(document="MP16", edition="14", section="A section"),
        inputs=tuple(InputValue(name=name, value=value) for name, value in inputs.items()),
        arithmetic=("1 + 1 = 2",),
        advice="Do something else.",
        caveats=(),
    )


def pack(engine: Store, *found: Finding) -> str:
    replace_findings(engine, DAY, list(found))
    return change_pack(engine, DAY)


def logs(rule: str, *amounts: TypedAmount, dual: bool | None = True, **changed: float) -> Finding:
    inputs: dict[str, float] = {"active_logs": 4, "log_size_mib": 1_000} | changed
    if dual is not None:
        inputs["dual_logging"] = dual
    return finding(rule, QUEUE_MANAGER, *amounts, **inputs)


def test_larger_logs_are_defined_for_both_copies_formatted_and_added(engine: Store) -> None:
    text = pack(engine, logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)))
    assert text.count("CYLINDERS(4883)") == 8
    assert text.count("SHAREOPTIONS(2 3)") == 8
    assert text.count("EXEC PGM=CSQJUFMT") == 8
    assert "DEFINE LOG('++HLQ++.CSQ1.LOGCOPY1.DS05') COPY(1)" in text
    assert "DEFINE LOG('++HLQ++.CSQ1.LOGCOPY2.DS08') COPY(2)" in text
    assert "EXEC PGM=CSQJU003" in text


def test_a_single_copy_has_no_second_one(engine: Store) -> None:
    text = pack(
        engine, logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883), dual=False)
    )
    assert "LOGCOPY2" not in text
    assert text.count("CYLINDERS(4883)") == 4


def test_more_logs_of_the_same_size_leave_the_old_ones_alone(engine: Store) -> None:
    text = pack(
        engine,
        logs(
            "LOG-COUNT-MIN", TypedAmount.of(TypedKind.more_data_sets, 5_825, 3), log_size_mib=4_096
        ),
    )
    assert text.count("CYLINDERS(5825)") == 6
    assert "PGM=CSQJU003" not in text


def test_what_several_findings_want_is_written_once_and_large_enough(engine: Store) -> None:
    text = pack(
        engine,
        logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 3_000)),
        logs(
            "LOG-RUNWAY-12H",
            TypedAmount.of(TypedKind.cylinders, 5_825),
            TypedAmount.of(TypedKind.more_data_sets, 5_825, 2),
        ),
    )
    assert text.count("EXEC PGM=IDCAMS") == 1
    assert text.count("CYLINDERS(5825)") == 2 * (4 + 2)
    assert "LOG-FILL-30MIN (act)" in text
    assert "LOG-RUNWAY-12H (act)" in text


def test_no_job_has_more_steps_than_a_job_can_have() -> None:
    plan = LogPlan("CSQ1", 5_825, 4, 200, replaces=True, dual_logging=True)
    lines = list(log_statements(plan))
    starts = [number for number, line in enumerate(lines) if " JOB " in line]
    ends = [*starts[1:], len(lines)]
    steps = [
        sum("PGM=CSQJUFMT" in line for line in lines[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]
    assert steps == [0, 255, 145, 0]


@settings(max_examples=60)
@given(
    rate=st.floats(0.01, 2.2),
    size_mib=st.integers(100, 4_000),
    count=st.integers(2, 40),
    sustained=st.floats(0.1, 1.0),
)
def test_following_the_pack_makes_its_rules_true(
    rate: float, size_mib: int, count: int, sustained: float
) -> None:
    measured = {
        "log_rate_mib_per_s": rate,
        "sustained_rate_mib_per_s": rate * sustained,
        "day_mean_mib_per_s": rate * sustained / 2,
    }

    def judged(size: float, logs: int) -> list[Finding]:
        given_values = measured | {"log_size_mib": size, "active_logs": logs}
        rules = [all_rules()[name] for name in ("LOG-FILL-30MIN", "LOG-RUNWAY-12H")]
        return [
            judge(
                rule,
                QUEUE_MANAGER,
                DAY,
                [
                    InputValue(name=name, value=value)
                    for name, value in given_values.items()
                    if name in rule.inputs.model_fields
                ],
                Policy(),
            )
            for rule in rules
        ]

    wishes = [
        Wish(Target("PLEX1", "CSQ1", "logs"), one, change)
        for one in judged(size_mib, count)
        for change in one.changes
    ]
    if wishes:
        plan = log_plan("CSQ1", wishes)
        total = plan.new if plan.replaces else count + plan.new
        after = judged(min(plan.cylinders * MIB_PER_CYLINDER, 4_096), total)
        assert [one.breach for one in after] == [False, False]


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            finding("BP-FREE-15", "PLEX1/CSQ1/BP01", TypedAmount.of(TypedKind.buffers, 60_000)),
            "ALTER BUFFPOOL(1) BUFFERS",
        ),
        (
            finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", TypedAmount.of(TypedKind.cylinders, 700)),
            "//CSQP0003 DD",
        ),
        (
            finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", TypedAmount.of(TypedKind.cylinders, 9_000)),
            "EXTENDED-ADDRESSABILITY",
        ),
        (
            finding("CHI-80-64BIT", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.memlimit_gib, 3)),
            "MEMLIMIT=3G",
        ),
        (
            finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900)),
            "ALTER QMGR MAXCHL(900)",
        ),
        (
            finding("LOG-OUTBUFF-WTB", QUEUE_MANAGER, TypedAmount.of(TypedKind.outbuff_kb, 4_000)),
            "OUTBUFF=4000",
        ),
        (
            finding("LOG-FILL-30MIN", QUEUE_MANAGER, TypedAmount.of(TypedKind.log_compression)),
            "SET LOG COMPLOG(RLE)",
        ),
        (
            finding("LOG-MAXARCH", QUEUE_MANAGER, TypedAmount.of(TypedKind.maxarch, 800)),
            "SET LOG MAXARCH(800)",
        ),
        (
            finding(
                "CHI-ADAPTER-UNUSED", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.adapters, 60)
            ),
            "CHIADAPS(60)",
        ),
        (
            finding("SMDS-BUFS-WAIT", QUEUE_MANAGER, TypedAmount.of(TypedKind.smds_buffers, 200)),
            "ALTER SMDS(CSQ1) CFSTRUCT",
        ),
        (
            finding(
                "CH-BATCH-ACHIEVED",
                "PLEX1/CSQ1/CHINIT",
                TypedAmount.of(TypedKind.batch_interval_ms, 100),
            ),
            "BATCHINT(100)",
        ),
        (
            finding("CHI-OMVS", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.processes, 90)),
            "SETOMVS MAXPROCUSER=90",
        ),
        (
            finding("CF-BUSY-1", "PLEX1/CF01", TypedAmount.of(TypedKind.engines, 2)),
            "no statement is typed",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value.rule_id,
)
def test_each_kind_of_change_has_its_statement(engine: Store, made: Finding, line: str) -> None:
    text = pack(engine, made)
    assert line in text
    assert max(len(one) for one in text.splitlines()) <= WIDTH


def test_every_statement_has_its_operands_looked_up_or_says_that_it_has_not() -> None:
    assert {one.topic for one in OPERANDS} == {*WRITTEN, "logs"}
    asked = {one.topic for one in OPERANDS if not one.source}
    assert asked == {"adapters", "memlimit_gib", "batch_interval_ms", "processes"}


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            finding("CHI-80-64BIT", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.memlimit_gib, 3)),
            "step name PROCSTEP",
        ),
        (
            finding("CHI-OMVS", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.processes, 90)),
            "SETOMVS MAXPROCUSER=n",
        ),
        (finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900)), ""),
    ],
    ids=["memlimit", "processes", "known"],
)
def test_a_pack_names_the_operands_that_were_found_in_no_document(
    engine: Store, made: Finding, line: str
) -> None:
    text = pack(engine, made)
    assert ("operands to be checked, found in no document" in text) is bool(line)
    assert line in text


def test_a_structure_in_two_facilities_is_one_entry_of_the_policy(engine: Store) -> None:
    text = pack(
        engine,
        finding(
            "CFS-FULL", "PLEX1/CF01/QSG1APPL1", TypedAmount.of(TypedKind.structure_kib, 4_096_000)
        ),
        finding(
            "CFS-FULL-ELEMENTS",
            "PLEX1/CF02/QSG1APPL1",
            TypedAmount.of(TypedKind.structure_kib, 5_000_001),
        ),
    )
    assert text.count("STRUCTURE NAME(QSG1APPL1)") == 1
    assert "      SIZE(5000001K)\n      INITSIZE(2500001K)" in text


def test_the_header_says_that_nothing_was_executed_and_figures_are_cited(engine: Store) -> None:
    text = pack(engine, logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)))
    assert "It was never executed" in text.splitlines()[0]
    assert 'source: MP16 (14), "A section"' in text
    assert "1 + 1 = 2" in text


def test_a_finding_without_a_figure_is_not_lost(engine: Store) -> None:
    assert "Do something else." in pack(engine, finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"))


def test_every_line_fits_before_the_sequence_numbers(engine: Store) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 3.0))
    size(settings_of(engine_folder(engine), dual_logging=None), engine, DAY)
    text = change_pack(engine, DAY)
    assert "DEFINE CLUSTER" in text
    assert max(len(line) for line in text.splitlines()) <= WIDTH


def engine_folder(engine: Store) -> Path:
    return Path(str(engine.url.database)).parent


def test_what_needs_no_stop_comes_first_and_the_order_is_listed(engine: Store) -> None:
    text = pack(
        engine,
        finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", TypedAmount.of(TypedKind.cylinders, 700)),
        finding("CHI-80-64BIT", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.memlimit_gib, 3)),
        finding("BP-FREE-15", "PLEX1/CSQ1/BP01", TypedAmount.of(TypedKind.buffers, 60_000)),
        logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)),
    )
    headings = [line for line in text.splitlines() if "========" in line]
    assert [line.split(" ")[2] for line in headings] == ["1.", "2.", "3.", "4."]
    assert [line.split(": ")[1].split(" =")[0] for line in headings] == [
        "active logs",
        "buffer pool",
        "MEMLIMIT",
        "page set",
    ]
    assert "//* 4. PLEX1 CSQ1 PS03: page set: with the queue manager stopped" in text


def test_every_kind_of_change_says_what_to_check_its_steps_and_the_way_back() -> None:
    assert set(PLAYBOOKS) == WRITTEN | {"logs"}
    for found in PLAYBOOKS.values():
        assert found.checks
        assert found.steps
        assert found.back_out
        assert found.when


def test_dasd_is_counted_over_all_data_sets_and_copies(engine: Store) -> None:
    text = pack(engine, logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)))
    assert "DASD: 8 data sets x 4,883 cylinders of 3390 = 39,064 cylinders" in text


def test_chosen_findings_only(engine: Store, tmp_path: Path) -> None:
    pack(
        engine,
        logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)),
        finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900)),
    )
    chosen = ("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT")
    result = run(tmp_path, settings_of(tmp_path), "change-pack", *chosen, "--day", str(DAY))
    assert result.exit_code == 0, result.output
    assert "MAXCHL(900)" in result.output
    assert "CYLINDERS" not in result.output


def test_a_rule_without_its_subject_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="without its subject"):
        pairs(["CHI-MAXCHL"])
