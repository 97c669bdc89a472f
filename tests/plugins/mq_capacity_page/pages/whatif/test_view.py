"""The what-if page as a model."""

import pytest

from mq_capacity_page.pages.whatif.view import WhatifRequest, subject_kinds, whatif_view
from mq_capacity_page.web.context import PageContext
from mqcap.whatif import comparison
from tests.plugins import builder

SUBJECT = "PLEX1/CSQ1"


def request(series: str = "", start: str = "", **fields: str) -> WhatifRequest:
    return WhatifRequest(SUBJECT, builder.DAY, start, series, fields)


def test_without_a_subject_the_form_offers_all_by_kind(context: PageContext) -> None:
    view = whatif_view(context, WhatifRequest("", builder.DAY, "", "", {}))
    assert view.subjects == {
        "coupling_facility": ["PLEX1/CF01", "PLEX1/CF01/QSG1APPL1"],
        "queue_manager": ["PLEX1/CSQ1", "PLEX2/TST1"],
    }
    assert (view.groups, view.link, view.is_empty) == ([], {}, True)


def test_an_empty_form_changes_nothing_and_evaluates_no_rule(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(comparison, "judge_facts")
    view = whatif_view(context, request())
    assert view.is_empty
    assert list(view.lines) == []
    assert view.unchanged == len(builder.judged())
    assert view.problem == ""
    assert {field.name for group in view.groups for field in group.fields} >= {"growth", "logs"}


def test_the_link_holds_only_fields_of_the_form(context: PageContext) -> None:
    view = whatif_view(context, request(start="2026-02-15", growth="10", nonsense="1", logs=" "))
    assert view.link == {
        "subject": SUBJECT,
        "day": "2026-01-31",
        "growth": "10",
        "start": "2026-02-15",
    }
    assert "pct: 10.0" in view.yaml


def test_the_chosen_series_is_drawn_first(context: PageContext) -> None:
    view = whatif_view(context, request(builder.LOG, growth="10"))
    assert view.series[0] == builder.LOG
    assert builder.QUIET not in view.series


NASTY = (
    "[", "{", "*x", "&a", "!!python/object:os", "2026-13-45", "1" * 5000, "9" * 400, "9" * 300,
    "1e999", "nan",
    "-1", "0", "\u0663", "-", "..", ":", "'", '"', "%", "\x07", "PLEX1/CSQ1 maxarch=[",
    "PLEX1/CSQ1 maxarch=nan", "PLEX1/CSQ1 maxarch=1e999", "PLEX1/CSQ1 subject=1", "; ;", "= =",
    "PLEX1/CSQ1 active_logs=" + "9" * 400, "PLEX1/CSQ1 maxarch={a: 1}", "PLEX1 start=2026-01-01",
)  # fmt: skip
"""Values that no field takes, or that a parser takes for something else."""


@pytest.mark.thorough
def test_whatever_a_field_holds_the_answer_is_a_result_or_one_sentence(
    context: PageContext,
) -> None:
    failed = []
    for subject in subject_kinds(context):
        form = whatif_view(context, WhatifRequest(subject, builder.DAY, "", "", {}))
        names = [field.name for group in form.groups for field in group.fields]
        for name, value in ((name, value) for name in names for value in NASTY):
            given = WhatifRequest(subject, builder.DAY, "", "", {name: value})
            try:
                view = whatif_view(context, given)
            except Exception as error:  # noqa: BLE001 - any is a failure of this test
                failed.append(f"{subject} {name}={value[:30]}: {error!r:.80}")
            else:
                assert "\n" not in view.problem
    assert not failed, failed
