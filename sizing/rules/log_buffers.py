"""Log buffers: a task that waits for one is held up by the log's I/O."""

from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Amount, Count, PositiveCount
from mqcap.operands.declared import SETTINGS
from sizing.rulebook.assessment import Assessment, first_step
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromAsk, FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16
from sizing.trend import EVENT

CITATION: Final = mp16("Detailed example of when data is written to log data sets")
OUTBUFF_MAX_KB: Final = SETTINGS["outbuff_kb"].highest
BUFFER_KB: Final = 4
UNSTATED: Final = "the counter says that tasks waited, not how many buffers would have ended it"


def can_be_raised(values: ValuesByName) -> bool:
    """Return whether waits could be mended by OUTBUFF, as far as it is known.

    At its maximum, which is its default too, waits come from the log's I/O: LOG-DASD-50PCT and
    LOG-LOGGER-BUSY report that. Not configured, it is asked for once a task has waited.
    """
    outbuff, waits = values.get("outbuff_kb"), values.get("log_buffer_waits_per_h")
    if outbuff is None:
        return bool(waits)
    return outbuff != OUTBUFF_MAX_KB


MOST_BUFFERS: Final = first_step(
    f"Set OUTBUFF to {OUTBUFF_MAX_KB} (KB), {OUTBUFF_MAX_KB // BUFFER_KB} buffers, the most there "
    "are; then look again: waits that remain come from the log's I/O.",
    TypedAmount.of("outbuff_kb", OUTBUFF_MAX_KB),
    "up to 4 MB of storage in the queue manager; takes effect at restart.",
    UNSTATED,
)


@rule(
    "LOG-OUTBUFF-WTB",
    "Waits for log buffers",
    CITATION,
    ResourceKind.log_writing,
    watches="log_buffer_waits_per_h",
    undated=EVENT,
    applies=can_be_raised,
    graded=False,
    first_step=UNSTATED,
    amounts=("outbuff_kb",),
)
def log_outbuff_wtb(
    log_buffer_waits_per_h: Annotated[
        Amount, FromMetric("log_buffer_wait_count", record="SMF 115 subtype 1")
    ],
    outbuff_kb: Annotated[
        PositiveCount,
        Field(le=OUTBUFF_MAX_KB),
        FromEstate("outbuff_kb", "DISPLAY LOG"),
        FromAsk("OUTBUFF, from DISPLAY LOG"),
    ],
) -> Assessment:
    """There must be none while OUTBUFF can be raised; any wait in an interval is a breach."""
    if outbuff_kb < OUTBUFF_MAX_KB:
        advice = "Raise OUTBUFF until no task waits; the maximum suits large persistent messages."
    else:
        advice = (
            "OUTBUFF is at its maximum, so the log's I/O is the limit: see LOG-DASD-50PCT and "
            "LOG-LOGGER-BUSY."
        )
    return Assessment(
        observed=log_buffer_waits_per_h,
        limit=0,
        unit="waits/h",
        advice="Nothing to change: no task waited for a log buffer.",
        arithmetic="limit = 0 waits (QJSTWTB)",
        caveats="As a percentage of writes the count rounds to 0; only the count matters.",
    ).past_limit(advice, lambda: MOST_BUFFERS if outbuff_kb < OUTBUFF_MAX_KB else None)


@form_of("LOG-OUTBUFF-WTB")
def waits_of_interval(
    qjstwtb: Count, ci_created: PositiveCount | None = None
) -> dict[str, bool | float | None]:
    """The counter decides; the percentage is only what a report would print."""
    share = 100 * qjstwtb / ci_created if ci_created else None
    return {"breach": qjstwtb > 0, "wait_pct": share}


@calculator("LOG-OUTBUFF-BUFFERS", "OUTBUFF in buffers", CITATION)
def log_buffers(outbuff_kb: Annotated[int, Field(gt=0, le=OUTBUFF_MAX_KB)]) -> dict[str, int]:
    """Each buffer holds one control interval of 4 KB."""
    return {"log_buffers": outbuff_kb // BUFFER_KB}
