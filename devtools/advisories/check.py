"""``python -m devtools.advisories.check``: no pinned version may have a known vulnerability.

It asks the file beside it and no network, so that it says the same everywhere. ``make advisories``
renews the file; ``make audit`` asks the public service of today.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from devtools.advisories.advisory import Advisories, load
from tests.pins import pins


def main() -> int:
    """Print what is found; 1 when a pinned version is affected."""
    known, pinned = load(), pins()
    for line in lines(known, pinned):
        sys.stdout.write(f"{line}\n")
    return 1 if known.against(pinned) else 0


def lines(known: Advisories, pinned: dict[str, str]) -> Iterator[str]:
    """One for each affected version, and one that says what was looked at."""
    for one in known.against(pinned):
        names = ", ".join((one.id, *one.aliases))
        mended = f"fixed in {', '.join(one.fixed_in)}" if one.fixed_in else "no fixed version"
        yield f"{one.package} {pinned[one.package]}: {names}; {mended}"
    newest = max(one.published for one in known.advisories if one.published)
    asked = pinned.keys() & set(known.packages)
    yield (
        f"Advisories: {len(known.against(pinned))} of {len(known.advisories)} affect a pin; "
        f"{len(asked)} of {len(pinned)} packages looked up, newest of {newest:%Y-%m-%d}"
    )


if __name__ == "__main__":
    sys.exit(main())
