"""zHyperWrite and zHyperLink of the log: rates, cost, tokens, paths, share of synchronous writes.

Rules are asked only where the estate says ``zhyperlink: true`` or the records count such writes.
"""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import (
    MIB_BYTES,
    PAGE_BYTES,
    Amount,
    Count,
    Percent,
    Positive,
    PositiveCount,
    Share,
)
from sizing.rulebook.assessment import Assessment, Falling
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16
from sizing.table import figures
from sizing.trend import NO_LEVEL, TREND_RATIO, TREND_TRAITS, recent, usual

TOKENS_MAX: Final = 64
PATH_BUSY_MAX_PCT: Final = 25
RECORD: Final = "SMF 115 subtype 1 of MQ 9.4 and later"
SYNC_METRIC: Final = "zhyperlink_sync_pct"

Used = Annotated[bool | None, FromEstate("zhyperlink")]

RATES = mp16("Measurements in performance environment")
CABLE = mp16("What is the impact of zHyperLink cable length?")

CABLE_MAX_M: Final = 150


@rule(
    "ZHL-TOKENS",
    "zHyperLink write sessions",
    mp16("Do I have enough write sessions?"),
    ResourceKind.zhyperlink,
    watches="other_tokens",
    applies=only_with("zhyperlink"),
)
def zhl_tokens(
    log_stripes: Annotated[PositiveCount, FromEstate("log_stripes", "the data class of the logs")],
    zhyperlink: Used = None,
    dual_logging: Annotated[bool | None, FromEstate("dual_logging", "DISPLAY LOG")] = None,
    log_mirrored: Annotated[bool | None, FromEstate("log_mirrored")] = None,
    other_tokens: Annotated[
        Amount,
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
        arithmetic=f"own = {copies} copies x {log_stripes} stripes x {mirrors} (mirror) = "
        f"{own}; with others {figure(tokens)}",
        series_limit=TOKENS_MAX - own,
        advice="Nothing to change: there are tokens left.",
        caveats="With Metro Mirror the tokens split over two boxes unless looped back to one.",
    ).past_limit(
        "Use fewer stripes or fewer users of the box: without a token the write is asynchronous."
    )


@rule(
    "ZHL-PFID-BUSY",
    "zHyperLink paths busy",
    mp16("Are there sufficient zHyperLink paths to the DASD?"),
    ResourceKind.zhyperlink,
    watches="busy_pct",
    breach_severity=Severity.watch,
    applies=only_with("zhyperlink", "busy_pct"),
    amounts=("zhyperlink_paths",),
)
def zhl_pfid_busy(
    busy_pct: Annotated[float, Field(ge=0), FromMetric("zhyperlink_busy_pct", record=RECORD)],
    pfids: Annotated[PositiveCount, FromEstate("zhyperlink_pfids", "RMF Synchronous I/O report")],
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
        caveats="Other queue managers and Db2 on the same paths come on top.",
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
        arithmetic=f"limit = 100 - {TREND_RATIO} x (100 - {figure(usual)}) = "
        f"{figure(limit)} %, at least 0",
        advice="Nothing to change: as many writes are synchronous as before.",
        caveats=NO_LEVEL,
    ).past_limit("Look at paths (ZHL-PFID-BUSY), tokens (ZHL-TOKENS) and cable length.")


@calculator("ZHW-COST", "CPU cost of zHyperWrite", mp16("Impact to MQ queue manager costs"))
def zhyperwrite_cost(pprc_us_per_mb: Positive, zhw_us_per_mb: Positive) -> Figures:
    """More queue manager CPU for each MB than with PPRC alone."""
    return _increase(pprc_us_per_mb, zhw_us_per_mb)


@form_of("ZHW-COST")
def zhyperwrite_srb_cost(pprc_srb_us_per_mb: Positive, zhw_srb_us_per_mb: Positive) -> Figures:
    """The same, for SRB time alone."""
    return _increase(pprc_srb_us_per_mb, zhw_srb_us_per_mb)


@calculator("ZHL-RATES", "Log rates with zHyperLink", RATES)
def log_rates(
    environment: Literal["performance", "real-world"],
    log_copies: Literal["single", "dual"],
    striped: Literal["no", "4-way"],
    message: Literal["1KB", "peak (large)"],
) -> Figures:
    """Measured for each copy, 16 PFIDs and 30 m of cable, 4 GB logs."""
    measured = figures(
        "zhyperlink_rates",
        ["baseline_mb_per_s", "zhyperlink_mb_per_s"],
        environment=environment,
        log_copies=log_copies,
        striped=striped,
        message=message,
    )
    return {**measured, "ratio": measured["zhyperlink_mb_per_s"] / measured["baseline_mb_per_s"]}


@calculator("ZHL-RESP", "Time of a single-page log write", mp16("Single Page I/O Response Times"))
def response(configuration: str) -> Figures:
    """Measured."""
    return figures("zhyperlink_response", ["single_page_io_us"], configuration=configuration)


@form_of("ZHL-TOKENS")
def write_tokens(
    log_copies: Literal[1, 2], stripes: PositiveCount, pprc: bool, other_tokens: Count = 0
) -> Figures:
    """Copies x stripes, twice with Metro Mirror; all users of the box share 64."""
    tokens = log_copies * stripes * (2 if pprc else 1)
    return {"write_tokens": tokens, "breach": tokens + other_tokens > TOKENS_MAX}


@form_of("ZHL-PFID-BUSY")
def path_busy(
    sync_writes_per_s: Amount, avg_response_ms: Positive, pfids: PositiveCount
) -> Figures:
    """Writes x response time, spread over the PFIDs; up to 25 % each is allowed."""
    busy_ms = sync_writes_per_s * avg_response_ms
    total = busy_ms / 10
    return {
        "cpu_ms_per_s": busy_ms,
        "total_pct": total,
        "per_pfid_pct": total / pfids,
        "breach": total / pfids > PATH_BUSY_MAX_PCT,
    }


@form_of("ZHL-SYNC-PCT")
def asynchronous_share(sync_pct: Percent) -> Figures:
    """The rest is asynchronous; there is no limit, a fall is what matters."""
    return {"async_pct": 100 - sync_pct}


@calculator("ZHL-STATS", "Rates from log statistics", mp16("MQ Statistics"))
def page_rates(pages_written: Count, interval_s: Positive) -> Figures:
    """Pages and MB (2^20) a second."""
    return _pages(pages_written, interval_s)


@form_of("ZHL-STATS")
def request_rates(
    pages_written: Count, write_requests: PositiveCount, interval_s: Positive
) -> Figures:
    """Pages of an I/O, and I/Os a second."""
    return {
        **_pages(pages_written, interval_s),
        "pages_per_io": pages_written / write_requests,
        "requests_per_s": write_requests / interval_s,
    }


@form_of("ZHL-STATS")
def switch_writes(
    switch_async_writes: Count, switch_async_pages: Count, log_switches: PositiveCount
) -> Figures:
    """Asynchronous writes that a log switch brings: larger logs have fewer."""
    return {
        "async_writes_per_switch": switch_async_writes / log_switches,
        "async_pages_per_switch": switch_async_pages / log_switches,
    }


@form_of("ZHL-CPU")
def spin_time(total_zhl_io_us: Amount, interval_s: Positive) -> Figures:
    """The processor spins for as long as the I/O takes."""
    return {
        "spin_cpu_s": total_zhl_io_us / 1e6,
        "logger_spin_pct": 100 * total_zhl_io_us / (interval_s * 1e6),
    }


@form_of("ZHL-CPU")
def cpu_of_io(io_us: Amount) -> Figures:
    """Return the I/O time as CPU time, one for one."""
    return {"cpu_us": io_us}


@calculator("ZHL-CABLE", "Cable length", CABLE)
def cable_saving(io_us_150m: Positive, io_us_30m: Positive) -> Figures:
    """Return the time that 30 m save against 150 m, the longest cable."""
    saving = io_us_150m - io_us_30m
    return {"saving_us": saving, "saving_pct": 100 * saving / io_us_150m}


@form_of("ZHL-CABLE")
def cable_allowed(cable_m: Annotated[float, Field(gt=0)]) -> Figures:
    """150 m is the longest; exactly that is allowed."""
    return {"feasible": cable_m <= CABLE_MAX_M}


@calculator("ZHL-COST-SHARE", "Overall CPU cost", mp16("Cost of zHyperLink is all relative"))
def overall_cost(mq_share: Share, mq_multiplier: Positive) -> Figures:
    """The rest of the work costs what it did; the printed 1.04 for 5 % does not fit (F-21)."""
    return {"overall_multiplier": 1 + mq_share * (mq_multiplier - 1)}


def _increase(before: float, after: float) -> Figures:
    return {"increase_us": after - before, "increase_pct": 100 * (after - before) / before}


def _pages(pages_written: int, interval_s: float) -> dict[str, float]:
    pages_per_s = pages_written / interval_s
    return {"pages_per_s": pages_per_s, "mb_per_s": pages_per_s * PAGE_BYTES / MIB_BYTES}
