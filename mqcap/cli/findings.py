"""Commands about findings, figures and rules."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.change_pack.pack import change_pack as pack
from mqcap.change_pack.pack import pairs
from mqcap.cli.common import (
    DayOption,
    ResultFormat,
    print_json,
    print_lines,
    print_table,
    print_text,
)
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store
from mqcap.domain.attribution import PartKind
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind, split_series_id
from mqcap.domain.names.short_names import names_meant, near_names
from mqcap.judging.log_names import console_log_names
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.losses.cells import carried
from mqcap.presentation.attribution_text import Asked, attribution_lines
from mqcap.presentation.labels import use_metric_labels
from mqcap.presentation.listing import terminal
from mqcap.progress.shown import tracked, work
from mqcap.queries import why as growth_parts
from mqcap.rulebook.coverage import coverage, coverage_table, rules_of_typed_figures
from mqcap.rulebook.describe import (
    describe,
    is_clean,
    items,
    lines,
    outcome,
    read_vectors,
    rule_ids,
    topics,
)
from mqcap.rulebook.explain import explain as explained
from mqcap.store.database import Store
from mqcap.store.findings import (
    day_or_latest,
    findings_about,
    latest_site_date,
    read_finding_summaries,
    read_findings,
)
from mqcap.store.tickets import read_tickets, tickets_named
from mqcap.unit_costs.channel_cost import STORAGE, ChannelCost, cost_of_channels
from mqcap.whatif.comparison import as_document, baseline_on
from mqcap.whatif.scenario import read_scenario
from mqcap.whatif.terminal import table, words
from sizing.rulebook.registry import all_rules
from sizing.verify import verify

app = typer.Typer()


@app.command()
def explain(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE|TICKET",
            help="A rule such as LOG-FILL-30MIN, or the reference or key of a ticket.",
            autocompletion=rule_ids,
        ),
    ],
    subject: Annotated[
        str, typer.Argument(metavar="[SUBJECT]", help="PLEX1/CSQ1, or CSQ1 where only one ends so.")
    ] = "",
    day: DayOption = None,
) -> None:
    """Show how every figure of a finding was derived.

    A ticket key, LOG-FILL-30MIN/PLEX1/CSQ1, names rule and subject in one argument; with the
    reference of a ticket, such as MQCAP-7, each of its problems that has a finding is explained.
    """
    settings, engine = configured_store()
    site_date = day_or_latest(engine, day)
    meant = _findings_meant(engine, rule, subject, site_date)
    texts = [
        explained(engine, settings, *pair, site_date)
        for pair in tracked(meant, "explain", "findings")
    ]
    print_lines("\n\n".join(texts))


def _findings_meant(
    engine: Store, rule_or_ticket: str, subject: str, day: date
) -> list[tuple[str, str]]:
    """Return rule and subject of each finding that is meant; of a ticket only those of the day."""
    if subject:
        return [(rule_or_ticket, subject)]
    named = tickets_named(engine, rule_or_ticket)
    rule_id, rest = split_series_id(rule_or_ticket)
    if not named and (rest or names_meant(rule_id, all_rules())):
        return [(rule_id, rest)]
    keys = [key for ticket in named for key in ticket.problem_keys]
    if not keys:
        known = [*all_rules(), *(ticket.external_ref or "" for ticket in read_tickets(engine))]
        raise ConfigurationError(
            "neither a rule nor a ticket",
            found=rule_id,
            expected=" or ".join(near_names(rule_id, known))
            or "RULE SUBJECT, or the reference or key of a ticket",
            remedy="`mqcap report` and `mqcap tickets list` print them.",
        )
    pairs: list[tuple[str, str]] = [*map(split_series_id, dict.fromkeys(keys))]
    found = findings_about(engine, day, {subject for _, subject in pairs})
    of_day = {(finding.rule_id, finding.subject) for finding in found}
    return [pair for pair in pairs if pair in of_day] or pairs[:1]


@app.command("change-pack")
def change_pack(
    chosen: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULE SUBJECT]...",
            help="The plans of the resources of these findings; default: all plans of the day.",
        ),
    ] = None,
    day: DayOption = None,
    recommended: Annotated[
        bool, typer.Option("--recommended", help="With what is recommended beyond the limits.")
    ] = False,
) -> None:
    """Write control statements for the plans of a day, for review."""
    settings, engine = configured_store()
    site_date = day_or_latest(engine, day)
    wanted = pairs(chosen or [])
    estate = settings.complete_estate()
    with work("write statements"):
        names = console_log_names(settings, site_date)
        text = pack(engine, estate, site_date, wanted, recommended=recommended, log_names=names)
    print_text(text)


@app.command("whatif")
def what_if(
    scenario: Annotated[
        Path, typer.Argument(metavar="SCENARIO.yaml", help="File with the changes of the scenario.")
    ],
    day: DayOption = None,
    form: Annotated[
        ResultFormat,
        typer.Option("--format", help="json: differences, and what is still Watch or Act."),
    ] = ResultFormat.text,
) -> None:
    """Evaluate a day again under a what-if scenario."""
    read = read_scenario(scenario)
    settings, engine = configured_store()
    with work("what-if"):
        answer = baseline_on(settings, engine, day_or_latest(engine, day)).compare(read)
        every = carried(answer)
    if form is ResultFormat.json:
        print_json(as_document(answer, every))
        return
    print_table(table(answer, every))
    print_text("")
    print_lines(words(answer, every))


@app.command()
def why(
    metric: Annotated[str, typer.Argument(help="A metric such as log_growth_mib_per_s.")],
    subject: Annotated[str, typer.Argument(help="Its subject, such as PLEX1/CSQ1.")],
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", formats=["%Y-%m-%d"], help="First day; default: 1st of the month before."
        ),
    ] = None,
    day: DayOption = None,
    by: Annotated[
        PartKind | None,
        typer.Option(
            "--by", help="Kind of the parts; default: the kind that explains most of the figure."
        ),
    ] = None,
    output_format: Annotated[
        ResultFormat,
        typer.Option("--format", help="json: the parts, their values then and now, their share."),
    ] = ResultFormat.text,
) -> None:
    """Show why a figure grew, by queue, application or channel.

    Exits with 1 where no records hold parts of it at both ends of the span.
    """
    settings = site_settings()
    lake = open_lake(settings.lake)
    with work("find the parts of the growth"):
        growth = growth_parts.growth_of_series(
            lake,
            metric,
            subject,
            since=since.date() if since else None,
            last=day.date() if day else None,
            settings=settings.attribution,
            breakdown=by,
            cost_of=_cost_of,
        )
    if output_format is ResultFormat.json:
        print_json(growth_parts.as_document(growth))
        return
    use_metric_labels(metric_catalogue(lake))
    asked = Asked(metric, since.date() if since else None)
    series = (growth.metric, growth.subject, growth.unit)
    lines = attribution_lines(growth.attribution, *series, asked, growth.each)
    print_lines("\n".join(lines))


def _cost_of(metric: str, subject: str, day: date) -> ChannelCost | None:
    """Return the cost of a channel as ``unit-costs`` prints it up to that day.

    The store is only opened where parts are channels.
    """
    if metric not in STORAGE:
        return None
    settings, engine = configured_store()
    newest = latest_site_date(engine) or day
    return cost_of_channels(settings, engine)(metric, subject, min(day, newest))


rules = typer.Typer(no_args_is_help=True, help="List, show and verify the rules of the rulebook.")


@rules.command("list")
def list_rules(
    topic: Annotated[
        str | None, typer.Option(help="Only this topic, such as log_fill.", autocompletion=topics)
    ] = None,
    kind: Annotated[
        SubjectKind | None, typer.Option(help="Only rules for this kind of subject.")
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Only rules with a finding on the newest day.")
    ] = False,
    form: FormatOption = ListForm.table,
) -> None:
    """List rules, calculators and advice with their sources."""
    live_rules = None
    if live:
        _, engine = configured_store()
        live_rules = {rule for rule, _ in _severities(engine, day_or_latest(engine, None))}
    listed = items(topic, kind, live_rules)
    if form.is_for_programs:
        print_objects(form, (item._asdict() for item in listed))
        return
    print_text("\n".join(lines(listed, terminal().width)))


@rules.command("show")
def show_rule(
    identity: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="A rule, calculator or advice: LOG-FILL-30MIN.",
            autocompletion=rule_ids,
        ),
    ],
) -> None:
    """Show one entry: inputs and their sources, limit, citation, misprints, advice."""
    print_lines(describe(identity))


@rules.command("verify")
def verify_rules(
    vectors: Annotated[
        Path, typer.Argument(metavar="VECTORS.json", help="Inputs and expected results.")
    ],
) -> None:
    """Check the rulebook against worked examples; exit with 1 unless all pass."""
    result = verify(read_vectors(vectors))
    print_lines(outcome(result))
    raise typer.Exit(0 if is_clean(result) else 1)


@rules.command("coverage")
def cover_rules(form: FormatOption = ListForm.table) -> None:
    """Show which time-series rules are dated, measured or typed, and which had data.

    Below the table: each rule that rests on typed figures, why, and the input that makes it live.
    Of a store without observations none had data.
    """
    _, engine = configured_store(may_be_new=True)
    day = latest_site_date(engine)
    findings = [] if day is None else read_findings(engine, day)
    severities = [] if day is None else _severities(engine, day)
    covered = coverage(severities, rules_of_typed_figures(findings))
    if form.is_for_programs:
        print_objects(form, (rule._asdict() for rule in covered))
        return
    print_table(coverage_table(covered))


def _severities(engine: Store, day: date) -> list[tuple[str, Severity]]:
    found = read_finding_summaries(engine, day)
    return [(rule, summary.severity) for (rule, _), summary in found.items()]
