"""The scorecard of dates: what each kind of limit had been expected to do, and what it did."""

from __future__ import annotations

from datetime import date

from mqcap.domain.console.ledger import Ledger
from mqcap.domain.console.limit_record import LimitRecord, limit_records
from mqcap.store.database import Store
from mqcap.store.scores import rule_reliability


def read_limit_records(engine: Store, ledger: Ledger, first: date, day: date) -> list[LimitRecord]:
    """Return the records of the dates of a ledger and of probabilities made from ``first`` on."""
    return limit_records(ledger, rule_reliability(engine, first, day))
