"""The archive of classes is made and used by the real Java and the real Spark."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from devtools.local.class_archive import make_class_archive
from mqcap.domain.errors import ConfigurationError
from spark_apps.runtime import java

pytestmark = pytest.mark.spark


def _spark_version(options: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **java.java_environment(), "SPARK_SUBMIT_OPTS": options}
    submit = Path(env["SPARK_HOME"]) / "bin" / "spark-submit"
    return subprocess.run(
        [submit, "--version"], env=env, capture_output=True, text=True, check=False
    )


def test_spark_starts_from_an_archive_that_fits_and_without_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "spark.jsa"
    if java.CLASS_ARCHIVE.is_file():  # of the installation: another takes a minute
        shutil.copyfile(java.CLASS_ARCHIVE, archive)
    else:
        make_class_archive(archive)
    only = f"{java.JAVA_OPTIONS} -XX:SharedArchiveFile={archive} -Xshare:on"
    assert _spark_version(only).returncode == 0
    archive.chmod(0o644)
    archive.write_bytes(b"damaged")
    assert _spark_version(only).returncode != 0
    monkeypatch.setattr(java, "CLASS_ARCHIVE", archive)
    usual = _spark_version(java.java_environment({})["SPARK_SUBMIT_OPTS"])
    assert usual.returncode == 0
    assert "cds" not in usual.stdout + usual.stderr


def test_in_a_path_with_a_blank_there_is_none_and_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"found a blank in .*Everything works"):
        make_class_archive(tmp_path / "my share" / "spark.jsa")
    assert not (tmp_path / "my share").exists()
