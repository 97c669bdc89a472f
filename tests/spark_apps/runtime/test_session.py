from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pyspark.sql import SparkSession

from mqcap.settings import SparkSettings
from spark_apps.runtime import session
from spark_apps.runtime.daemon import IMPORTS_VARIABLE
from spark_apps.runtime.session import spark_session


class _Spark:
    """Stands for a session, its builder and its context: what was asked of them."""

    def __init__(self) -> None:
        self.options: dict[str, str] = {}
        self.started = 0
        self.stopped = 0
        self.jvm = _Jvm()

    def config(self, conf: Any) -> _Spark:
        self.options = dict(conf.getAll())
        return self

    def getOrCreate(self, conf: Any = None) -> _Spark:  # noqa: N802 - as Spark calls it
        return self

    def stop(self) -> None:
        self.stopped += 1

    @property
    def _jsparkSession(self) -> _Jvm:  # noqa: N802 - as Spark calls it
        return self.jvm


class _Jvm:
    """Stands for the session in the JVM."""

    def __init__(self) -> None:
        self.stopped = 0

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def spark_of(monkeypatch: pytest.MonkeyPatch) -> _Spark:
    fake = _Spark()
    monkeypatch.setattr(session, "SparkContext", fake)
    monkeypatch.setattr(session, "ensure_java", lambda: None)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(SparkSession, "Builder", lambda: fake)

    def start(context: _Spark) -> None:
        context.started += 1

    monkeypatch.setattr(session, "_start_workers", start)
    monkeypatch.setattr(session, "_stopped", [])
    return fake


def test_workers_start_beside_a_session_that_needs_them(spark_of: _Spark) -> None:
    with spark_session("decode", SparkSettings(), "spark_apps.decode_file", "other"):
        assert (spark_of.started, spark_of.stopped) == (1, 0)
    imported = spark_of.options[f"spark.executorEnv.{IMPORTS_VARIABLE}"]
    assert imported == "spark_apps.decode_file,other"
    assert spark_of.jvm.stopped == 1


def test_what_pyspark_keeps_of_a_session_ends_before_the_next_one_begins(spark_of: _Spark) -> None:
    with spark_session("decode", SparkSettings()):
        assert spark_of.jvm.stopped == 0
    assert (spark_of.jvm.stopped, spark_of.stopped) == (1, 0)
    with spark_session("fit", SparkSettings()):
        assert (spark_of.jvm.stopped, spark_of.stopped) == (1, 1)


def test_other_sessions_start_no_workers(spark_of: _Spark) -> None:
    with spark_session("aggregate", SparkSettings()):
        assert spark_of.started == 0
    assert f"spark.executorEnv.{IMPORTS_VARIABLE}" not in spark_of.options
    assert spark_of.options["spark.python.daemon.module"] == "spark_apps.runtime.daemon"


def test_a_session_that_is_not_submitted_prints_errors_alone(spark_of: _Spark) -> None:
    with spark_session("fit", SparkSettings()):
        option = spark_of.options["spark.driver.defaultJavaOptions"]
    name, _, address = option.partition("=")
    assert name == "-Dlog4j2.configurationFile"
    file = Path(unquote(urlsplit(address).path))
    assert "rootLogger.level = error" in file.read_text(encoding="ascii")


def test_a_session_whose_workers_do_not_start_is_stopped(
    spark_of: _Spark, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: _Spark) -> None:
        raise ImportError("No module named 'ingest'")

    monkeypatch.setattr(session, "_start_workers", fail)
    with (
        pytest.raises(ImportError, match="ingest"),
        spark_session("decode", SparkSettings(), "spark_apps.decode_file"),
    ):
        pytest.fail("the session has no workers")
    assert spark_of.stopped == 1
