"""Commands about findings, their causes, rules and reports."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.cli.common import UnknownValueError
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.presentation.labels import use_metric_labels
from mqcap.settings import Settings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.tickets import save_ticket
from tests.factories import DAY, feed_day, finding, ticket
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.lake.parts import CSQ1, METRIC, growing_log, growing_part
from tests.mqcap.steps.notify.builders import judge, over


@pytest.mark.parametrize("subject", ["PLEX1/CSQ1", "CSQ1"])
def test_a_finding_is_explained_by_rule_and_subject_or_its_end_or_by_its_ticket_key(
    evaluated: Settings, subject: str
) -> None:
    for arguments in (("LOG-FILL-30MIN", subject), (f"LOG-FILL-30MIN/{subject}",)):
        text = output_of("explain", *arguments, "--day", str(DAY))
        assert text.startswith(f"LOG-FILL-30MIN PLEX1/CSQ1 on {DAY}: Act")


def test_a_ticket_reference_explains_each_of_its_problems_with_a_finding(
    evaluated: Settings, engine: Engine
) -> None:
    keys = ("LOG-FILL-30MIN/PLEX1/CSQ1", "LOG-FILL-30MIN/PLEX1/CSQ2", "LOG-FILL-30MIN/PLEX1/CSQ3")
    replace_findings(engine, DAY, [finding(), finding("PLEX1/CSQ2")])
    save_ticket(engine, ticket(external_ref="MQCAP-E59027", members=keys), "embedded")
    lines = output_of("explain", "MQCAP-E59027", "--day", str(DAY)).splitlines()
    heads = [line for line in lines if line.startswith("LOG-FILL-30MIN PLEX1/")]
    assert heads == [f"LOG-FILL-30MIN PLEX1/{name} on {DAY}: Act" for name in ("CSQ1", "CSQ2")]


def test_a_ticket_without_a_finding_on_the_day_is_an_error_with_its_problem(
    evaluated: Settings, engine: Engine
) -> None:
    save_ticket(
        engine, ticket(dedupe_key="CF-BUSY-1/PLEX1/CF01", external_ref="MQCAP-1"), "embedded"
    )
    error = refusal("explain", "MQCAP-1", "--day", str(DAY))
    assert error.found == "CF-BUSY-1 PLEX1/CF01"


def test_a_word_that_is_neither_a_rule_nor_a_ticket_says_what_is_expected(
    evaluated: Settings,
) -> None:
    error = refusal("explain", "MQCAP-9", "--day", str(DAY))
    assert error.problem == "neither a rule nor a ticket"
    assert "mqcap tickets list" in error.remedy


def test_a_change_pack_needs_pairs_of_rule_and_subject(evaluated: Settings) -> None:
    refusal("change-pack", "LOG-FILL-30MIN", "--day", str(DAY))


def test_a_scenario_that_does_not_exist_is_an_error_with_its_name(
    evaluated: Settings, tmp_path: Path
) -> None:
    error = invoked("whatif", str(tmp_path / "none.yaml"), "--day", str(DAY)).exception
    assert isinstance(error, CapacityError)
    assert "none.yaml" in str(error)


@pytest.fixture
def grown(settings: Settings) -> Iterator[Settings]:
    """A lake in which the log of CSQ1 has grown by one queue; labels are as before afterwards."""
    growing_log(Path(settings.lake))
    yield settings
    use_metric_labels([])


def test_the_table_begins_with_the_label_of_the_metric(grown: Settings) -> None:
    lines = output_of("why", METRIC, CSQ1, "--since", "2026-10-01").splitlines()
    assert lines[0] == (
        "Log write rate of PLEX1/CSQ1: 4,320 MB/hour, +720 (+20 %) since 1 Oct 2026."
    )
    assert max(map(len, lines)) <= 80


def test_programs_get_parts_with_then_now_and_share(grown: Settings) -> None:
    document = json.loads(
        output_of("why", METRIC, CSQ1, "--since", "2026-10-01", "--format", "json")
    )
    first = document["parts"][0]
    assert list(first) == ["part", "kind", "now", "then", "share_of_growth_pct"]
    assert (first["part"], first["kind"]) == ("PAY.IN", "queue")


def test_another_kind_of_part_can_be_chosen(grown: Settings) -> None:
    document = json.loads(output_of("why", METRIC, CSQ1, "--by", "application", "--format", "json"))
    assert document["breakdown"] == "application"


def test_a_name_that_is_nearly_right_is_proposed(grown: Settings) -> None:
    error = refusal("why", METRIC, "CSQ7")
    assert CSQ1 in str(error)
    assert CSQ1 in output_of("why", METRIC, "CSQ1")


def test_storage_of_channels_is_divided_at_the_cost_of_the_newest_day(
    settings: Settings, tmp_path: Path
) -> None:
    chinit = "PLEX1/CSQ1/CHINIT"
    growing_part(Path(settings.lake), "chinit_31bit_used_mib", chinit, "A.TO.B", "channel", rest=80)
    text = output_of("why", "chinit_31bit_used_mib", chinit, "--since", "2026-10-01")
    words = "Parts: instances of channels (116.10), 90 KiB each, by MP16 (CHI-FOOTPRINT-MCA)."
    assert words in text
    use_metric_labels([])


def test_a_topic_narrows_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    text = invoked("rules", "list", "--topic", "log_fill").output
    assert "LOG-FILL-30MIN" in text
    assert "CF-BUSY-1" not in text


@pytest.mark.parametrize(
    ("typed", "expected"), [("LOG-FILL", "LOG-FILL-30MIN"), ("QQQQQQ", "APP-COMBINE, APP-EXPIRY")]
)
def test_an_unknown_entry_names_those_that_are_near_and_where_all_are_listed(
    typed: str, expected: str
) -> None:
    error = refusal("rules", "show", typed)
    assert "mqcap rules list" in str(error)
    assert error.expected.startswith(expected)


def test_live_rules_are_those_with_a_finding_on_the_newest_day(
    settings: Settings, engine: Engine
) -> None:
    judge(engine, DAY, [over(), over("PLEX1/CSQ2")])
    listed = json.loads(output_of("rules", "list", "--live", "--format", "json"))
    assert [item["id"] for item in listed] == ["LOG-FILL-30MIN"]
    text = output_of("rules", "list", "--live")
    assert text.startswith("1 in the list\nLOG-FILL-30MIN: ")
    assert (
        json.loads(output_of("rules", "list", "--live", "--kind", "structure", "--format", "json"))
        == []
    )


def test_the_coverage_counts_the_findings_of_the_newest_day(
    settings: Settings, engine: Engine
) -> None:
    judge(engine, DAY, [over(), over("PLEX1/CSQ2")])
    covered = json.loads(output_of("rules", "coverage", "--format", "json"))
    assert len(covered) == 74
    assert {item["rule"]: item["subjects_with_data"] for item in covered}["LOG-FILL-30MIN"] == 2
    text = output_of("rules", "coverage")
    assert text.startswith("74 time-series rules\n")
    assert "1 with data on the day, 0 with a missing input only" in text


def test_no_line_is_wrapped_in_a_pipe() -> None:
    lines = output_of("rules", "list", "--kind", "queue_manager").splitlines()
    assert len(lines) % 2 == 1
    assert all(line.startswith("    rule for a queue manager; ") for line in lines[2::2])


@pytest.fixture
def evaluated_of_report(settings: Settings, engine: Engine) -> Settings:
    """A day with one breach and one feed without records."""
    early = finding(subject="PLEX1/CSQ7", severity="unknown", breach=None, headroom_ratio=None)
    waiting = early.model_copy(update={"is_data_incomplete": True, "missing": ("records",)})
    replace_findings(engine, DAY, [finding(), waiting])
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    return settings


def test_without_a_kind_a_table_of_resources_and_of_missing_data_is_printed(
    evaluated_of_report: Settings,
) -> None:
    text = invoked("report", "--day", str(DAY)).output
    assert "CSQ1 active logs" in text
    assert "PLEX1/CSQ7" in text
    assert "1 check without the records of the day" in text
    assert len(text.splitlines()) <= 60


def test_a_day_without_findings_and_feeds_is_an_error_with_the_days_that_have_some(
    evaluated_of_report: Settings,
) -> None:
    result = invoked("report", "--day", "2026-03-09")
    assert result.exit_code != 0
    assert isinstance(result.exception, ConfigurationError)
    assert result.exception.problem == "no rule was evaluated on 2026-03-09"
    assert result.exception.found == f"findings of {DAY}"
    assert "mqcap run --day 2026-03-09" in result.exception.remedy


def test_of_a_day_with_missing_feeds_that_no_rule_was_evaluated_on_nothing_is_said_to_be_in_order(
    settings: Settings, engine: Engine
) -> None:
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    printed = output_of("report", "--day", str(DAY))
    assert "PLEX1/CSQ7" in printed
    assert "checks in order" not in printed
    assert f"No rule was evaluated on {DAY}: mqcap run --day {DAY}" in printed


def test_a_report_is_written_to_the_folder_in_the_formats_asked_for(
    evaluated_of_report: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    text = output_of(
        "report", "daily", "--day", str(DAY), "--out", str(folder),
        "--format", "html", "--format", "xlsx",
    )  # fmt: skip
    names = [f"mqcap-daily-{DAY}.{form}" for form in ("html", "xlsx")]
    *_, first, second = text.splitlines()  # after what a slow machine says of its progress
    assert [first, second] == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_as_objects_it_has_the_findings_of_its_rows(evaluated_of_report: Settings) -> None:
    row, _ = json.loads(output_of("report", "--day", str(DAY), "--format", "json"))
    assert (row["subject"], row["rule_id"]) == ("PLEX1/CSQ1", "LOG-FILL-30MIN")
    lines = output_of("report", "--day", str(DAY), "--format", "csv").splitlines()
    assert lines[0].startswith("subject,subject_kind,sysplex,rule_id,")
    assert len(lines) == 3
    table = output_of("report", "--day", str(DAY), "--format", "table")
    assert table == output_of("report", "--day", str(DAY))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "pdf"], "unknown format of a list; found pdf; expected table or json"),
        (["--format", "csv", "--format", "json"], "in one format; found csv, json"),
        (["yearly"], "unknown kind of a report; found yearly; expected daily or weekly"),
        (["daily", "--format", "docx"], "unknown format of a report; found docx; expected html"),
    ],
)
def test_an_unknown_kind_or_format_names_those_that_exist(
    evaluated_of_report: Settings, arguments: list[str], message: str
) -> None:
    error = invoked("report", *arguments, "--day", str(DAY)).exception
    assert isinstance(error, UnknownValueError)
    assert message in str(error)
