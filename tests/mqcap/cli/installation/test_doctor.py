"""``mqcap doctor``."""

from __future__ import annotations

import pytest

from mqcap.installation.check import Check, CheckState
from mqcap.settings import Settings
from tests.mqcap.cli.command_line import invoked

FINE = Check(CheckState.fine, "store", "sqlite")
MISSING = Check(CheckState.to_do, "inbox", "no folder", "Make it.")


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("checks", "code", "printed"),
    [
        ([FINE], 0, "fine      store: sqlite\n"),
        ([MISSING, FINE], 1, "to do     inbox: no folder\n          Make it.\nfine      store: "),
    ],
)
def test_each_check_is_printed_and_what_must_be_done_makes_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, checks: list[Check], code: int, printed: str
) -> None:
    def examine(_settings: Settings) -> list[Check]:
        return checks

    monkeypatch.setattr("mqcap.cli.installation.doctor.examine", examine)
    result = invoked("doctor")
    assert (result.exit_code, result.output.startswith(printed)) == (code, True)
