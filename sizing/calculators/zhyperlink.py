"""zHyperWrite and zHyperLink: rates, cost, tokens and paths."""

from typing import Annotated, Final, Literal

from pydantic import Field

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
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import figures

RATES = mp16("Measurements in performance environment")
CABLE = mp16("What is the impact of zHyperLink cable length?")

TOKENS_MAX: Final = 64
PFID_BUSY_MAX_PCT: Final = 25
CABLE_MAX_M: Final = 150


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
        "breach": total / pfids > PFID_BUSY_MAX_PCT,
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
