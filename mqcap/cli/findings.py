"""Commands about findings: ``explain``, ``change-pack`` and ``whatif``."""

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
from mqcap.cli.shared.completion import rule_ids
from mqcap.cli.site_store import configured_store
from mqcap.judging.log_names import console_log_names
from mqcap.losses.cells import carried
from mqcap.progress.shown import tracked, work
from mqcap.rulebook.explain import explain as explained
from mqcap.rulebook.explain import findings_meant
from mqcap.store.findings import day_or_latest
from mqcap.whatif.as_document import as_document
from mqcap.whatif.comparison import baseline_on
from mqcap.whatif.scenario import read_scenario
from mqcap.whatif.terminal import table, words

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
        str,
        typer.Argument(metavar="[SUBJECT]", help="PLEX1/CSQ1, or CSQ1 where only one ends so."),
    ] = "",
    day: DayOption = None,
) -> None:
    """Show how every figure of a finding was derived.

    A ticket key, LOG-FILL-30MIN/PLEX1/CSQ1, names rule and subject in one argument; with the
    reference of a ticket, such as MQCAP-7, each of its problems that has a finding is explained.
    """
    settings, engine = configured_store()
    site_date = day_or_latest(engine, day)
    meant = findings_meant(engine, rule, subject, site_date)
    texts = [
        explained(engine, settings, *pair, site_date)
        for pair in tracked(meant, "explain", "findings")
    ]
    print_lines("\n\n".join(texts))


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
