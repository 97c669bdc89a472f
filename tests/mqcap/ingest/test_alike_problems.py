"""What many places of a file have in common is said once."""

from __future__ import annotations

from mqcap.ingest.alike_problems import KINDS_NAMED, AlikeProblems


def test_problems_that_differ_in_numbers_alone_are_the_first_one_with_a_count() -> None:
    problems = AlikeProblems()
    for number in range(3):
        problems.add(f"{number} bytes lost", f"record {number}: {number} bytes lost.".strip)
    problems.add("no date", "record 9: no date.".strip)
    assert list(problems.sentences()) == [
        "record 0: 0 bytes lost. 2 more like it.",
        "record 9: no date.",
    ]


def test_no_more_kinds_are_named_than_one_reads_and_the_others_are_counted() -> None:
    problems = AlikeProblems()
    for number in range(KINDS_NAMED + 5):
        word = "x" * number
        problems.add(word, f"{word}.".strip)
    assert len(list(problems.sentences())) == KINDS_NAMED + 1
    assert list(problems.sentences())[-1] == "5 more problems of other kinds."
    assert problems.count == KINDS_NAMED + 5
