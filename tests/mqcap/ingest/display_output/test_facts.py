"""Facts from command output, with the place they were read from."""

from __future__ import annotations

from mqcap.ingest.display_output.facts import Fact


def test_the_source_of_a_fact_is_its_command_with_file_and_line() -> None:
    fact = Fact("CSQ1", "page set 3", "pages", 4_096, "DISPLAY USAGE (CSQI010I)", "usage.txt", 12)
    assert fact.source == "DISPLAY USAGE (CSQI010I), usage.txt line 12"
