"""Notifications sent, and those that a replay would send, in a form that can be compared."""

import hashlib
import re
from email import message_from_string, policy
from typing import Any, Final

from mqcap.domain.delivery import Channel
from tests.faults.site import Contents

ONLY_LIVE: Final = ("ticket ", "mail/")
"""Tickets that were opened and emails that were sent; a replay has neither."""
HANDED_OVER: Final = frozenset({"replay", "stage", "error"})
"""Columns of a delivery that tell whether it was handed over or only stored."""
_REFERENCE: Final = re.compile(
    r"""(?<=^    )[A-Z]+-[0-9A-F]+  (?=http)|(?<=<p class="quiet">)[A-Z]+-[0-9A-F]+, (?=<a )""",
    re.MULTILINE,
)


def comparable(contents: Contents) -> Contents:
    """Everything but what only a live run has: that things were sent, and the tickets' numbers."""
    return {
        name: _planned(value) if name.startswith("delivery ") else value
        for name, value in contents.items()
        if not name.startswith(ONLY_LIVE)
    }


def sent_otherwise(live: Contents) -> list[str]:
    """Mails of the folder that are not, byte for byte, in the store, and the other way round."""
    stored = {
        hashlib.sha256(row["content"].encode("ascii")).hexdigest(): name
        for name, row in live.items()
        if name.startswith("delivery ") and row["channel"] != Channel.ticket
    }
    files = {value: name for name, value in live.items() if name.startswith("mail/")}
    return [{**stored, **files}[item] for item in sorted(stored.keys() ^ files.keys())]


def sent(contents: Contents) -> list[str]:
    return [name for name in contents if name.startswith(ONLY_LIVE)]


def _planned(row: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in HANDED_OVER}
    if row["channel"] != Channel.ticket:
        kept["content"] = parts(row["content"])
    return kept


_IN_TABLE: Final = re.compile(r"(?<=>) ?[A-Z]+-[0-9A-F]+(?=<)")


def parts(content: str) -> list[Any]:
    message = message_from_string(content, policy=policy.default)
    result: list[Any] = [
        [name, text] for name, text in message.items() if name.lower() != "content-type"
    ]
    for part in message.walk():
        if part.is_multipart():
            continue
        body = part.get_content()
        text = _REFERENCE.sub("", _IN_TABLE.sub("", body)) if isinstance(body, str) else body.hex()
        result.append([part.get_content_type(), str(part["Content-ID"]), text])
    return result
