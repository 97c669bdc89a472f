"""``make airflow-releases``: mqcap fits into the images of Airflow's releases, package by package.

Airflow's constraints of a release are the newest packages of its day, so those are resolved here
(``uv``, by the dates of upload) for the extras that the official image has, and held while mqcap is
resolved beside them, as ``examples/airflow-image`` installs it: nothing of the image may change.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.airflow_home import CHECKOUT

RELEASES: Final = {
    "3.1.8": "2026-03-12", "3.2.0": "2026-04-08", "3.2.1": "2026-04-23", "3.2.2": "2026-05-30",
    "3.3.0": "2026-07-07", "3.3.1": "2026-08-13", "3.3.2": "2026-09-18",
}  # fmt: skip
"""The day after each release was uploaded; images of 3.1.0 to 3.1.7 have an older SQLAlchemy."""
IMAGE: Final = "amazon,celery,cncf-kubernetes,fab,postgres,smtp,standard,statsd"
EXTRAS: Final = ("airflow", "java", "postgres", "spark")
PYTHON: Final = "3.12"


def conflict(release: str, day: str, folder: Path) -> str:
    """Return why mqcap does not fit into the image of a release; nothing if it fits."""
    asked, image = folder / "image.in", folder / f"{release}.txt"
    asked.write_text(f"apache-airflow[{IMAGE}]=={release}\n", encoding="utf-8")
    _compile(str(asked), "--exclude-newer", day, "--output-file", str(image)).check_returncode()
    extras = [f"--extra={extra}" for extra in EXTRAS]
    done = _compile("pyproject.toml", *extras, "--constraint", str(image))
    return done.stderr.strip() if done.returncode else ""


def _compile(*arguments: str) -> subprocess.CompletedProcess[str]:
    uv = Path(sys.executable).with_name("uv")
    return subprocess.run(
        [uv, "pip", "compile", "--quiet", "--python-version", PYTHON, *arguments],
        cwd=CHECKOUT, check=False, capture_output=True, text=True,
    )  # fmt: skip


def main() -> int:
    """Write a line for each release; returns 1 where one does not fit."""
    fits = True
    with tempfile.TemporaryDirectory() as folder:
        for release, day in RELEASES.items():
            reason = conflict(release, day, Path(folder))
            fits = fits and not reason
            sys.stdout.write(f"Airflow {release}: {reason or 'nothing of the image changes'}\n")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
