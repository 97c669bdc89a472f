"""Commands ``unit-costs`` and ``transports``: what work costs here, and by another transport."""

from datetime import date, datetime
from typing import Annotated

import typer

from mqcap.cli.common import DayOption, print_status, print_table
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store, day_or_newest
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation.transport_text import (
    NO_CHANNELS,
    candidate_listing,
    move_listing,
    move_object,
)
from mqcap.presentation.unit_cost_text import unit_cost_listing, unit_cost_object
from mqcap.progress.shown import work
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.observations import require_observed
from mqcap.store.series import subject_meant
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts

app = typer.Typer()


@app.command("unit-costs")
def unit_costs(
    subject: Annotated[
        str, typer.Argument(metavar="[SUBJECT]", help="PLEX1/CSQ1 and its parts; default: all.")
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print costs that are learnt from the site's own data."""
    settings, engine, last, subject = _asked(subject, day)
    with work("unit costs"):
        costs = UnitCosts(settings, engine, last, subject).below(subject)
    if not costs and day is not None:
        require_observed(engine, last)
    if subject and not costs:
        raise ConfigurationError(
            "no unit cost of such a subject",
            found=subject,
            expected="a queue manager, channel initiator or structure with measured days, or a "
            "distributed queue manager with puts and log; hosts, queues and z/TPF have none",
            remedy="mqcap unit-costs without a subject lists all.",
        )
    if form.is_for_programs:
        print_objects(form, map(unit_cost_object, costs))
        return
    print_table(unit_cost_listing(costs, f"Unit costs learnt up to {last}"))


@app.command()
def transports(
    subject: Annotated[
        str, typer.Argument(metavar="[SYSPLEX]", help="PLEX1, or PLEX1/CSQ1; default: all.")
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print which channels could use SMC, IGQ or shared queues."""
    settings, engine, last, subject = _asked(subject, day)
    data = LearningData(settings, engine, last)
    with work("transports of channels"):
        moves = channel_moves(data, subject)
    if not moves and day is not None:
        require_observed(engine, last)
    if subject and not moves:
        every = {move.traffic.sysplex for move in channel_moves(data)}
        raise ConfigurationError(
            f"{subject} has no channel between two queue managers of one sysplex with measured "
            "messages",
            found=f"such channels of {', '.join(sorted(every))}" if every else "none anywhere",
            remedy="Where two queue managers of a sysplex have channels to each other, START "
            "TRACE(ACCTG) CLASS(4) and STATCHL above OFF show them.",
        )
    if form.is_for_programs:
        print_objects(form, map(move_object, moves))
        return
    if not moves:
        print_status(NO_CHANNELS)
        return
    days = settings.transports.days
    print_table(move_listing(moves, f"Channels by transport, {days} days up to {last}"))
    print_table(candidate_listing(moves))


def _asked(subject: str, day: datetime | None) -> tuple[Settings, Store, date, str]:
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    return settings, engine, last, subject_meant(engine, subject) if subject else ""
