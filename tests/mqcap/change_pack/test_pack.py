from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.change_pack.pack import WIDTH, change_pack, pairs
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.database import Store
from tests.mqcap.change_pack.builders import finding, logs, pack
from tests.mqcap.rulebook.builders import (
    DAY,
    QUEUE_MANAGER,
    days,
    observe,
    run,
    settings_of,
)


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


def test_the_header_says_that_nothing_was_executed_and_figures_are_cited(engine: Store) -> None:
    text = pack(engine, logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)))
    assert "It was never executed" in text.splitlines()[0]
    assert 'source: MP16 (14), "A section"' in text
    assert "1 + 1 = 2" in text


def test_a_finding_without_a_figure_is_not_lost(engine: Store) -> None:
    assert "Do something else." in pack(engine, finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"))


def test_every_line_fits_before_the_sequence_numbers(engine: Store) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 3.0))
    evaluate_rules(settings_of(engine_folder(engine), dual_logging=None), engine, DAY)
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
