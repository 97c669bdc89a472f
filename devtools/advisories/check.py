"""``python -m devtools.advisories.check``: no pinned version may have a known vulnerability.

It reads the file beside it and no network, so that its result is stable. ``make advisories``
renews the file; ``make audit`` asks the public service of today.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from devtools.advisories.advisory import Advisories, load
from tests.pins import pins


def main() -> int:
    """Print what is found; 1 when a pinned version is affected."""
    advisories, pinned = load(), pins()
    for line in lines(advisories, pinned):
        sys.stdout.write(f"{line}\n")
    return 1 if advisories.against(pinned) else 0


def lines(advisories: Advisories, pinned: dict[str, str]) -> Iterator[str]:
    """Yield a line for each affected version, and one that sums up what was checked."""
    for advisory in advisories.against(pinned):
        names = ", ".join((advisory.id, *advisory.aliases))
        mended = (
            f"fixed in {', '.join(advisory.fixed_in)}" if advisory.fixed_in else "no fixed version"
        )
        yield f"{advisory.package} {pinned[advisory.package]}: {names}; {mended}"
    newest = max(advisory.published for advisory in advisories.advisories if advisory.published)
    asked = pinned.keys() & set(advisories.packages)
    affecting = len(advisories.against(pinned))
    yield (
        f"Advisories: {affecting} of {len(advisories.advisories)} affect a pin; "
        f"{len(asked)} of {len(pinned)} packages looked up, newest of {newest:%Y-%m-%d}"
    )


if __name__ == "__main__":
    sys.exit(main())
