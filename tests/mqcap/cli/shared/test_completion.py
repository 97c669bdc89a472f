"""What a shell offers."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from mqcap.cli.app import app
from mqcap.cli.shared.completion import rule_ids, topics


def test_rules_are_offered_in_any_case() -> None:
    assert rule_ids("log-fill-3") == ["LOG-FILL-30MIN"]
    assert len(rule_ids("")) > 100
    assert rule_ids("ZZ") == []


def test_topics_are_offered() -> None:
    assert topics("log_f") == ["log_fill"]


@pytest.mark.thorough
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_commands_and_names(shell: str) -> None:
    def offered(words: str, number: int) -> str:
        line = {
            "_MQCAP_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": words,
            "COMP_CWORD": str(number),
            "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        return CliRunner().invoke(app, [], env=line, prog_name="mqcap").output

    assert "tickets" in offered("mqcap tick", 1)
    assert "LOG-FILL-30MIN" in offered("mqcap rules show LOG-FILL", 3)
