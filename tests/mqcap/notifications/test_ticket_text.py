"""Text of tickets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mqcap.domain.finding import Severity
from mqcap.notifications.ticket_text import ticket_of
from mqcap.settings import AlertSettings
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, problem

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_a_ticket_has_everything_needed_to_act() -> None:
    over = finding()
    made = ticket_of([problem(over, breached(over))], "http://page")
    assert made.dedupe_key == KEY
    assert made.due_date == DAY
    for words in (
        over.summary,
        "Observed: Log growth 4,320 MB/hour (1.2 MiB/s), peak of 2026-02-27",
        "Limit: 2,001.6 MB/hour (0.556 MiB/s)",
        "over the limit since 2026-01-30",
        "Kind: measured, new",
        "7 consecutive complete days in order",
        "LOG-FILL-30MIN, MP16",
        "1,000 MiB / 1,800 s",
        "Type: CYL(3073)",
        "Log compression is not considered.",
        "http://page/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&day=2026-03-02",
        "http://page/explain?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-03-02",
    ):
        assert words in made.body


def test_a_ticket_names_the_hour_of_the_peak_and_the_owner_of_the_change() -> None:
    over = problem(finding(), breached(finding()))
    hour = datetime(2026, 2, 27, 14, tzinfo=UTC)
    measured = over.model_copy(
        update={"status": over.status.model_copy(update={"peak_hour_utc": hour})}
    )
    owners = {"PLEX1": "Sysplex team", "PLEX1/CSQ1": "Payments"}
    text = ticket_of([measured], alerts=AlertSettings(owners=owners)).body
    assert "peak of 2026-02-27, in the hour from 2026-02-27 14:00 UTC" in text
    assert "Owner: Payments" in text
    facility = ticket_of([problem(cf_finding())], alerts=AlertSettings(owners=owners)).body
    assert "Owner: Sysplex team" in facility
    assert "Owner" not in ticket_of([measured]).body


def test_a_ticket_is_due_its_lead_time_before_the_earliest_crossing() -> None:
    soon = cf_finding(severity=Severity.act)
    made = ticket_of([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(31 - 14)
    assert "expected 2026-04-29, earliest 2026-04-02, latest 2026-06-29" in made.body
    assert (
        "Change by: 2026-03-19 (earliest crossing 2026-04-02 less 14 days of lead time)"
        in made.body
    )
    assert "Probability: 10 % within 30 days" in made.body


def test_a_ticket_of_one_cause_names_all_its_members() -> None:
    lead, other = problem(finding()), problem(finding("PLEX1/CSQ2"))
    made = ticket_of([lead, other])
    assert made.members == (lead.key, other.key)
    assert made.title.endswith("and 1 more of the same hour")
    assert f"Also {other.key}: " in made.body
