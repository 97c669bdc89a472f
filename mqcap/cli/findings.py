"""Commands about findings: ``explain``, ``change-pack`` and ``whatif``."""

from datetime import date
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
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import split_series_id
from mqcap.domain.names.short_names import names_meant, near_names
from mqcap.judging.log_names import console_log_names
from mqcap.losses.cells import carried
from mqcap.progress.shown import tracked, work
from mqcap.rulebook.describe import rule_ids
from mqcap.rulebook.explain import explain as explained
from mqcap.store.database import Store
from mqcap.store.findings import day_or_latest, findings_about
from mqcap.store.tickets import read_tickets, tickets_named
from mqcap.whatif.as_document import as_document
from mqcap.whatif.comparison import baseline_on
from mqcap.whatif.scenario import read_scenario
from mqcap.whatif.terminal import table, words
from sizing.rulebook.registry import all_rules

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
        known = [*all_rules(), *(each.external_ref or "" for each in read_tickets(engine))]
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
