"""What waits for settings; what is promised of them comes true."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.judging.inputs import values_of
from mqcap.judging.observed import Observed
from mqcap.presentation.missing_inputs import (
    STEPS_MAX,
    is_waiting,
    needs,
    snippet,
    steps,
)
from mqcap.presentation.summary_rows import missing_summaries
from mqcap.settings import Settings
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.factories import DAY, finding

RULES = ("LOG-COUNT-MIN", "LOG-COUNT-OVERLAP", "LOG-MAXARCH", "REC-FORMULA-A", "CHI-80-31BIT")
QMGRS = ("PLEX1/CSQ1", "PLEX1/CSQ2")
VALUES = {"active_log_size_mib": 1024, "active_logs": 12}


def unchecked(document: dict[str, Any], *rules: str) -> list[Finding]:
    """The findings of two queue managers of which records have nothing, with an estate."""
    estate = Estate.model_validate({"sysplexes": document["estate"]})
    policy = Settings().grade_policy
    return [
        judge(all_rules()[name], subject, DAY,
              values_of(all_rules()[name], subject, Observed([], DAY, 35), estate), policy(name))
        for name in rules or RULES
        for subject in QMGRS
    ]  # fmt: skip


def waiting(*missing: str, rule_id: str = "LOG-COUNT-OVERLAP", **changed: Any) -> Finding:
    """A finding without some inputs."""
    lines = tuple(f"{name}: set it" for name in missing)
    values: dict[str, Any] = {"severity": Severity.unknown, "inputs": (), **changed}
    return finding(rule_id=rule_id, missing=lines, **values)


def test_settings_are_grouped_by_what_to_set_and_the_most_worthwhile_are_first() -> None:
    findings = [
        finding(
            subject, rule_id=rule, severity=Severity.unknown, inputs=(),
            missing=tuple(f"{name}: set it" for name in names),
        )
        for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2", "PLEX1/CSQ3")
        for rule, names in (
            ("LOG-COUNT-MIN", ("active_logs",)),
            ("LOG-RUNWAY-12H", ("log_size_mib", "active_logs")),
            ("LOG-DAY-ACTIVE", ("log_size_mib", "active_logs")),
            ("LOG-FILL-30MIN", ("log_size_mib",)),
            ("LOG-COUNT-OVERLAP", ("log_size_mib", "archive_time_min")),
            ("CHI-80-31BIT", ("used_pct",)),
        )
    ]  # fmt: skip
    rows = missing_summaries(findings)
    assert [f"{row.title}: {row.problem}; {row.change}" for row in rows] == [
        "CSQ1 and 2 more: 12 checks not made; set active_log_size_mib, active_logs",
        "CSQ1 and 2 more: 3 checks not made; set archive_minutes",
    ]
    assert len(rows[0].check_first) == 2


@pytest.mark.parametrize(
    "found",
    [
        waiting("log_size_mib", is_data_incomplete=True),
        waiting("log_size_mib", severity=Severity.ok),
        waiting("log_size_mib", inputs=(InputValue(name="log_size_mib", value=-1),)),
        waiting("no_input_of_the_rule"),
        waiting(),
    ],
)
def test_what_lacks_records_of_the_day_or_has_an_impossible_value_is_not_of_the_block(
    found: Finding,
) -> None:
    assert not is_waiting(found)


def test_the_pasted_snippet_is_accepted_and_unlocks_what_was_promised() -> None:
    configured = {"name": "CSQ1", "qsg": "QSG1", "archive_minutes": 5}
    before = {"estate": [{"sysplex": "PLEX1", "qmgrs": [configured]}]}
    estate = Estate.model_validate({"sysplexes": before["estate"]})
    findings = unchecked(before)
    promised = steps(needs(findings))[:STEPS_MAX]
    pasted = "\n".join(snippet(findings, estate))
    assert Estate.model_validate({"sysplexes": yaml.safe_load(pasted)["estate"]})
    keys = {key for step in promised for key in step.keys}
    for key in keys:
        pasted = pasted.replace(f"{key}: ,", f"{key}: {VALUES.get(key, 24)},")
        pasted = pasted.replace(f"{key}: }}", f"{key}: {VALUES.get(key, 24)}}}")
    document = yaml.safe_load(pasted)
    assert document["estate"][0]["qmgrs"][0]["qsg"] == "QSG1"
    after = unchecked(document)
    unlocked = {(need.owner, need.rule_id) for step in promised for need in step.needs}
    assert unlocked
    assert not unlocked & {(need.owner, need.rule_id) for need in needs(after) if need.keys}


def test_of_an_unknown_sysplex_the_snippet_says_what_comes_first() -> None:
    known = waiting("archive_time_min", subject="PLEX1/CSQ1")
    unknown = waiting("archive_time_min", subject="UNKNOWN/CSQ9")
    first, *entries = snippet([known, unknown], Estate())
    assert "mqcap estate discover" in first
    assert snippet([known], Estate()) == entries
    assert snippet([unknown], Estate()) == [first]
