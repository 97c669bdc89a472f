"""``mqcap report KIND``: reports as files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from mqcap.domain.errors import ConfigurationError
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.write import write_reports
from mqcap.settings import Settings
from mqcap.steps.runner import store_of

_Word = TypeVar("_Word", bound=StrEnum)


def write(
    settings: Settings, kind: str, day: date, folder: Path | None, forms: Sequence[str]
) -> list[Path]:
    """Write one report of a day. Returns the files.

    Raises:
        ConfigurationError: no such kind or format, or nothing was judged on that day.
    """
    wanted = [_one_of(ReportFormat, form) for form in forms] or list(ReportFormat)
    return write_reports(
        settings,
        store_of(settings),
        day,
        [_one_of(ReportKind, kind)],
        folder or settings.reports.folder,
        wanted,
    )


def _one_of(words: type[_Word], word: str) -> _Word:
    try:
        return words(word)
    except ValueError as error:
        raise ConfigurationError(
            "a report has no such kind or format", found=word, expected=" or ".join(words)
        ) from error
