"""The rulebook on the command line: ``mqcap rules`` and questions about findings."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from mqcap.domain.printable import harmless
from mqcap.settings import Settings, load_settings

if TYPE_CHECKING:
    from mqcap.store.database import Store

rules_app = typer.Typer(no_args_is_help=True, help="Look into the rulebook and check it.")
estate_app = typer.Typer(no_args_is_help=True, help="Describe the estate.")
questions_app = typer.Typer()


@estate_app.callback()
def _estate() -> None:
    """Describe the estate."""


Day = Annotated[
    datetime | None,
    typer.Option("--day", formats=["%Y-%m-%d"], help="The day; default: the newest one stored."),
]

out = Console(highlight=False, markup=False, emoji=False)


@rules_app.command("list")
def rules_list(
    topic: Annotated[str | None, typer.Option(help="One topic only, such as log_fill.")] = None,
) -> None:
    """List rules, calculators and advice with their sources."""
    from mqcap.rulebook.describe import listing  # noqa: PLC0415 - imports the whole rulebook

    out.print(listing(topic))


@rules_app.command("show")
def rules_show(identity: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Say all about one entry: inputs and where they come from, limit, source, flags, advice."""
    from mqcap.rulebook.describe import describe  # noqa: PLC0415 - imports the whole rulebook

    out.print(describe(identity), soft_wrap=True)


@rules_app.command("verify")
def rules_verify(vectors: Annotated[Path, typer.Argument(metavar="VECTORS.json")]) -> None:
    """Check the rulebook against worked examples; ends with 1 unless all pass."""
    from mqcap.rulebook.describe import is_clean, outcome, verify_file  # noqa: PLC0415 - as above

    result = verify_file(vectors)
    out.print(outcome(result), soft_wrap=True)
    raise typer.Exit(0 if is_clean(result) else 1)


@questions_app.command("explain")
def explain_finding(
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="Such as LOG-FILL-30MIN; or a ticket's key.")
    ],
    subject: Annotated[str, typer.Argument(metavar="[SUBJECT]", help="Such as PLEX1/CSQ1.")] = "",
    day: Day = None,
) -> None:
    """Show how every figure of a finding was made: inputs, sources, arithmetic, forecast.

    A ticket's key, LOG-FILL-30MIN/PLEX1/CSQ1, names rule and subject in one.
    """
    from mqcap.rulebook.explain import explain  # noqa: PLC0415 - imports the whole rulebook
    from mqcap.store.findings import day_or_latest  # noqa: PLC0415 - as above

    if not subject:
        rule, _, subject = rule.partition("/")
    settings, engine = _opened()
    told = explain(engine, settings, rule, subject, day_or_latest(engine, day))
    out.print(harmless(told), soft_wrap=True)


@questions_app.command("change-pack")
def change_pack_text(
    chosen: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RULE SUBJECT]...", help="Default: all to act on or to watch."),
    ] = None,
    day: Day = None,
) -> None:
    """Write control statements for findings, to be reviewed; nothing is ever executed."""
    from mqcap.change_pack.pack import change_pack, pairs  # noqa: PLC0415 - as above
    from mqcap.store.findings import day_or_latest  # noqa: PLC0415 - as above

    _, engine = _opened()
    text = change_pack(engine, day_or_latest(engine, day), pairs(chosen or []))
    out.print(harmless(text), soft_wrap=True)


@questions_app.command("whatif")
def whatif_scenario(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO.yaml")], day: Day = None
) -> None:
    """Lay a scenario over the day and print what changes: severity, headroom, dates."""
    from mqcap.store.findings import day_or_latest  # noqa: PLC0415 - as above
    from mqcap.whatif.answer import baseline_on  # noqa: PLC0415 - as above
    from mqcap.whatif.scenario import read_scenario  # noqa: PLC0415 - as above
    from mqcap.whatif.terminal import table, words  # noqa: PLC0415 - as above

    asked = read_scenario(scenario)
    settings, engine = _opened()
    answer = baseline_on(settings, engine, day_or_latest(engine, day)).answer(asked)
    out.print(table(answer))
    out.print(harmless(words(answer)), soft_wrap=True)


@estate_app.command("discover")
def estate_discover(
    pasted: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[ANSWERS]...", help="Pasted DISPLAY answers, prints of the BSDS."),
    ] = None,
    qmgr: Annotated[
        str | None, typer.Option(help="Queue manager of answers that name none.")
    ] = None,
    sysplex: Annotated[
        str | None, typer.Option(help="Sysplex of queue managers that nothing places.")
    ] = None,
) -> None:
    """Print an estate section seeded from data and pasted answers, to be completed."""
    from mqcap.estate.discover import Pasted, discover  # noqa: PLC0415 - needs the store

    settings, engine = _opened()
    given = Pasted(tuple(pasted or ()), qmgr, sysplex)
    out.print(discover(settings, engine, given), soft_wrap=True)


def _opened() -> tuple[Settings, Store]:
    from mqcap.store.database import open_store  # noqa: PLC0415 - slow to import

    settings = load_settings()
    return settings, open_store(settings.store.url.get_secret_value())
