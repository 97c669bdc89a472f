"""Tasks of the channel initiator: adapters, dispatchers, TLS tasks, and its threads."""

import math
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from mqcap.operands.declared import SETTINGS
from sizing.rulebook.assessment import Reaching
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16

ADAPTERS_MAX: Final = 120
ADAPTERS_TO_FOUR_PROCESSORS: Final = 30
"""MP16's number of adapters with up to four processors (CHI-CHIADAPS)."""
ADAPTERS_STEP: Final = 8
"""MP16 adds so many for each processor above four (CHI-CHIADAPS)."""
ADAPTER_KB: Final = 150
OWN_THREADS: Final = 3
MAXPROCUSER_MAX: Final = SETTINGS["omvs_maxprocuser"].highest
"""Most that BPXPRMxx takes (documentation of z/OS UNIX)."""
RECORD: Final = "SMF 115 subtype 231"

DISPATCHERS = mp16("CHIDISPS and MAXCHL")

MANY_CHANNELS: Final = 1_000
DISPATCHERS_FOR_MANY: Final = 20
SSL_BUSY_MAX_PCT: Final = 90
DISPATCHER_WARN_PCT: Final = 50
"""Ours: one held back throughput at 58 %."""
FIRST_FILL: Final = 10
OMVS_WARN_PCT: Final = 85
"""Ours."""


@rule(
    "CHI-ADAPTER-UNUSED",
    "An adapter kept idle",
    mp16("CHIADAPS"),
    ResourceKind.chinit_adapters,
    watches="used",
    breach_severity=Severity.watch,
    graded=False,
    amounts=("adapters",),
    fault="No adapter idle at the peak",
)
def chi_adapter_unused(
    used: Annotated[Amount, FromMetric("chinit_adapters_used_count", record=RECORD)],
    adapters: Annotated[Positive, FromMetric("chinit_adapters_count", days=7, record=RECORD)],
) -> Reaching:
    """At the peak at least one adapter should serve nothing; all used is a breach."""
    return Reaching(
        observed=used,
        limit=adapters,
        unit="adapters",
        summary=f"{figure(used)} of {figure(adapters)} adapters served requests "
        "in the busiest interval; one should stay idle.",
        arithmetic=f"limit = all {figure(adapters)} adapters (CHIADAPS)",
        advice="Nothing to change: an adapter stayed idle.",
    ).past_limit(
        "Define more adapters; no disadvantage was seen at 120 beside their storage.",
        lambda: _more_adapters(adapters, used),
    )


def _more_adapters(adapters: float, used: float) -> Change | None:
    """MP16's number at once, and its next step for a channel initiator that has it already.

    More than were in use: they can have been more than there are now.
    """
    most = max(adapters, used)
    if most < ADAPTERS_TO_FOUR_PROCESSORS:
        wanted, why = ADAPTERS_TO_FOUR_PROCESSORS, "MP16's number with up to four processors"
    else:
        wanted = min(math.floor(most) + ADAPTERS_STEP, ADAPTERS_MAX)
        why = f"MP16 adds {ADAPTERS_STEP} for each processor above four, up to {ADAPTERS_MAX}"
    if wanted <= most:
        return None
    return Change(
        action=f"Define {wanted} adapters instead of {figure(adapters)}: {why}.",
        amount=TypedAmount.of("adapters", wanted),
        side_effects=f"{ADAPTER_KB} KB of 31-bit storage each; takes effect at restart of the "
        "channel initiator.",
    )


