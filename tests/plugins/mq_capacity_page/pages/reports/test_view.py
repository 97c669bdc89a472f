"""Reports and mails of a day, and the accuracy of past forecasts."""

from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from mq_capacity_page.pages.reports.management import management_view
from mq_capacity_page.pages.reports.view import (
    LEAST_CASES,
    TOO_FEW,
    accuracy_view,
    mail_preview,
    verdict,
)
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.domain.crossing import CrossingState
from mqcap.domain.errors import ServiceUnavailable
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import ForecastBasis
from mqcap.presentation.ledger_text import dates_text, outcome_text, probabilities_text
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.settings import Settings, load_settings
from mqcap.settings.analysis import PlanPrices
from mqcap.steps.runner import reports
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from mqcap.store.scores import save_scores
from mqcap.store.step_runs import save_step_run
from tests.factories import NOON, console_state, crossing, crossing_score, step_run
from tests.plan_factories import with_base
from tests.plugins import builder, scores
from tests.plugins.web import TestClient, text_of


@pytest.fixture
def scored(context: PageContext, tmp_path: Path) -> PageContext:
    scores.fill(tmp_path)
    return context


@pytest.mark.parametrize(
    ("coverage", "days", "words"),
    [
        (0.0, LEAST_CASES - 1, TOO_FEW),
        (0.0, LEAST_CASES, "too narrow"),
        (0.74, LEAST_CASES + 1, "too narrow"),
        (0.76, LEAST_CASES, "as stated"),
        (0.8, LEAST_CASES, "as stated"),
        (0.84, LEAST_CASES, "as stated"),
        (0.9, LEAST_CASES, "too wide"),
        (1.0, LEAST_CASES, "too wide"),
    ],
)
def test_an_interval_within_five_points_of_its_coverage_is_as_stated_unless_days_are_few(
    scored: PageContext, coverage: float, days: int, words: str
) -> None:
    score, _ = accuracy_view(scored, builder.DAY, 90).metrics
    changed = {"coverage_ratio": coverage, "scored_days": days}
    assert verdict(score.model_copy(update=changed)) == words


def test_scores_of_days_that_were_evaluated_later_stand_apart(scored: PageContext) -> None:
    assert {score.basis for score in accuracy_view(scored, builder.DAY, 90).metrics} == {
        ForecastBasis.live
    }
    for back in range(91):
        ended = NOON.replace(year=builder.DAY.year + 1) - timedelta(minutes=back)
        day = builder.DAY - timedelta(days=back)
        save_step_run(scored.engine, step_run(step="size", site_date=day, ended_at_utc=ended))
    view = accuracy_view(scored, builder.DAY, 90)
    assert {score.basis for score in view.metrics} == {ForecastBasis.hold_out}
    assert len(view.metrics) == 2


def test_probabilities_of_rolling_origins_stand_apart(scored: PageContext) -> None:
    cutoff = builder.DAY - timedelta(days=31)
    held_out = crossing_score("PLEX1/CSQ9", cutoff_date=cutoff, basis=ForecastBasis.hold_out)
    save_scores(scored.engine, (), [held_out])
    view = accuracy_view(scored, builder.DAY, 90)
    [(horizon, of_basis)] = view.horizons
    assert (horizon, [basis for basis, _ in of_basis]) == (30, ["live", "hold-out"])


@pytest.mark.parametrize(("back", "days"), [(0, 10), (10, 90)], ids=["window", "earlier-day"])
def test_older_forecasts_and_later_scores_are_left_out(
    scored: PageContext, back: int, days: int
) -> None:
    view = accuracy_view(scored, builder.DAY - timedelta(days=back), days)
    assert (view.metrics, view.horizons) == ([], [])


def test_what_the_console_reported_in_the_window_is_in_the_ledger(context: PageContext) -> None:
    day = builder.DAY - timedelta(days=30)
    replace_states(context.engine, [], [console_state(site_date=day, last_date=day)])
    assert len(accuracy_view(context, builder.DAY, 30).ledger.events) == 1
    assert accuracy_view(context, builder.DAY, 29).ledger.events == ()


def test_a_due_forecast_is_listed_with_its_outcome(context: PageContext) -> None:
    stated_on = builder.DAY - timedelta(days=60)
    made = crossing(cutoff_date=stated_on, expected_date=builder.DAY - timedelta(days=15))
    replace_crossings(context.engine, stated_on, [made])
    [due] = accuracy_view(context, builder.DAY, 90).ledger.forecasts
    assert due.rule_id == made.rule_id
    measured = f"measured over its limit on {stated_on + timedelta(days=1)}"
    assert outcome_text(due) == f"{measured}; came 44 days earlier"
    never = made.model_copy(update={"limit_value": 1e9})
    replace_crossings(context.engine, stated_on, [never])
    [due] = accuracy_view(context, builder.DAY, 90).ledger.forecasts
    assert outcome_text(due) == f"did not come by {builder.DAY - timedelta(days=1)}"


def test_rules_of_which_nothing_was_due_or_likely_are_left_out(scored: PageContext) -> None:
    cutoff = builder.DAY - timedelta(days=31)
    quiet = crossing_score(rule_id="X", cutoff_date=cutoff, probability=0.0, came=False)
    save_scores(scored.engine, (), [quiet])
    [record] = accuracy_view(scored, builder.DAY, 90).limits
    assert (record.rule_id, dates_text(record)) == ("LOG-FILL-30MIN", "no date was due")
    assert probabilities_text(record) == "1 probability of 70 % on average, 100 % came true"


def priced(context: PageContext, currency: str = "EUR") -> PageContext:
    plan = context.settings.plan.model_copy(update={"prices": PlanPrices(currency=currency)})
    return context._replace(settings=context.settings.model_copy(update={"plan": plan}))


