"""Words about an estate by what it has."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.estate import Estate
from mqcap.presentation.estate_words import estate_words

PLEX = {"sysplex": "PLEX1"}
SITE = {"site": "EAST", "qmgrs": [{"name": "QM1"}]}
HOSTS = {"hosts": [{"name": "host1"}]}
ZTPF = {"ztpf": [{"name": "TPF1"}]}


def estate(*parts: dict[str, Any]) -> Estate:
    return Estate(
        sysplexes=[part for part in parts if "sysplex" in part],
        places=[part for part in parts if "site" in part],
    )


@pytest.mark.parametrize(
    ("parts", "root", "heading"),
    [
        ((), "sysplex", "Queue manager or CF"),
        ((PLEX,), "sysplex", "Queue manager or CF"),
        ((PLEX | {"linux": [{"name": "LNX1"}]},), "sysplex", "Queue manager, CF or host"),
        ((SITE,), "site", "Queue manager"),
        ((SITE | HOSTS,), "site", "Queue manager or host"),
        ((SITE | HOSTS | ZTPF,), "site", "Queue manager, host or z/TPF system"),
        ((PLEX, SITE | HOSTS), "sysplex or site", "Queue manager, CF or host"),
    ],
)
def test_headings_name_what_the_estate_has(
    parts: tuple[dict[str, Any], ...], root: str, heading: str
) -> None:
    words = estate_words(estate(*parts))
    assert (words.root, words.owner_heading) == (root, heading)
    assert words.owner.capitalize() == heading.replace("CF", "coupling facility").capitalize()


def test_only_sites_have_no_word_of_sysplexes_and_facilities() -> None:
    words = estate_words(estate(SITE | HOSTS | ZTPF))
    assert not words.has_sysplexes
    assert not any(word in str(words) for word in ("sysplex or", "CF", "coupling"))
    assert words.example == "QM1, log, queue…"
    assert estate_words(estate(PLEX)).example == "CSQ1, log, CF01…"
