"""Text before it is shown or logged: no credentials, no control characters, lines of a width."""

import re
import textwrap
from typing import Final
from urllib.parse import urlsplit

MASK: Final = "**********"

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAKING: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_UNDECODED_BYTES: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))
"""What Python has for the bytes of a file name that are not UTF-8."""
_USERINFO: Final = re.compile(r"(?<=://)[^/\s@'\"]*@")

_CREDENTIAL: Final = (
    r"[\w.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token(?!_count)|credentials?|api_?key)\w*"
)
"""Names of settings whose value is a credential, such as KeyRepositoryPassword (ours)."""
_SECRET_NAME: Final = re.compile(_CREDENTIAL, re.IGNORECASE)
_SECRET_VALUE: Final = re.compile(
    rf"({_CREDENTIAL}[\"']?\s*[=:(]\s*[\"']?)[^\s,;)'\"]+", re.IGNORECASE
)


def masked(text: str) -> str:
    """Return the text with user and password of each ``scheme://user:password@host`` masked."""
    return _USERINFO.sub(f"{MASK}@", text)


def holds_secret(address: str) -> bool:
    """Return True when an address contains a user or a password."""
    return _USERINFO.search(address) is not None


def without_credentials(text: str) -> str:
    """Return a text of a file with what is behind names such as ``PASSWORD`` masked."""
    return _SECRET_VALUE.sub(rf"\1{MASK}", text)


def names_credential(key: str) -> bool:
    """Return True for the name of a setting whose value is a credential."""
    return _SECRET_NAME.fullmatch(key) is not None


def place_of(address: str) -> str:
    """Return scheme, host and port; path and query may be secrets, as those of webhooks are."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return MASK
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def harmless(text: str) -> str:
    """Return the text with ``?`` for control characters, but for line feeds and tabs."""
    return _CONTROL.sub("?", text)


def printable(name: str) -> str:
    r"""Return the name of a file on one line; what cannot be printed is escaped: ``M\xc5N.smf``."""
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in name)


def _escaped(letter: str) -> str:
    if letter in _UNDECODED_BYTES:
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return letter.encode("unicode_escape").decode()


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text as lines of at most ``width`` characters, broken between words only.

    A longer word is not cut. Lines after the first begin with ``indent``.
    """
    lines = textwrap.wrap(
        text,
        max(width, 1),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]


def one_line(text: str) -> str:
    """Return text without control characters, safe in a header or a log line."""
    return _BREAKING.sub(" ", text).strip()