def test_money_is_the_sum_of_what_has_a_price_and_says_what_has_none(context: PageContext) -> None:
    first, *others = builder.plans()
    cost = first.base.cost.model_copy(update={"money": 1_500.0, "currency": "EUR"})
    made = [with_base(first, cost=cost), *others]
    replace_plans(context.engine, builder.DAY, made)
    view = management_view(priced(context), builder.DAY)
    assert [site.money for site in view.sites[:2]] == [
        "1,500 EUR and 1 without a price",
        "1 without a price",
    ]


def test_after_what_is_decided_stand_limits_passed_later_and_changes_that_are_used_up(
    context: PageContext,
) -> None:
    later = builder.crossing(
        rule_id="PS-SAMPLED-90", subject="PLEX1/CSQ1/PS01", state=CrossingState.will_cross,
        breached_since=None, expected_date=date(2026, 11, 20),
    )  # fmt: skip
    far = later.model_copy(update={"subject": "PLEX1/CSQ1/PS02", "expected_date": date(2027, 9, 1)})
    replace_crossings(context.engine, builder.DAY, [*builder.dated(), later, far])
    ahead = management_view(context, builder.DAY).ahead
    shown = [(f"{month:%b %Y}", [each.name for each in of.passes]) for month, of in ahead.items()]
    assert shown == [("Aug 2026", []), ("Nov 2026", ["CSQ1 page set PS01"])]
    assert [end.name for end in ahead[date(2026, 8, 1)].ends] == [
        "CSQ1 active logs",
        "TST1 active logs",
    ]


def test_what_was_used_up_in_a_month_and_what_is_new_since_then_is_named(
    context: PageContext,
) -> None:
    assert management_view(context, builder.DAY).month_ago is None
    ago = builder.DAY - timedelta(days=30)
    calm = {"site_date": ago, "severity": Severity.ok, "breach": False, "headroom_ratio": 0.4}
    was = [each.model_copy(update=calm) for each in builder.judged()[:3]]
    replace_findings(context.engine, ago, was)
    found = management_view(context, builder.DAY)
    assert found.month_ago == ago
    [first, *_] = found.movers
    assert (first.name, first.then, first.now) == ("PLEX1 CSQ1 active logs", "60 %", "111 %")
    assert "PLEX1/CSQ1/active_log" in [each.path for each in found.added]
    assert found.gone == []


DAY = builder.DAY.isoformat()


@pytest.fixture
def settings(site_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("MQCAP_REPORTS__FOLDER", str(site_folder / "reports"))
    return load_settings()


@pytest.mark.parametrize("kind", ReportKind)
def test_a_report_has_the_figure_and_the_limit_of_a_row(
    filled: TestClient, kind: ReportKind
) -> None:
    text = text_of(filled.get(f"/report?kind={kind}&day={DAY}"))
    assert "9,000 of 8,100 MB/hour" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_step_writes_what_is_due_and_waits_for_a_day_that_is_not_judged(
    settings: Settings, filled: TestClient
) -> None:
    written = [Path(report) for report in reports(settings, builder.DAY)]
    for file in written:
        kind, form = file.stem.split("-")[1], file.suffix[1:]
        page = filled.get(f"/report?kind={kind}&day={DAY}&form={form}")
        assert page.content == file.read_bytes(), file.name
    names = [file.name for file in written]
    assert names == [f"mqcap-{kind}-{DAY}.{form}" for kind in ("daily", "monthly")
                     for form in ReportFormat]  # fmt: skip
    with pytest.raises(ServiceUnavailable):
        reports(settings, date(2026, 3, 1))


def test_a_report_from_the_page_is_a_sealed_page_or_a_download(filled: TestClient) -> None:
    shown = filled.get(f"/report?kind=daily&day={DAY}")
    assert shown.headers["content-security-policy"] == SEALED_POLICY
    taken = filled.get(f"/report?kind=daily&day={DAY}&form=xlsx")
    assert taken.headers["content-disposition"].startswith("attachment; filename=")


def test_a_day_without_findings_has_no_report(filled: TestClient) -> None:
    assert filled.get("/report?kind=daily&day=2026-03-01").status_code == 404


def message(html: str | None = None) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Two things"
    mail.set_content("Two things, plain")
    if html is not None:
        mail.add_alternative(html, subtype="html")
    return mail


def test_a_message_has_its_plain_and_its_html_part() -> None:
    shown = mail_preview(message("<h1>Two things</h1>").as_string())
    assert shown.text.strip() == "Two things, plain"
    assert shown.html is not None
    assert shown.html.strip() == "<h1>Two things</h1>"


@pytest.mark.parametrize(
    ("content", "text", "html"),
    [
        ("One thing needs action.", "One thing needs action.", None),
        (message().as_string(), "Two things, plain\n", None),
        ("  <p>One</p>", "", "  <p>One</p>"),
        ("", "", None),
    ],
    ids=["text", "message", "html", "empty"],
)
def test_content_without_an_html_part_is_text_or_html_itself(
    content: str, text: str, html: str | None
) -> None:
    shown = mail_preview(content)
    assert (shown.text, shown.html) == (text, html)


def test_attached_pictures_are_embedded_in_the_html() -> None:
    mail = message('<img src="cid:chart1"><img src="cid:other">')
    rich = mail.get_body(("html",))
    assert rich is not None
    rich.add_related(b"\x89PNG", "image", "png", cid="<chart1>")
    html = mail_preview(mail.as_string()).html
    assert html is not None
    assert "data:image/png;base64,iVBORw==" in html
    assert "cid:chart1" not in html
    assert "cid:other" in html
