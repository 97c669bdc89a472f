"""``make airflow-releases``: mqcap fits into the images of Airflow's releases, package by package.

An image has the packages that were the newest of its day, as far as Airflow's own limits go; ``uv``
resolves those by the dates of upload, for the extras of the official image. mqcap is then resolved
beside them as ``examples/airflow-image`` installs it: with the same release of Airflow, all its
providers, and no package changed without need. What has to change is named.
"""

import re
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
IMAGE: Final = (
    "aiobotocore,amazon,async,celery,cncf-kubernetes,common-io,common-messaging,docker,elasticsearch"
    ",fab,ftp,git,google,google-auth,graphviz,grpc,hashicorp,http,ldap,microsoft-azure,mysql,odbc"
    ",openlineage,pandas,postgres,redis,sendgrid,sftp,slack,snowflake,ssh,statsd,uv"
)
"""``AIRFLOW_EXTRAS`` of the Dockerfile of Airflow 3.1."""
EXTRAS: Final = ("airflow", "java", "postgres", "spark")
PYTHON: Final = "3.12"
MAY_CHANGE: Final = {"pandas"}
"""Nothing of Airflow needs a certain version of these."""


def changes(release: str, day: str, folder: Path) -> dict[str, str]:
    """Return the packages of a release's image that mqcap replaces: name to ``old -> new``.

    Raises ValueError with the reason of uv where mqcap and the image have no versions in common.
    """
    asked, image, both = (folder / f"{release}{end}" for end in (".in", ".image", ".both"))
    asked.write_text(f"apache-airflow[{IMAGE}]=={release}\n", encoding="utf-8")
    _compile(str(asked), "--exclude-newer", day, "--output-file", str(image))
    both.write_bytes(image.read_bytes())  # uv keeps the versions of a file that it writes again
    extras = [f"--extra={extra}" for extra in EXTRAS]
    _compile("pyproject.toml", str(asked), *extras, "--output-file", str(both))
    old, new = _versions(image), _versions(both)
    return {name: f"{old[name]} -> {new[name]}" for name in old if new[name] != old[name]}


def _versions(file: Path) -> dict[str, str]:
    text = file.read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def _compile(*arguments: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    done = subprocess.run(
        [uv, "pip", "compile", "--quiet", "--python-version", PYTHON, *arguments],
        cwd=CHECKOUT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise ValueError(done.stderr.strip())


def main() -> int:
    fits = True
    with tempfile.TemporaryDirectory() as folder:
        for release, day in RELEASES.items():
            try:
                changed = changes(release, day, Path(folder))
                fits = fits and changed.keys() <= MAY_CHANGE
                said = ", ".join(f"{name} {versions}" for name, versions in changed.items())
                sys.stdout.write(f"Airflow {release}: {said or 'nothing of the image changes'}\n")
            except ValueError as error:
                fits = False
                sys.stdout.write(f"Airflow {release}: {error}\n")
            sys.stdout.flush()
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
