from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from spark_apps.runtime.daemon import IMPORTS_VARIABLE, without_archives


def _installed(site: Path) -> Path:
    """A folder of packages with a PySpark in it; its folder."""
    home = site / "pyspark"
    home.mkdir(parents=True)
    (home / "__init__.py").touch()
    return home


def test_an_installed_pyspark_goes_before_the_archives_of_the_same_one(tmp_path: Path) -> None:
    home = _installed(tmp_path / "site")
    archives = [str(home / "python/lib/pyspark.zip"), str(home / "jars/spark-core.jar")]
    others = ["", str(tmp_path / "app"), str(tmp_path / "sent.zip"), str(home.parent)]
    assert without_archives([*archives, *others], str(home)) == others


def test_a_link_to_the_installed_packages_is_seen_through(tmp_path: Path) -> None:
    home = _installed(tmp_path / "site")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "site")
    archive = str(link / "pyspark/python/lib/pyspark.zip")
    assert without_archives([archive, str(link)], str(home)) == [str(link)]


@pytest.mark.parametrize("home", ["opt/spark", "elsewhere/pyspark", None])
def test_the_archives_of_a_spark_that_is_no_installed_package_stay(
    tmp_path: Path, home: str | None
) -> None:
    _installed(tmp_path / "site")
    spark = tmp_path / (home or "opt/spark")
    path = [str(spark / "python/lib/pyspark.zip"), str(tmp_path / "site")]
    assert without_archives(path, str(spark) if home else None) == path


def _daemon(tmp_path: Path, modules: str) -> subprocess.CompletedProcess[bytes]:
    """The daemon of a session whose workers need the modules; Spark is gone at once."""
    path = os.pathsep.join([str(tmp_path), *sys.path])
    return subprocess.run(
        [sys.executable, "-m", "spark_apps.runtime.daemon", "pyspark.worker"],
        env={**os.environ, "PYTHONPATH": path, IMPORTS_VARIABLE: modules},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


@pytest.mark.thorough
def test_what_the_workers_need_is_imported_before_they_are_forked(tmp_path: Path) -> None:
    for name in ("needed", "also"):
        (tmp_path / f"{name}.py").write_text(f"print('{name}', flush=True)\n", encoding="utf-8")
    done = _daemon(tmp_path, "needed,also")
    assert done.stdout[:-4] == b"needed\nalso\n", done.stderr  # then four bytes: the port


@pytest.mark.thorough
def test_a_module_that_is_not_installed_is_named(tmp_path: Path) -> None:
    done = _daemon(tmp_path, "not_there")
    assert b"No module named 'not_there'" in done.stderr


@pytest.mark.spark
def test_workers_have_the_compiled_modules_of_the_installed_pyspark(spark: SparkSession) -> None:
    def found(_: int) -> tuple[str, list[str]]:
        import sys  # noqa: PLC0415 - in the worker

        import pyspark  # noqa: PLC0415 - in the worker

        return pyspark.__file__, [item for item in sys.path if "spark-core" in item]

    file, jars = spark.sparkContext.parallelize([0], 1).map(found).collect()[0]
    assert Path(file).is_file()
    assert not jars
