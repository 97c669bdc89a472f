"""When to decide on a loss: as plans are due, before the first limit and after the lead time."""

from __future__ import annotations

from datetime import date

from mqcap.domain.losses.loss import Loss
from mqcap.planning.context import date_in_force
from mqcap.presentation.due_dates import last_responsible_date
from mqcap.settings import AlertSettings


def due_date_of_loss(loss: Loss, alerts: AlertSettings) -> date | None:
    """Return the last day to change something before a loss would pass a limit.

    That is the day before the first failure, but not before the lead time of the rules that fail
    and any change freeze are over. ``None``: nothing fails up to the horizon.
    """
    first = loss.first_failure_date
    if first is None:
        return None
    lead = max(alerts.lead_time(rule) for rule in loss.rule_ids)
    earliest = date_in_force(loss.site_date, lead, alerts)
    last, _ = last_responsible_date(first, 1, alerts.change_freezes)
    return max(last, earliest)
