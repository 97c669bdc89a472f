"""Space around shared queues: CSQ_ADMIN and shared message data sets."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Amount, Positive, UsedPercent
from mqcap.operands.declared import SETTINGS
from sizing.rulebook.assessment import Assessment, Falling, Inputs, first_step
from sizing.rulebook.entry import SUBJECT, ValuesByName, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16
from sizing.trend import EVENT

ENTRIES_EACH: Final = 1_000
DSBUFS_MAX: Final = SETTINGS["smds_buffers"].highest
"""Most that ALTER SMDS takes (documentation of IBM MQ 9.4)."""
UNSTATED: Final = "the share of requests that waited does not say how many waited at once"
RMF: Final = "SMF 74 subtype 4"
SMDS: Final = "SMF 115 subtype 2 (QESD)"


class AdminInputs(Inputs):
    """Entries of the administration structure and the queue managers that need them."""

    entries: Annotated[Amount, FromMetric("structure_entries_count", days=7, record=RMF)]
    queue_managers: Annotated[
        Positive, FromEstate("group_queue_managers", "qsg of every member in the estate")
    ]
    size_mib: Annotated[Positive | None, FromMetric("structure_size_mib", days=7, record=RMF)] = (
        None
    )


def administration_structure(values: ValuesByName) -> bool:
    """Whether its name is that of one: the queue sharing group and CSQ_ADMIN."""
    subject = str(values[SUBJECT])
    return not subject or subject.endswith("CSQ_ADMIN")


@rule(
    "CFS-ADMIN",
    "Entries of CSQ_ADMIN",
    mp16("CSQ_ADMIN"),
    ResourceKind.structure,
    undated="a matter of configuration: entries and members change when somebody changes them",
    applies=administration_structure,
    graded=False,
    amounts=("structure_kib",),
)
def cfs_admin(inputs: AdminInputs) -> Falling:
    """A queue manager starts only with 1000 entries for each one started (F-16)."""
    limit = ENTRIES_EACH * inputs.queue_managers
    return Falling(
        observed=inputs.entries,
        limit=limit,
        unit="entries",
        arithmetic=f"limit = {ENTRIES_EACH} x {figure(inputs.queue_managers)} queue managers",
        advice="Nothing to change: every member can start.",
        caveats="The number of entries drops with each CF level; CFCC 25 needs 10000 KB more.",
    ).past_limit(
        "Enlarge CSQ_ADMIN before another member is started (CSQE038E, 5C6-00C53002).",
        lambda: _larger_admin(inputs, limit),
    )


def _larger_admin(inputs: AdminInputs, needed: float) -> Change | None:
    if inputs.size_mib is None or inputs.entries <= 0:
        return None
    wanted_kib = math.ceil(inputs.size_mib * needed / inputs.entries) * 1_024
    return Change(
        action=f"Enlarge CSQ_ADMIN from {figure(inputs.size_mib)} to "
        f"{figure(wanted_kib / 1_024)} MiB, in step with the entries needed.",
        amount=TypedAmount.of("structure_kib", wanted_kib),
        side_effects="CF storage of that size, in both CFs when duplexed.",
    )


@rule(
    "SMDS-BUFS-WAIT",
    "Waits for SMDS buffers",
    mp16("DSBUFS"),
    ResourceKind.smds,
    undated=f"two figures at once, of which waits decide: {EVENT}",
    breach_severity=Severity.watch,
    graded=False,
    applies=only_with("used_pct"),
    first_step=UNSTATED,
    amounts=("smds_buffers",),
)
def smds_bufs_wait(
    used_pct: Annotated[UsedPercent, FromMetric("smds_buffers_used_pct", record=SMDS)],
    waits_pct: Annotated[Amount, FromMetric("smds_buffer_waits_pct", record=SMDS)],
    buffers: Annotated[
        Positive | None, FromMetric("smds_buffers_count", days=7, record=SMDS)
    ] = None,
) -> Assessment:
    """None free and requests that waited is a breach; all used alone is only the warning."""
    waited = waits_pct if used_pct >= 100 else 0.0

    def changes() -> Change | None:
        if buffers is None or buffers >= DSBUFS_MAX:
            return None
        more = math.floor(buffers * waits_pct / 100) + 1
        wanted = min(math.floor(buffers) + more, DSBUFS_MAX)
        return first_step(
            f"Raise DSBUFS from {figure(buffers)} to {figure(wanted)}: more by "
            f"the {figure(waits_pct)} % that waited, and one that stays free (ours); "
            "then look again.",
            TypedAmount.of("smds_buffers", wanted),
            "storage above the bar for each structure; thousands of buffers made it dearer.",
            UNSTATED,
        )

    return Assessment(
        observed=waited,
        limit=0,
        unit="%",
        arithmetic=f"waits count while all buffers are used: {figure(used_pct)} % used, "
        f"{figure(waits_pct)} % of the requests waited",
        advice="Nothing to change: a buffer was free, or no request waited.",
    ).past_limit("Raise DSBUFS; further while it saves reads from the data set.", changes)
