"""``mqcap rules``: the rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import out, print_text

app = typer.Typer(no_args_is_help=True, help="List, show and verify the rules of the rulebook.")


@app.command("list")
def list_rules(
    topic: Annotated[str | None, typer.Option(help="Only this topic, such as log_fill.")] = None,
) -> None:
    """List rules, calculators and advice with their sources."""
    from mqcap.rulebook.describe import listing  # noqa: PLC0415 - imports all rules

    out.print(listing(topic), markup=False)


@app.command("show")
def show_rule(
    identity: Annotated[
        str, typer.Argument(metavar="ID", help="A rule, calculator or advice: LOG-FILL-30MIN.")
    ],
) -> None:
    """Show one entry: inputs and their sources, limit, citation, misprints, advice."""
    from mqcap.rulebook.describe import describe  # noqa: PLC0415 - imports all rules

    print_text(describe(identity))


@app.command("verify")
def verify_rules(
    vectors: Annotated[
        Path, typer.Argument(metavar="VECTORS.json", help="Inputs and expected results.")
    ],
) -> None:
    """Check the rulebook against worked examples; exit with 1 unless all pass."""
    from mqcap.rulebook.describe import is_clean, outcome, verify_file  # noqa: PLC0415 - as above

    result = verify_file(vectors)
    print_text(outcome(result))
    raise typer.Exit(0 if is_clean(result) else 1)
