"""Whole change packs, as somebody would review them; ``make golden`` writes them again.

Their findings are fixed, so that another wording of a rule does not change a pack.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import pytest

from mqcap.change_pack.pack import WIDTH, change_pack
from mqcap.domain.finding import Finding
from mqcap.store.findings import replace_findings
from tests.mqcap.rulebook.builders import DAY, new_store

GOLDEN: Final = Path(__file__).with_name("golden")
PACKS: Final = ("logs", "page_set_and_pool", "structure_and_storage")


def findings(name: str) -> list[Finding]:
    document = json.loads((GOLDEN / f"findings_{name}.json").read_text(encoding="utf-8"))
    return [Finding.model_validate(one) for one in document]


@pytest.mark.parametrize("name", PACKS)
def test_the_golden_pack_is_the_one_that_a_reviewer_has_read(name: str, tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    replace_findings(engine, DAY, findings(name))
    text = change_pack(engine, DAY) + "\n"
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    golden = GOLDEN / f"change_pack_{name}.txt"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
