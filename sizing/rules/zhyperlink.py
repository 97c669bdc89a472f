"""zHyperLink of the log: tokens, paths, and how much of it is synchronous.

Asked only where the estate says ``zhyperlink: true`` or the records count such writes.
"""

import math
from typing import Annotated, Final

from pydantic import Field, NonNegativeFloat, PositiveInt

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Percent
from sizing.rulebook.assessment import Assessment, Falling
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16
from sizing.trend import (
    NO_LEVEL,
    TREND_RATIO,
    TREND_TRAITS,
    recent,
    usual,
)

TOKENS_MAX: Final = 64
PATH_BUSY_MAX_PCT: Final = 25
RECORD: Final = "SMF 115 subtype 1 of MQ 9.4 and later"
SYNC_METRIC: Final = "zhyperlink_sync_pct"
SPIN_METRIC: Final = "zhyperlink_busy_pct"

Used = Annotated[bool | None, FromEstate("zhyperlink")]


@rule(
    "ZHL-TOKENS",
    "zHyperLink write sessions",
    mp16("Do I have enough write sessions?"),
    SubjectKind.queue_manager,
    ResourceKind.zhyperlink,
    watches="other_tokens",
    applies=only_with("zhyperlink"),
)
def zhl_tokens(
    log_stripes: Annotated[PositiveInt, FromEstate("log_stripes", "the data class of the logs")],
    zhyperlink: Used = None,
    dual_logging: Annotated[bool | None, FromEstate("dual_logging", "DISPLAY LOG")] = None,
    log_mirrored: Annotated[bool | None, FromEstate("log_mirrored")] = None,
    other_tokens: Annotated[
        NonNegativeFloat,
        FromMetric("zhyperlink_other_token_count", record="a file of site figures"),
        FromEstate("zhyperlink_other_tokens", "DEVSERV QDASD,MACH=serial,ZHL"),
    ] = 0,
) -> Assessment:
    """All users of one DS8000 share 64 write tokens; exactly 64 are allowed."""
    del zhyperlink  # only for whether it applies
    copies = 1 if dual_logging is False else 2
    mirrors = 2 if log_mirrored else 1
    own = copies * log_stripes * mirrors
    tokens = own + other_tokens
    return Assessment(
        observed=tokens,
        limit=TOKENS_MAX,
        unit="tokens",
        arithmetic=(
            (
                f"own = {copies} copies x {log_stripes} stripes x {mirrors} (mirror) = "
                f"{own}; with others {figure(tokens)}"
            ),
        ),
        series_limit=TOKENS_MAX - own,
        advice="Nothing to change: there are tokens left.",
        caveats=("With Metro Mirror the tokens split over two boxes unless looped back to one.",),
    ).past_limit(
        "Use fewer stripes or fewer users of the box: without a token the write is asynchronous."
    )


@rule(
    "ZHL-PFID-BUSY",
    "zHyperLink paths busy",
    mp16("Are there sufficient zHyperLink paths to the DASD?"),
    SubjectKind.queue_manager,
    ResourceKind.zhyperlink,
    watches="busy_pct",
    breach_severity=Severity.watch,
    applies=only_with("zhyperlink", "busy_pct"),
    amounts=("zhyperlink_paths",),
)
def zhl_pfid_busy(
    busy_pct: Annotated[float, Field(ge=0), FromMetric(SPIN_METRIC, record=RECORD)],
    pfids: Annotated[PositiveInt, FromEstate("zhyperlink_pfids", "RMF Synchronous I/O report")],
    zhyperlink: Used = None,
) -> Assessment:
    """Each path may be 25 % busy; exactly that is allowed."""
    del zhyperlink  # only for whether it applies
    limit = PATH_BUSY_MAX_PCT * pfids
    wanted = math.ceil(busy_pct / PATH_BUSY_MAX_PCT)
    return Assessment(
        observed=busy_pct,
        limit=limit,
        unit="%",
        arithmetic=(
            f"limit = {pfids} paths x {PATH_BUSY_MAX_PCT} % = {limit} % of one path",
            (f"each path = {figure(busy_pct)} % / {pfids} = {figure(busy_pct / pfids)} %"),
        ),
        advice="Nothing to change: the paths have room.",
        caveats=("Other queue managers and Db2 on the same paths come on top.",),
    ).past_limit(
        "Define more paths; a sign of too few is a falling share of synchronous writes.",
        lambda: Change(
            action=f"Define {wanted} PFIDs instead of {pfids}: each is then "
            f"{figure(busy_pct / wanted)} % busy.",
            amount=TypedAmount.of("zhyperlink_paths", wanted),
            side_effects="zHyperLink ports and virtual functions of the LPAR.",
        ),
    )


@rule(
    "ZHL-SYNC-PCT",
    "zHyperLink writes that are synchronous",
    mp16("DISPLAY SMS,DSNAME"),
    SubjectKind.queue_manager,
    ResourceKind.zhyperlink,
    superseded_by="ZHL-PFID-BUSY",
    **TREND_TRAITS,
)
def zhl_sync_pct(
    recent: Annotated[Percent, recent(SYNC_METRIC, RECORD)],
    usual: Annotated[Percent, usual(SYNC_METRIC, RECORD)],
) -> Falling:
    """No level is given; a fall is what matters: 1.5 times the usual asynchronous share (ours)."""
    limit = max(0.0, 100 - TREND_RATIO * (100 - usual))
    return Falling(
        observed=recent,
        limit=limit,
        unit="%",
        arithmetic=(
            (
                f"limit = 100 - {TREND_RATIO} x (100 - {figure(usual)}) = "
                f"{figure(limit)} %, at least 0"
            ),
        ),
        advice="Nothing to change: as many writes are synchronous as before.",
        caveats=(NO_LEVEL,),
    ).past_limit("Look at paths (ZHL-PFID-BUSY), tokens (ZHL-TOKENS) and cable length.")
