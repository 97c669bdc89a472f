"""Calculators that the report states in words only, and each limit below, at and above."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mqcap.domain.errors import ConfigurationError
from sizing.rulebook.registry import get
from sizing.verify import Tolerance, Vector, compare
from tests.many_values import for_each

SMALL = Tolerance(rel=1e-3, abs=1e-9)


def data(name: str) -> list[dict[str, Any]]:
    """The entries of a YAML file beside this one."""
    result: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))
    return result


def _name(item: dict[str, Any]) -> str:
    return str(item["rule"])


@for_each("stated", data("stated.yaml"), ids=_name)
def test_what_the_report_states_in_words(stated: dict[str, Any]) -> None:
    vector = Vector(**stated, tolerance=SMALL)
    assert compare(get(vector.rule).answer(vector.inputs), vector) == ""


@pytest.mark.parametrize("level", data("levels.yaml"), ids=_name)
def test_below_at_and_above_a_level(level: dict[str, Any]) -> None:
    for number, expected in level["cases"]:
        answer = get(level["rule"]).answer({**level["fixed"], level["name"]: number})
        assert answer[level["key"]] is expected, number


@pytest.mark.parametrize(
    ("rule", "inputs", "problem"),
    [
        ("LNX-SSL", {"cipher": "ROT13"}, "expected ECDHE_ECDSA_AES_256_GCM_SHA384, NULL_SHA"),
        ("CHI-X004I", {"message": "CSQX001I"}, "expected CSQX004I"),
        ("REC-PROGRESS", {"message": "CSQR001I"}, "expected CSQR030I or CSQR032I"),
        ("CFB-LOGSPACE", {"message": "CSQE120I"}, "expected CSQE121I"),
        (
            "PS-MSGS-PER-PAGE",
            {"message_bytes_with_headers_except_mqmd": 3636, "maxshortmsgs": 0},
            "expected PS-PAGES-PER-MSG",
        ),
        (
            "LOG-ACTIVE-CAPACITY",
            {"active_logs": 311, "log_size_gb": 4},
            "less than or equal to 310",
        ),
        ("LOG-MAXARCH", {"maxarch": 1001, "log_size_gb": 4}, "less than or equal to 1000"),
        ("CHI-MAXCH", {"epvt_gib": 1.6, "kb_per_channel": 90, "maxchl": 10_000}, "9999"),
    ],
)
def test_a_question_that_has_no_answer_says_why(
    rule: str, inputs: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        get(rule).answer(inputs)


def test_faster_is_never_slower_and_more_is_never_less() -> None:
    for slow, fast in ((1.0, 2.0), (2.0, 60.0)):
        times = [
            get("REC-RBA-TIME").answer(
                {"start_rba_hex": "0", "end_rba_hex": "FFFFFF", "read_mb_per_s": rate}
            )["seconds"]
            for rate in (slow, fast)
        ]
        assert times[1] < times[0]
    sizes = [
        get("CFS-SIZE-ALG").answer(
            {
                "message_bytes_with_headers_except_mqmd": 1_024,
                "messages": count,
                "cfcc_level": 24,
            }
        )["bytes"]
        for count in (1, 10, 100_000)
    ]
    assert sizes == sorted(sizes)


def test_a_full_table_row_is_returned_as_printed() -> None:
    answer = get("LOG-DASD-CEILING").answer({"dasd_type": "ESS 800", "message_bytes": 5_120})
    assert answer["max_mb_per_s"] == 16.5
    beyond = get("LOG-DASD-CEILING").answer({"dasd_type": "RVA-T82", "message_bytes": 1_048_576})
    assert beyond["max_mb_per_s"] == 2.8
