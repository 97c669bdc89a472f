"""The cost of a plan in words."""

from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.plan import PlanCost


def cost_text(cost: PlanCost) -> str:
    """Return the parts of a cost that are not nothing; ``no cost`` without any."""
    parts = [
        _dasd(cost.cylinders, cost.dasd_mib),
        f"{_amount(cost.peak_cylinders, 'cylinders')} until the old data sets are deleted"
        if cost.replaced_cylinders and cost.peak_cylinders
        else "",
        _amount(cost.real_storage_mib, "MiB of real storage"),
        _amount(cost.above_bar_mib, "MiB of virtual storage above the bar (MEMLIMIT)"),
        _amount(cost.chinit_31bit_mib, "MiB of 31-bit storage of a channel initiator"),
        _amount(cost.cf_storage_mib, "MiB of CF storage"),
        counted(cost.engines, "CF engine") if cost.engines else "",
        _restarts(cost.chinit_restarts, "channel initiator"),
        _restarts(cost.queue_manager_restarts, "queue manager"),
        counted(cost.ipls, "IPL") if cost.ipls else "",
        _amount(cost.file_system_mib, "MiB in file systems"),
        *(f"{each} (size not known)" for each in cost.unsized),
        f"{figure(cost.work_hours)} h of work" if cost.work_hours else "",
        f"{figure(round(cost.money))} {cost.currency}" if cost.money is not None else "",
    ]
    return ", ".join(filter(None, parts)) or "no cost"


def _dasd(cylinders: int, mib: int) -> str:
    if not cylinders and not mib:
        return ""
    return f"{figure(cylinders, signed=True)} cylinders ({figure(mib, signed=True)} MiB) of DASD"


def _amount(value: float, unit: str) -> str:
    return quantity(value, unit, signed=True) if value else ""


def _restarts(count: int, what: str) -> str:
    return f"{counted(count, 'restart')} of a {what}" if count else ""
