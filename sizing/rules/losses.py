"""Limits of the survivors when a coupling facility or a member of a group is lost (N-1).

The figures are computed for the survivor that decides, with the load of what is lost; the limits
are those of the survivor's own rules. That they must hold after a loss is ours.
"""

from functools import partial
from typing import Annotated, Final

from mqcap.domain.finding import Citation, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import quantity
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Amount
from sizing.rulebook.assessment import Assessment, Falling, Inputs, Reaching
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromLoss
from sizing.rulebook.registry import rule
from sizing.sources import mp16

ENGINES: Final = mp16("When do I need to add more engines to my Coupling Facility?")
LOG_SIZE: Final = mp16("How large should the active logs be?")
RUNWAY: Final = Citation(
    document="IBM Messaging blog, 27 April 2017",
    section="Does your z/OS queue manager have enough active log space? And how to fix it",
)
CHANNELS: Final = mp16("What limits the maximum number of channels?")
STORAGE: Final = mp16("Rule of Thumb for channel initiator storage usage")
RECOVERY: Final = mp16("Achieving specific recovery targets")
STRUCTURES: Final = mp16("Backup frequency example calculation")
PREFLIST: Final = Citation(
    document="z/OS MVS Setting Up a Sysplex", section="Coupling facility preference lists"
)
OURS: Final = (
    "That the limit must hold after a loss is ours; the same limit without a loss is another rule.",
    "The survivor that decides is named; `mqcap lose` has all of them.",
)


class SurvivorFigures(Inputs):
    """The figure of the survivor that decides, and its limit."""

    with_load: Annotated[Amount, FromLoss("the figure with the load of what is lost")]
    limit: Annotated[Amount, FromLoss("the limit of the survivor")]
    survivor: Annotated[str | None, FromLoss("the survivor that decides")] = None


_loss_rule: Final = partial(
    rule,
    resource=ResourceKind.loss,
    undated="the day on which a survivor fails is part of the loss (mqcap lose)",
    applies=only_with("with_load"),
    breach_severity=Severity.watch,
    graded=False,
)
_facility_rule: Final = partial(_loss_rule, of=SubjectKind.coupling_facility)


@_facility_rule("LOSS-CF-BUSY", "Facility lost: CPU of the survivors", ENGINES)
def loss_cf_busy(inputs: SurvivorFigures) -> Assessment:
    """Busy of the survivor with the lost facility's engine time, against CF-BUSY-1 and -N."""
    return Assessment(**_figures(inputs, "%", "CF busy"), advice=ENGINES_ADVICE)


@_facility_rule("LOSS-CF-STORAGE", "Facility lost: storage for its structures", PREFLIST)
def loss_cf_storage(inputs: SurvivorFigures) -> Assessment:
    """Ours: what is rebuilt must fit into the least free storage of the survivor."""
    return Assessment(
        **_figures(inputs, "MiB", "structures to be rebuilt"),
        advice="Give the survivor more storage, or make the structures smaller.",
    )


@_facility_rule(
    "LOSS-CF-PLACE",
    "Facility lost: structures without another facility",
    PREFLIST,
    breach_severity=Severity.act,
)
def loss_cf_place(inputs: SurvivorFigures) -> Assessment:
    """Ours: each structure needs another facility of its preference list, or a second copy."""
    return Assessment(
        **_figures(inputs, "structures", "without a place"),
        advice="Name another facility in PREFLIST of the CFRM policy, or duplex the structures.",
    )


@_loss_rule("LOSS-LOG-FILL", "Member lost: time to fill one log", LOG_SIZE)
def loss_log_fill(inputs: SurvivorFigures) -> Falling:
    """The survivor's time to fill one log with both loads, hour by hour, against LOG-FILL-30MIN."""
    return Falling(**_figures(inputs, "min", "time to fill one log"), advice=LOGS_ADVICE)


@_loss_rule("LOSS-LOG-RUNWAY", "Member lost: time until all logs are full", RUNWAY)
def loss_log_runway(inputs: SurvivorFigures) -> Falling:
    """The survivor's time until all logs are full with both loads, against LOG-RUNWAY-12H."""
    return Falling(**_figures(inputs, "h", "time until all logs are full"), advice=LOGS_ADVICE)


