"""``mqcap rules``: the rulebook, and which of its rules have data."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_lines, print_table, print_text
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.presentation.listing import terminal
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
from mqcap.store.database import Store
from mqcap.store.findings import (
    day_or_latest,
    latest_site_date,
    read_finding_summaries,
    read_findings,
)
from sizing.verify import verify

app = typer.Typer(no_args_is_help=True, help="List, show and verify the rules of the rulebook.")


@app.command("list")
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


@app.command("show")
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


@app.command("verify")
def verify_rules(
    vectors: Annotated[
        Path, typer.Argument(metavar="VECTORS.json", help="Inputs and expected results.")
    ],
) -> None:
    """Check the rulebook against worked examples; exit with 1 unless all pass."""
    result = verify(read_vectors(vectors))
    print_lines(outcome(result))
    raise typer.Exit(0 if is_clean(result) else 1)


@app.command("coverage")
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
