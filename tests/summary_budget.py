"""Budgets of what is to be decided: of a row, and of every surface that shows rows."""

import re
from collections.abc import Iterable
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from typing import Final

ROW_WORDS: Final = 45
ROW_NUMBERS: Final = 8
MAIL_WORDS: Final = 600
MAIL_LINES: Final = 150
PLAN_LINES: Final = 40
REPORT_LINES: Final = 60
TICKET_LINES: Final = 25
_NUMBER: Final = re.compile(r"\d+ [A-Z][a-z]{2} \d{4}|\b\d\d:\d\d\b|(?<![\w-])\d[\d,.]*(?![\d,.-])")
"""A date is one number, so is a time of day; digits of a name such as ``CSQ1`` are none."""
_ROW: Final = re.compile(r'<summary class="row">(.*?)</summary>', re.DOTALL)
_MARKUP: Final = re.compile(r"<svg.*?</svg>|<[^>]+>", re.DOTALL)
_OTHER_FORMS: Final = re.compile(r"\d{4}-\d\d-\d\d|\b[A-Z]+-[A-Z0-9]+-")
"""A date as ISO has it, and the id of a rule."""


def count_numbers(text: str) -> int:
    """Return how many numbers a reader sees."""
    return len(_NUMBER.findall(text))


def board_rows(page: str) -> list[str]:
    """Return the words of each row of the board."""
    return [" ".join(_MARKUP.sub(" ", row).split()) for row in _ROW.findall(page)]


def over_budget(rows: Iterable[str]) -> list[str]:
    """Return rows with too many words or numbers, another form of dates, or the id of a rule."""
    return [
        row
        for row in rows
        if len(row.split()) > ROW_WORDS
        or count_numbers(row) > ROW_NUMBERS
        or _OTHER_FORMS.search(row)
    ]


def mail_text(content: str) -> str:
    """Return the plain part of a mail as it was sent."""
    body = message_from_string(content, policy=default).get_body(("plain",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content()).replace("\r\n", "\n")
