"""Whole change packs, as somebody would review them; ``make golden`` writes them again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from domain.finding import Finding, InputValue
from pipeline.change_pack import WIDTH, change_pack
from sizing.judge import judge
from sizing.registry import all_rules
from store import writes
from tests.pipeline.rule_builders import DAY, new_store
from tests.sizing.builders import Policy

GOLDEN: Final = Path(__file__).with_name("golden")
MANAGER: Final = "PLEX1/CSQ1"
Inputs = Mapping[str, float]
LOG: Final[Inputs] = {"log_size_mib": 1_024, "active_logs": 4, "dual_logging": 1}
PACKS: Final[dict[str, list[tuple[str, str, Inputs]]]] = {
    "logs": [
        ("LOG-FILL-30MIN", MANAGER, {**LOG, "log_rate_mib_per_s": 1.4}),
        ("LOG-RUNWAY-12H", MANAGER, {**LOG, "sustained_rate_mib_per_s": 0.9}),
    ],
    "structure_and_storage": [
        (
            "CFS-FULL",
            "PLEX1/CF01/QSG1APPL1",
            {"used_pct": 84, "size_mib": 2_048},
        ),
        (
            "CHI-80-64BIT",
            f"{MANAGER}/CHINIT",
            {"used_pct": 86, "used_mib": 1_761, "available_mib": 2_048},
        ),
        ("CHI-MAXCHL", f"{MANAGER}/CHINIT", {"channels": 3_000, "maxchl": 3_000}),
    ],
    "page_set_and_pool": [
        (
            "PS-EXPAND-90",
            f"{MANAGER}/PS03",
            {"used_pct": 93, "used_pages": 975_000},
        ),
        ("BP-FREE-15", f"{MANAGER}/BP01", {"used_pct": 91, "buffers": 20_000}),
    ],
}


def findings(name: str) -> list[Finding]:
    return [judged(*one) for one in PACKS[name]]


def judged(rule_id: str, subject: str, values: Inputs) -> Finding:
    """What the rule itself says; inputs that it does not have are left out."""
    rule = all_rules()[rule_id]
    known = rule.inputs.model_fields
    given = [
        InputValue(name=name, value=value, source="made up")
        for name, value in values.items()
        if name in known
    ]
    return judge(rule, subject, DAY, given, Policy())


@pytest.mark.parametrize("name", sorted(PACKS))
def test_the_golden_pack_is_the_one_that_a_reviewer_has_read(name: str, tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    made = findings(name)
    assert [one.missing for one in made if one.missing] == []
    writes.replace_findings(engine, DAY, made)
    text = change_pack(engine, DAY) + "\n"
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    golden = GOLDEN / f"change_pack_{name}.txt"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
