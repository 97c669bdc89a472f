"""The scorecard of dates: what each kind of limit had been expected to do, and what it did."""

from datetime import date

from mqcap.domain.console.ledger import Ledger, LimitRecord, limit_records
from mqcap.presentation.ledger_text import correction_line
from mqcap.settings import Settings
from mqcap.store.crossings import find_site_correction
from mqcap.store.database import Store
from mqcap.store.scores import rule_reliability


def read_limit_records(engine: Store, ledger: Ledger, first: date, day: date) -> list[LimitRecord]:
    """Return the records of the dates of a ledger and of probabilities made from ``first`` on."""
    return limit_records(ledger, rule_reliability(engine, first, day))


def correction_lines(settings: Settings, engine: Store, day: date) -> list[str]:
    """Return in one line how the site's own outcomes correct the probabilities of a day.

    Empty for a day that was not evaluated, or by a release that did not correct by them.
    """
    correction = find_site_correction(engine, day)
    if correction is None:
        return []
    return [correction_line(correction, settings.forecast.outcome_limits_min)]
