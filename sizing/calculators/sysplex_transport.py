"""Ways to move messages between queue managers in a sysplex, by CPU and data rate."""

from typing import Final, Literal

from mqcap.domain.units import Amount, Percent, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import sysplex
from sizing.table import number, rows

BUSY_MAX_PCT: Final = {True: 30, False: 60}
"""CF-BUSY-1 and CF-BUSY-N, by whether the CF has one engine."""

Configuration = Literal["TCP/IP", "SMC-R", "SMC-D", "IGQ", "Shared queue"]


@calculator("SYS-COST", "CPU of a transaction by transport", sysplex("Table 1"))
def transport_cost(configuration: Configuration) -> Figures:
    """Request and reply of 2 KB on one pair of queues: the sum of the components."""
    return {
        "total_including_cf_us": _total(configuration),
        "total_excluding_cf_us": _total(configuration, with_cf=False),
    }


@calculator("SYS-RULE", "Cost of one transport against another", sysplex("Conclusion"))
def relative_cost(configuration: Configuration, baseline: Configuration) -> Figures:
    """Computed from the table; the printed 30 % for shared queues does not follow (F-19)."""
    return {
        "ratio_including_cf": _total(configuration) / _total(baseline),
        "ratio_excluding_cf": _total(configuration, with_cf=False)
        / _total(baseline, with_cf=False),
    }


@form_of("SYS-CF-CHECK")
def busy_after_move(
    busy_pct: Percent,
    engines: PositiveCount,
    transactions_per_s: Amount,
    configuration: Configuration,
) -> Figures:
    """Busy of now and the CF time of the transactions to come, against the CF's own limit."""
    cf_us = _component("CF", configuration)
    busy = busy_pct + 100 * transactions_per_s * cf_us / (engines * 1e6)
    return {"busy_pct": busy, "breach": busy > BUSY_MAX_PCT[engines == 1]}


@calculator("SYS-BANDWIDTH", "Data rate of a transport", sysplex("Data rate"))
def data_rate(transactions_per_s: Amount, message_kb: Positive) -> Figures:
    """Each way."""
    return {"mib_per_s": transactions_per_s * message_kb / 1_024}


def _component(component: str, configuration: str) -> float:
    return next(
        number(item["us_per_transaction"])
        for item in rows("sysplex_cost")
        if item["configuration"] == configuration and item["component"] == component
    )


def _total(configuration: str, *, with_cf: bool = True) -> float:
    return sum(
        number(item["us_per_transaction"])
        for item in rows("sysplex_cost")
        if item["configuration"] == configuration and (with_cf or item["component"] != "CF")
    )
