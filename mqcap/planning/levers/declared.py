"""Settings whose plan is declared whole in ``mqcap/operands``, such as MAXCHL and OUTBUFF."""

from typing import Final

from mqcap.operands.declared import SETTINGS
from mqcap.planning.settable import operand, register, settable

DECLARED: Final = {
    key: register(settable(operand(key)))
    for key, setting in SETTINGS.items()
    if setting.plan is not None and setting.plan.is_complete
}
"""By key."""
