"""Values of one queue manager from pasted displays, settings and records."""

from __future__ import annotations

import json
from typing import Any

from mqcap.estate.pasted import facts_by_manager, lines_of, merged
from mqcap.ingest.display_output.facts import Fact, Value
from mqcap.ingest.display_output.reading import LOG_NAME


def fact(key: str, value: Value, *, thing: str = "", qmgr: str = "CSQ1", line: int = 1) -> Fact:
    return Fact(
        queue_manager=qmgr,
        thing=thing,
        key=key,
        value=value,
        command="DISPLAY LOG",
        file="log.txt",
        line=line,
    )


def lines(*facts: Fact, group: str | None = None, **configured: Any) -> list[str]:
    return [line.strip() for line in lines_of(merged(facts, configured, group), configured)]


def test_an_agreed_value_names_the_display_it_was_read_from() -> None:
    assert lines(fact("maxarch", 500)) == ["maxarch: 500   # DISPLAY LOG, log.txt line 1"]


def test_settings_and_records_need_no_comment() -> None:
    assert lines(group="QSG1", maxarch=500) == ["maxarch: 500", 'qsg: "QSG1"']


def test_equal_values_of_several_sources_are_one_value() -> None:
    [line] = lines(fact("maxarch", 500), fact("maxarch", 500, line=7), maxarch=500)
    assert line == "maxarch: 500   # DISPLAY LOG, log.txt line 1; DISPLAY LOG, log.txt line 7"


def test_values_that_differ_are_listed_and_the_configured_one_stays() -> None:
    assert lines(fact("maxarch", 500), maxarch=1_000) == [
        "# CONTRADICTION about maxarch:",
        "#   1000   (settings)",
        "#   500   (DISPLAY LOG, log.txt line 1)",
        "maxarch: 1000   # of the settings",
    ]


def test_a_contradiction_without_a_configured_value_is_left_out() -> None:
    messages = lines(fact("maxarch", 500), fact("maxarch", 600, line=2))
    assert messages[-1] == "# maxarch:   (left out until you decide)"


def test_logs_of_all_copies_count_only_where_there_is_one_copy() -> None:
    single = merged([fact("active_logs_all_copies", 8), fact("dual_logging", False)], {}, None)
    dual = merged([fact("active_logs_all_copies", 8), fact("dual_logging", True)], {}, None)
    assert single.values["active_logs"].value == 8
    assert "active_logs" not in dual.values
    assert "all copies together" in dual.others[0]


def test_a_value_of_another_object_is_a_comment() -> None:
    [comment] = merged([fact("total_pages", 268_542, thing="page set 3")], {}, None).others
    assert comment == (
        "not an estate key: page set 3: total_pages = 268542 (DISPLAY LOG, log.txt line 1)"
    )


def test_lists_of_the_settings_stay() -> None:
    pools = [{"number": 1, "short_lived": True}]
    [line] = lines(buffer_pools=pools)
    assert line == 'buffer_pools: [{"number": 1, "short_lived": true}]   # settings'


def test_facts_without_a_name_belong_to_the_queue_manager_that_was_given() -> None:
    named, unnamed = fact("maxarch", 500), fact("maxarch", 600, qmgr="")
    assert facts_by_manager([named, unnamed], "CSQ2") == {"CSQ1": [named], "CSQ2": [unnamed]}
    assert facts_by_manager([unnamed]) == {"": [unnamed]}


def log_name(number: int, copy: int = 1) -> Fact:
    name = f"MQM.CSQ1.LOGCOPY{copy}.DS0{number}"
    return fact(LOG_NAME, name, thing=f"copy {copy}", line=number)


def test_names_of_active_logs_are_listed_once_each_copy_1_first() -> None:
    assert lines(log_name(3, copy=2), log_name(2), log_name(1), log_name(2)) == [
        "active_log_names:   # DISPLAY LOG, log.txt line 2",
        '- "MQM.CSQ1.LOGCOPY1.DS02"',
        '- "MQM.CSQ1.LOGCOPY1.DS01"',
        '- "MQM.CSQ1.LOGCOPY2.DS03"',
    ]


def test_configured_names_stay_where_all_that_is_pasted_is_among_them() -> None:
    names = ["MQM.CSQ1.LOGCOPY1.DS01", "MQM.CSQ1.LOGCOPY1.DS02"]
    assert lines(log_name(1), active_log_names=names) == [
        'active_log_names: ["MQM.CSQ1.LOGCOPY1.DS01", "MQM.CSQ1.LOGCOPY1.DS02"]   # settings'
    ]
    assert lines(log_name(3), active_log_names=names) == [
        "active_log_names:   # DISPLAY LOG, log.txt line 3",
        '- "MQM.CSQ1.LOGCOPY1.DS03"',
        f"# active_log_names of the settings: {json.dumps(names)}",
    ]