@rule(
    "CHI-OMVS",
    "Threads of the channel initiator",
    mp16("Checking the OMVS Environment"),
    ResourceKind.chinit_tasks,
    undated="a matter of configuration: the threads follow from CHIDISPS and SSLTASKS",
    breach_severity=Severity.watch,
    applies=only_with("maxprocuser"),
    amounts=("processes",),
)
def chi_omvs(
    dispatchers: Annotated[Positive, FromMetric("chinit_dispatchers_count", days=7, record=RECORD)],
    maxprocuser: Annotated[
        PositiveCount, FromEstate("omvs_maxprocuser", "D OMVS,LIMITS: MAXPROCUSER")
    ],
    ssltasks: Annotated[Amount, FromMetric("chinit_ssltasks_count", days=7, record=RECORD)] = 0.0,
    other_threads: Annotated[Amount, FromEstate("omvs_other_threads", "D OMVS,U=userid")] = 0.0,
) -> Reaching:
    """Three of its own and one for each dispatcher and TLS task, below MAXPROCUSER."""
    own = OWN_THREADS + dispatchers + ssltasks
    threads = own + other_threads
    wanted = math.floor(threads) + 1
    more = Change(
        action=f"Set MAXPROCUSER above {figure(threads)}.",
        amount=TypedAmount.of("processes", wanted),
        side_effects="more processes of every user id that has no own limit.",
    )
    return Reaching(
        observed=threads,
        limit=maxprocuser,
        unit="threads",
        arithmetic=f"threads = {OWN_THREADS} + {figure(dispatchers)} + {figure(ssltasks)} + "
        f"{figure(other_threads)} of others = {figure(threads)}",
        advice="Nothing to change: threads can start.",
        caveats="The sum over all queue managers counts against MAXPROCSYS.",
    ).past_limit(
        "Raise MAXPROCUSER (and MAXPROCSYS) before more dispatchers are defined.",
        lambda: more if wanted <= MAXPROCUSER_MAX else None,
    )


@calculator("CHI-CHIADAPS", "Adapters", mp16("CHIADAPS"))
def adapters(processors: PositiveCount) -> Figures:
    """For heavy persistent load: 30, and 8 for each processor above four, 120 at most."""
    return {
        "chiadaps": min(
            ADAPTERS_MAX, ADAPTERS_TO_FOUR_PROCESSORS + ADAPTERS_STEP * max(0, processors - 4)
        )
    }


@form_of("CHI-ADAPTER-UNUSED")
def unused_adapters(adapters_unused: Count) -> Figures:
    """At peak at least one should be unused."""
    return {"warn": adapters_unused < 2, "breach": adapters_unused == 0}


@calculator("CHI-CHIDISPS", "Dispatchers", DISPATCHERS)
def dispatchers(channels: Count) -> Figures:
    """20 for more than 1000 channels; else as few as are not at capacity, ``None``."""
    return {"chidisps": DISPATCHERS_FOR_MANY if channels > MANY_CHANNELS else None}


@form_of("CHI-DISP-BUSY")
def dispatcher_busy(busy_pct: Annotated[list[Percent], Field(min_length=1)]) -> Figures:
    """Of each dispatcher; a large difference means that MAXCHL / CHIDISPS is too high."""
    return {
        "busiest_pct": max(busy_pct),
        "skew_pct": max(busy_pct) - min(busy_pct),
        "warn": max(busy_pct) > DISPATCHER_WARN_PCT,
    }


@calculator("CHI-CHIDISPS-DIST", "Channels of a dispatcher", DISPATCHERS)
def channels_of_dispatcher(maxchl: PositiveCount, chidisps: PositiveCount) -> Figures:
    """Dealt out in groups of ten or fewer, dispatcher after dispatcher (F-40)."""
    each = maxchl / chidisps
    return {"channels_per_dispatcher_when_all_started": each, "first_fill": min(each, FIRST_FILL)}


@calculator("CHI-SSLTASKS", "SSL tasks", mp16("SSLTASKS"))
def ssl_tasks(chidisps: PositiveCount, processors: PositiveCount) -> Figures:
    """Return one task more than there are dispatchers or processors, whichever are more."""
    return {"ssltasks": max(chidisps, processors) + 1}


@form_of("CHI-SSLTASK-BUSY")
def ssl_busy(busy_pct: Percent) -> Figures:
    """Above 90 % restart the slow channel, so that it moves to another task."""
    return {"breach": busy_pct > SSL_BUSY_MAX_PCT}


@form_of("CHI-OMVS")
def threads(chidisps: Count, ssltasks: Count, chinits: PositiveCount = 1) -> Figures:
    """Three of its own, and one for each dispatcher and SSL task."""
    return {"threads": chinits * (OWN_THREADS + chidisps + ssltasks)}


@form_of("CHI-OMVS")
def threads_against_limit(threads: Count, limit: PositiveCount) -> Figures:
    """Against MAXPROCUSER or MAXPROCSYS: warn at 85 % (ours), at the limit is a breach."""
    share = 100 * threads / limit
    return {"used_pct": share, "warn": share >= OMVS_WARN_PCT, "breach": threads >= limit}
