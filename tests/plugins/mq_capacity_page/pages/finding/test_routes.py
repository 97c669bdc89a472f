"""The page of one finding, and the forms that acknowledge and annotate it."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import latest_site_date, replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.problems import latest_acknowledgements, replace_problems
from tests import factories
from tests.factories import problem_day
from tests.plugins import builder
from tests.plugins.web import Manager, TestClient, text_of

BEFORE = builder.DAY - timedelta(days=14)

PAGE = "/finding?rule=CF-BUSY-1&subject=PLEX1/CF01"


def forecast_before() -> Forecast:
    """Of it the last 14 measured days lie inside the interval from the eleventh on."""
    made = builder.forecast(builder.CF, cutoff_date=BEFORE)
    points = tuple(
        replace(item, site_date=BEFORE + timedelta(days=number), upper=9.0 if number > 10 else 2.0)
        for number, item in enumerate(made.points, 1)
    )
    return made.model_copy(update={"points": points})


def test_a_finding_says_why_its_date_moved(filled: TestClient, context: PageContext) -> None:
    engine = context.engine
    dated = next(item for item in builder.dated() if item.state is CrossingState.will_cross)
    was = {"cutoff_date": BEFORE, "expected_date": builder.DAY + timedelta(days=80)}
    replace_findings(engine, BEFORE, [builder.finding(site_date=BEFORE)])
    replace_crossings(engine, BEFORE, [dated.model_copy(update=was)])
    replace_forecasts(engine, BEFORE, [forecast_before()])
    text = text_of(filled.get(PAGE))
    assert "The date changed: it was 21 Apr 2026 as of 17 Jan 2026: " in text
    assert "after 14 new days" in text


def form(words: str = "false alarm", **more: str) -> dict[str, str]:
    return {"ticket": builder.ticket().dedupe_key, "words": words, **more}


def finding_form(**fields: str) -> dict[str, str]:
    back = {"back_rule": "LOG-FILL-30MIN", "back_subject": "PLEX1/CSQ1", "back_day": "2026-01-31"}
    return {"ticket": "LOG-FILL-30MIN/PLEX1/CSQ1", **back, **fields}


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (form("whatever"), 400),
        (form(ticket="none"), 404),
        (form("acknowledged " + "x" * 9_000), 413),
        ({}, 400),
        (finding_form(kind="accepted_until"), 400),
        (finding_form(kind="accepted_until", until="2026-02-30"), 400),
        (finding_form(kind="nonsense"), 400),
    ],
    ids=["words", "ticket", "length", "nothing", "no-date", "no-such-date", "no-such-kind"],
)
def test_an_answer_that_cannot_be_noted_is_refused(
    person: TestClient, data: dict[str, str], status: int
) -> None:
    assert person.post("/answer", data=data).status_code == status


def test_the_form_offers_all_problems_of_the_resource_and_notes_those_it_listed(
    person: TestClient, context: PageContext
) -> None:
    keys = [f"{rule}/PLEX1/CSQ1" for rule in ("LOG-FILL-30MIN", "LOG-RUNWAY-12H", "REC-FORMULA-A")]
    engine = context.engine
    day = latest_site_date(engine)
    assert day is not None
    replace_problems(engine, day, [problem_day(key, site_date=day) for key in keys])
    page = person.get("/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1").text
    assert "all 2 problems of PLEX1 CSQ1 active logs" in page
    assert "this problem only" in page
    assert f'name="listed" value="{keys[0]}\n{keys[1]}"' in page
    chosen = {"scope": "resource", "listed": "\r\n".join(keys), "kind": "false_alarm"}
    assert person.post("/answer", data={"problem": keys[0], **chosen}).status_code == 303
    assert sorted(latest_acknowledgements(engine, day)) == keys[:2]


FINDING = "finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-01-31"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "acknowledged", "reason": "on it"}, "Acknowledged by anna: on it"),
        (
            {"kind": "accepted_until", "until": "2026-12-31", "reason": "small"},
            "Risk accepted until 31 Dec 2026 by anna",
        ),
        ({"kind": "known_project", "reason": "P1"}, "Known project by anna"),
        ({"kind": "false_alarm"}, "False alarm by anna"),
    ],
    ids=["acknowledged", "accepted", "project", "false-alarm"],
)
def test_a_chosen_answer_is_shown_with_name_and_reason(
    person: TestClient, fields: dict[str, str], words: str
) -> None:
    answer = person.post("/answer", data=finding_form(**fields))
    assert (answer.status_code, answer.headers["location"]) == (303, FINDING)
    assert words in text_of(person.get(f"/{FINDING}"))


def test_a_note_is_kept_once_with_its_days_and_its_writer(person: TestClient) -> None:
    fields = {"subject": "PLEX1/CSQ1", "rule": "LOG-FILL-30MIN", "note": "Batch ran twice",
              "first": "2026-01-20", "last": "2026-01-21"}  # fmt: skip
    for _ in range(2):
        answer = person.post("/annotate", data=finding_form(**fields))
        assert (answer.status_code, answer.headers["location"]) == (303, FINDING)
    text = text_of(person.get(f"/{FINDING}"))
    assert text.count("Batch ran twice") == 1
    assert "anna, about 20 Jan 2026 to 21 Jan 2026" in text


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"note": ""}, 400),
        ({"first": "soon"}, 400),
        ({"last": "2026-01-01"}, 400),
        ({"subject": "NOWHERE"}, 404),
        ({"note": "x" * 2_001}, 413),
    ],
    ids=["words", "date", "order", "subject", "length"],
)
def test_a_note_that_cannot_be_kept_is_refused(
    person: TestClient, changed: dict[str, str], status: int
) -> None:
    fields = {"subject": "PLEX1/CSQ1", "note": "x", "first": "2026-01-20", **changed}
    assert person.post("/annotate", data=fields).status_code == status


def test_a_viewer_sees_which_role_is_needed_and_cannot_write(
    person: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET"}
    shown = person.get(f"/{FINDING}")
    assert "you need a role that may edit the DAG mqcap_daily" in text_of(shown)
    assert '<form class="answer"' not in shown.text
    note = {"subject": "PLEX1/CSQ1", "note": "x", "first": "2026-01-20"}
    assert person.post("/annotate", data=note).status_code == 403


def test_a_finding_shows_its_ticket_and_how_to_take_the_change_pack_along(
    person: TestClient,
) -> None:
    text = text_of(person.get(f"/{FINDING}"))
    assert "MQCAP-7" in text
    pack = person.get(
        "/change-pack?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31&download=true"
    )
    name = 'attachment; filename="change-pack-2026-01-31-LOG-FILL-30MIN-PLEX1-CSQ1.txt"'
    assert pack.headers["content-disposition"] == name


def test_a_finding_that_another_one_supersedes_names_that_and_its_ticket(
    person: TestClient, context: PageContext
) -> None:
    engine = context.engine
    superseded = factories.finding(
        rule_id="LOG-DAY-ACTIVE", site_date=builder.DAY, superseded_by="LOG-FILL-30MIN"
    )
    replace_findings(engine, builder.DAY, [*builder.judged(), superseded])
    text = text_of(person.get("/finding?rule=LOG-DAY-ACTIVE&subject=PLEX1/CSQ1"))
    assert "None of its own: LOG-FILL-30MIN reports the same cause, with ticket MQCAP-7" in text
    assert "it is notified as LOG-FILL-30MIN" in text
    assert "opens one for findings of severity Act" not in text


def test_a_finding_explains_every_figure_and_leads_to_the_chart_and_plan(
    person: TestClient,
) -> None:
    answer = person.get(f"/{FINDING}")
    assert "limit = 4050 MiB / 1800 s = 2.25 MiB/s" in text_of(answer)
    assert "Every figure with its inputs and files" in text_of(answer)
    assert "resource?path=PLEX1%2FCSQ1%2Factive_log&amp;rule=LOG-FILL-30MIN" in answer.text


@pytest.mark.parametrize(
    ("scope", "chosen"), [("", "problem"), ("&scope=resource", "resource"), ("&scope=x", "problem")]
)
def test_the_form_offers_the_problem_first_unless_the_address_names_the_resource(
    person: TestClient, context: PageContext, scope: str, chosen: str
) -> None:
    engine = context.engine
    keys = ("LOG-FILL-30MIN/PLEX1/CSQ1", "LOG-DAY-ACTIVE/PLEX1/CSQ1")
    replace_problems(engine, builder.DAY, [problem_day(key, site_date=builder.DAY) for key in keys])
    page = person.get(f"/{FINDING}{scope}").text
    assert re.findall(r'name="scope" value="(\w+)" checked', page) == [chosen]
