"""Ways to move messages between queue managers in a sysplex, by CPU and data rate."""

from typing import Literal

from mqcap.domain.units import Amount, Positive
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator
from sizing.sources import sysplex
from sizing.table import number, rows

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


@calculator("SYS-BANDWIDTH", "Data rate of a transport", sysplex("Data rate"))
def data_rate(transactions_per_s: Amount, message_kb: Positive) -> Figures:
    """Each way."""
    return {"mib_per_s": transactions_per_s * message_kb / 1_024}


def _total(configuration: str, *, with_cf: bool = True) -> float:
    return sum(
        number(item["us_per_transaction"])
        for item in rows("sysplex_cost")
        if item["configuration"] == configuration and (with_cf or item["component"] != "CF")
    )