@_loss_rule("LOSS-CHANNELS", "Member lost: channels of the survivor", CHANNELS)
def loss_channels(inputs: SurvivorFigures) -> Reaching:
    """Channels of both against the limit of CHI-MAXCHL; at it no further channel starts."""
    return Reaching(
        **_figures(inputs, "channels", "channels"),
        advice="Raise MAXCHL if 31-bit storage allows, or spread the channels over more members.",
    )


@_loss_rule("LOSS-CHINIT-31BIT", "Member lost: channel initiator storage", STORAGE)
def loss_chinit_31bit(inputs: SurvivorFigures) -> Assessment:
    """31-bit storage with the channels of the lost member, against CHI-80-31BIT."""
    return Assessment(
        **_figures(inputs, "%", "31-bit storage in use"),
        advice="No setting gives more 31-bit storage: let channels leave for a queue manager "
        "outside the group, since on another member they come back with this loss. Before MQ 9.4, "
        "9.4 or later takes less for each server-connection channel, which is in no figure here.",
    )


@_loss_rule("LOSS-CHINIT-64BIT", "Member lost: 64-bit channel storage", STORAGE)
def loss_chinit_64bit(inputs: SurvivorFigures) -> Assessment:
    """64-bit storage with the channels of the lost member, against CHI-80-64BIT."""
    return Assessment(
        **_figures(inputs, "%", "64-bit storage in use"),
        advice="Raise MEMLIMIT of the survivor, or spread the channels over more members.",
    )


@_loss_rule("LOSS-BUFFER-POOL", "Member lost: buffers of the survivor", mp16("Buffer pool usage"))
def loss_buffer_pool(inputs: SurvivorFigures) -> Assessment:
    """Buffers in use with the pages of the lost member, against BP-FREE-15."""
    return Assessment(
        **_figures(inputs, "%", "buffers in use"),
        advice="Enlarge the pool of the survivor; pages that do not fit go to the page sets.",
    )


@_loss_rule("LOSS-RECOVERY", "Member lost: recovery of the survivor", RECOVERY)
def loss_recovery(inputs: SurvivorFigures) -> Falling:
    """Hours between page set backups that recovery allows with both logs, against REC-FORMULA-A."""
    return Falling(
        **_figures(inputs, "h", "time between page set backups", ("allowed", "scheduled")),
        advice="Back up the page sets of the survivor more often.",
    )


@_loss_rule("LOSS-STRUCTURE-RECOVERY", "Member lost: recovery of structures", STRUCTURES)
def loss_structure_recovery(inputs: SurvivorFigures) -> Falling:
    """Hours between structure backups that recovery allows with both logs, against CFB-INTERVAL.

    The longest log of the group decides, which the survivor's becomes.
    """
    return Falling(
        **_figures(inputs, "h", "time between structure backups", ("allowed", "scheduled")),
        advice="Back up the structures more often.",
    )


ENGINES_ADVICE: Final = (
    "Give the survivor more engines, or spread the structures over more facilities by preference "
    "lists."
)
LOGS_ADVICE: Final = (
    "Give the survivor more or larger active logs, or let several members take the work."
)


def _figures(
    inputs: SurvivorFigures, unit: str, words: str, kinds: tuple[str, str] | None = None
) -> dict[str, object]:
    """Return figures and sentence; ``kinds`` say what the figure and its limit are."""
    where = f"{inputs.survivor}: " if inputs.survivor else ""
    first, second = quantity(inputs.with_load, unit), quantity(inputs.limit, unit)
    figures = f"{first} of {second}"
    if kinds is not None:
        figures = f"{first} {kinds[0]}, {second} {kinds[1]}"
    return {
        "observed": inputs.with_load,
        "limit": inputs.limit,
        "unit": unit,
        "summary": f"when it is lost, {where}{words} {figures}.",
        "arithmetic": (f"with the load of what is lost: {figures}",),
        "caveats": OURS,
    }
