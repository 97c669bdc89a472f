"""Skips, opens and requests of opens to the CF, from rows of class 3 accounting."""

from __future__ import annotations

from datetime import timedelta

from spark_apps.metrics.accounting import task_requests
from tests.spark_apps.rows import START, between, levels, sections

CSQ1 = "PLEX1/CSQ1"
WORDS = 5 * 20 * 5
"""Numbers of MQCFREQ: verbs, types of requests, figures of each."""


def requests(**words: int) -> str:
    """MQCFREQ as hex; words by ``verb_type_place``."""
    numbers = [0] * WORDS
    for name, number in words.items():
        verb, kind, place = (int(part) for part in name.lstrip("w").split("_"))
        numbers[(verb * 20 + kind) * 5 + place] = number
    return "".join(f"{number:08X}" for number in numbers)


def test_skips_are_divided_by_all_gets_of_all_tasks() -> None:
    rows = [
        {"getn": 10, "getsmsg": 500},
        {"getn": 30, "getsmsg": 0},
        {"basename": "A", "getn": 0, "getsmsg": 0},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {("skips_per_get", CSQ1): [12.5]}


def test_opens_of_shared_queues_go_to_the_cf_unless_they_are_counted_as_without() -> None:
    rows = [
        {"cfstrucname": "APPL1", "openn": 30, "opencf0": 20},
        {"cfstrucname": "APPL2", "openn": 10, "opencf0": 10},
        {"cfstrucname": " ", "openn": 999},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {("opens_at_cf_pct", CSQ1): [25]}


def test_requests_of_opens_beyond_those_asked_for_are_retries_of_all_sent() -> None:
    sent = requests(w0_0_0=60, w0_0_1=70, w0_13_0=20, w0_13_3=30, w1_0_1=999, w0_0_2=888)
    rows = [
        {"cfstrucname": "APPL1", "mqcfreq": sent},
        {"cfstrucname": " ", "mqcfreq": requests(w0_0_1=5)},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("cf_open_retries_pct", CSQ1): [20.0]
    }


def test_a_count_above_what_was_sent_is_no_retry() -> None:
    rows = [{"cfstrucname": "APPL1", "mqcfreq": requests(w0_5_0=9, w0_5_1=8)}]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("cf_open_retries_pct", CSQ1): [0.0]
    }


def test_a_task_of_two_hours_has_half_of_its_gets_in_each() -> None:
    both = between(START, START + timedelta(hours=2))
    rows = [{"getn": 20, "getsmsg": 20, **both}, {"getn": 10, "getsmsg": 0}]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("skips_per_get", CSQ1): [0.5, 1.0]
    }
