"""What a step did, in a line: its name, and its counts with their units."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mqcap.domain.numbers import counted

_NOUNS: Final = {
    "landed": "new file",
    "known": "file that is in the lake already|files that are in the lake already",
    "rejected": "file refused|files refused",
    "waiting": "file still being written|files still being written",
    "files": "file",
    "records": "record",
    "hour_dates": "UTC date of hourly figures|UTC dates of hourly figures",
    "removed": "UTC date without records removed|UTC dates without records removed",
    "observations": "daily figure",
    "dates_left_out": "UTC date left out|UTC dates left out",
    "dates_that_stay": "UTC date that stays|UTC dates that stay",
    "console_states": "console message of use|console messages of use",
    "console_unplaced": "console message of no known queue manager|"
    "console messages of no known queue manager",
    "series": "series|series",
    "rows": "daily figure",
    "unchanged": "series unchanged|series unchanged",
    "forecasts": "forecast",
    "refused": "series without forecast|series without forecast",
    "hold_out_days": "past day to compare with|past days to compare with",
    "findings": "finding",
    "act": "to act|to act",
    "watch": "to watch|to watch",
    "ok": "in order|in order",
    "unknown": "unknown|unknown",
    "plans": "plan",
    "losses": "loss|losses",
    "data_findings": "feed with missing data|feeds with missing data",
    "problems": "problem",
    "tickets": "ticket",
    "mails_sent": "email sent|emails sent",
    "mails_unconfirmed": "email that the server did not confirm|"
    "emails that the server did not confirm",
    "probabilities": "probability|probabilities",
}
"""Nouns of counts, in the plural behind a bar where they do not take an ``s``."""
_OF_STEP: Final = {
    ("decode_and_aggregate", "problems"): "file that cannot be used|files that cannot be used",
}
_LEFT_OUT: Final = {
    ("observe", "files"),
    ("observe", "hour_dates"),
    "site_dates",
    "batches",
    "feed_days",
    "forecasts_noted",
    "hold_out_crossings",
    "hold_out_scores",
    "sha256",
}
"""Counts that only the store records."""


def step_line(step: str, counts: Mapping[str, Any]) -> str:
    """Return the line of a step: ``decode_and_aggregate: 1 file, 4,382 records``."""
    return f"{step}: {step_words(step, counts) or 'nothing new'}"


def step_words(step: str, counts: Mapping[str, Any]) -> str:
    """Return the counts of a step with their units; those of nothing are left out."""
    return ", ".join(_words(step, counts))


def _words(step: str, counts: Mapping[str, Any]) -> Iterator[str]:
    for name, value in counts.items():
        if not value or name in _LEFT_OUT or (step, name) in _LEFT_OUT:
            continue
        noun, _, plural = _OF_STEP.get((step, name), _NOUNS.get(name, "")).partition("|")
        number = len(value) if isinstance(value, list | tuple) else value
        if noun and isinstance(number, int):
            yield counted(number, noun, plural)
        else:
            yield f"{name.replace('_', ' ')} {str(value).replace('_', ' ')}"
