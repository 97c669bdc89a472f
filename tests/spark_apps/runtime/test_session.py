from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pyspark import SparkConf
from pyspark.sql import SparkSession

from mqcap.domain.errors import ServiceUnavailable
from mqcap.settings import SparkSettings
from spark_apps.runtime import session
from spark_apps.runtime.session import early_session, kept_session, spark_session


class _Spark:
    """Stands for a session and its builder: what was asked of them."""

    def __init__(self) -> None:
        self.options: dict[str, str] = {}
        self.stopped = 0

    def config(self, conf: Any) -> _Spark:
        self.options = dict(conf.getAll())
        return self

    def getOrCreate(self) -> _Spark:  # noqa: N802 - as Spark calls it
        return self

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def spark_of(monkeypatch: pytest.MonkeyPatch) -> _Spark:
    fake = _Spark()
    monkeypatch.setattr(session, "ensure_java", lambda: None)
    monkeypatch.setattr(session, "SparkConf", lambda: SparkConf(loadDefaults=False))
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(SparkSession, "Builder", lambda: fake)
    return fake


def test_a_session_is_kept_to_the_end_of_a_block_of_apps_else_of_its_own(spark_of: _Spark) -> None:
    with kept_session():
        with pytest.raises(ValueError, match="first"), spark_session("one", SparkSettings()):
            raise ValueError("first")
        assert spark_of.stopped == 0
    assert spark_of.stopped == 1
    with spark_session("decode", SparkSettings()):
        assert spark_of.stopped == 1
    assert spark_of.stopped == 2


def test_a_session_that_starts_early_is_that_of_all_apps_and_stopped_once(spark_of: _Spark) -> None:
    with early_session(SparkSettings(), ()):
        for name in ("one", "two"):
            with spark_session(name, SparkSettings()) as spark:
                assert id(spark) == id(spark_of)
        assert spark_of.stopped == 0
    assert spark_of.stopped == 1


@pytest.mark.parametrize("is_submitted", [False, True])
def test_a_session_that_starts_early_and_nobody_needs_is_stopped_or_left_to_java_if_submitted(
    spark_of: _Spark, monkeypatch: pytest.MonkeyPatch, *, is_submitted: bool
) -> None:
    if is_submitted:
        monkeypatch.setenv(session.SUBMITTED_VARIABLE, "1")
    with early_session(SparkSettings(), ()):
        pass
    assert spark_of.stopped == (not is_submitted)


def test_why_no_session_starts_early_is_raised_where_one_is_needed(
    spark_of: _Spark, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise ServiceUnavailable("no Java")

    monkeypatch.setattr(session, "ensure_java", refuse)
    with early_session(SparkSettings(), ()):
        needed = spark_session("one", SparkSettings())
        with pytest.raises(ServiceUnavailable, match="no Java"), needed:
            pass
    assert spark_of.stopped == 0


def test_pages_and_name_are_those_of_whoever_submits_the_application(
    spark_of: _Spark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(session.SUBMITTED_VARIABLE, raising=False)
    with spark_session("decode", SparkSettings()):
        assert spark_of.options["spark.ui.enabled"] == "false"
        assert spark_of.options["spark.app.name"] == "mqcap decode"
    monkeypatch.setenv(session.SUBMITTED_VARIABLE, "7")
    with spark_session("decode", SparkSettings()):
        assert spark_of.options.keys().isdisjoint({"spark.ui.enabled", "spark.app.name"})


def test_a_session_that_is_not_submitted_prints_errors_alone(spark_of: _Spark) -> None:
    with spark_session("fit", SparkSettings()):
        option = spark_of.options["spark.driver.defaultJavaOptions"]
    name, _, address = option.partition("=")
    assert name == "-Dlog4j2.configurationFile"
    file = Path(unquote(urlsplit(address).path))
    assert "rootLogger.level = error" in file.read_text(encoding="ascii")
