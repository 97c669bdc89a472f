import gc
import multiprocessing
import shutil
import socket
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, inspect, text

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.domain.feed import FeedDay
from mqcap.store import database, upkeep
from mqcap.store import migrate as migrate_module
from mqcap.store.database import (
    VERSION_TABLE,
    connect,
    newest_revision,
    open_store,
    schema_revision,
    writing,
)
from mqcap.store.feeds import read_feeds, read_source_files, replace_feed_days, upsert_source_files
from mqcap.store.findings import latest_site_date, read_findings, replace_findings
from mqcap.store.migrate import migrate
from mqcap.store.observations import observed_digests, replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.tables import Base, FindingRow
from tests import factories
from tests.factories import DAY
from tests.mqcap.store.postgres import differences_from_models, new_database
from tests.mqcap.store.test_every_aggregate import write_a_day

pytestmark = pytest.mark.thorough


def _open_and_close(url: str) -> str:
    engine = open_store(url)
    engine.dispose()
    return engine.dialect.name


def test_a_new_store_has_every_table_and_no_difference_from_the_models(empty_url: str) -> None:
    engine = open_store(empty_url)
    assert set(Base.metadata.tables) | {VERSION_TABLE} == set(inspect(engine).get_table_names())
    assert differences_from_models(engine) == []
    engine.dispose()


def test_connections_end_with_their_engine(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
    assert driver is not None
    del connection, engine
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        driver.execute("SELECT 1")


def test_opening_twice_keeps_the_rows(store_url: str, engine: Engine) -> None:
    upsert_source_files(engine, [factories.source_file()])
    again = open_store(store_url)
    assert read_source_files(again) == [factories.source_file()]
    again.dispose()


def test_many_processes_may_open_a_new_store_at_once(empty_url: str) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        names = pool.map(_open_and_close, [empty_url] * 6)
    assert len(set(names)) == 1


def test_many_threads_may_write_at_once(engine: Engine) -> None:
    def write(number: int) -> None:
        day = factories.DAY.replace(day=number)
        replace_observations(engine, [day], [factories.observation(day=day)], {day: "x"})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(1, 21)))
    assert len(observed_digests(engine)) == 20


@pytest.mark.parametrize("before", [[], [factories.feed_day(site_date=DAY)]])
def test_two_that_replace_a_day_wait_for_each_other(engine: Engine, before: list[FeedDay]) -> None:
    replace_feed_days(engine, DAY, DAY, before)
    halfway, other_started = threading.Event(), threading.Event()

    def slowly() -> Iterator[FeedDay]:
        halfway.set()
        other_started.wait()
        time.sleep(0.1)  # for the other one to come as far as it can
        yield factories.feed_day(site_date=DAY)

    def other() -> int:
        halfway.wait()
        other_started.set()
        return replace_feed_days(engine, DAY, DAY, [factories.feed_day(site_date=DAY)])

    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(replace_feed_days, engine, DAY, DAY, slowly()), pool.submit(other)]
        assert [run.result() for run in runs] == [1, 1]
    assert len(read_feeds(engine, DAY)) == 1


def test_every_transaction_waits_for_its_tables(postgres_url: str, migrated_url: str) -> None:
    statements: list[str] = []
    with new_database(postgres_url, migrated_url) as url:
        engine = connect(url)
        event.listen(engine, "begin", lambda _connection: statements.append("BEGIN"))
        event.listen(
            engine,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, given, *_: statements.append(
                f"TURN {given['number']}" if "pg_advisory" in statement else statement
            ),
        )
        write_a_day(engine)
        upkeep.prune(engine, {"finding": DAY, "delivery": DAY})
        engine.dispose()
    changed = 0
    turns: set[str] = set()
    for statement in statements:
        words = statement.split()
        if words[0] == "BEGIN":
            turns = set()
        elif words[0] == "TURN":
            turns.add(words[1])
        elif words[0] in {"INSERT", "DELETE", "UPDATE"}:
            table = words[1 if words[0] == "UPDATE" else 2]
            assert str(zlib.crc32(f"mqcap table {table}".encode())) in turns, statement
            changed += 1
    assert changed > len(Base.metadata.tables)


def test_a_failed_transaction_leaves_nothing(engine: Engine) -> None:
    def fail_half_way() -> None:
        with writing(engine, FindingRow) as connection:
            connection.execute(text("DELETE FROM finding"))
            raise KeyError

    replace_findings(engine, factories.DAY, [factories.finding()])
    with pytest.raises(KeyError):
        fail_half_way()
    assert len(read_findings(engine, factories.DAY)) == 1


def test_a_server_that_is_down_is_named_without_its_password() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    url = f"postgresql://mqcap:hidden@127.0.0.1:{port}/store"
    for ask in (open_store, lambda url: schema_revision(connect(url))):
        with pytest.raises(ServiceUnavailable, match=f"127.0.0.1:{port}/store does not") as raised:
            ask(url)
        assert "hidden" not in str(raised.value)
        assert "store.url" in raised.value.remedy


def test_a_server_that_goes_away_later_is_named_too(postgres_url: str) -> None:
    engine = connect(f"{postgres_url}&dbname=nowhere")
    with pytest.raises(ServiceUnavailable, match="nowhere"):
        latest_site_date(engine)
    with pytest.raises(ServiceUnavailable, match="nowhere"):
        save_delivery(engine, factories.delivery())


@pytest.mark.parametrize("url", ["nonsense", "mysql://host/x", "nobase://host/x"])
def test_an_address_that_cannot_be_a_store_is_a_configuration_error(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"store\.url"):
        open_store(url)


def test_a_file_in_the_way_of_the_folder_is_a_configuration_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"file, cannot be made; found .*Set store\.url"):
        connect(f"sqlite:///{tmp_path}/file/store.db")


def test_a_missing_folder_of_the_sqlite_file_is_made(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'deep' / 'er' / 'store.db'}")
    assert latest_site_date(engine) is None
    engine.dispose()


@contextmanager
def another_writer(engine: Engine) -> Iterator[None]:
    """Somebody else is in the middle of changing the observations."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE observation_daily IN ACCESS EXCLUSIVE MODE"))
        else:
            connection.execute(text("DELETE FROM observation_daily"))
        yield
        connection.rollback()


def test_a_writer_waits_and_then_says_so(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 100)
    engine = open_store(store_url)
    locked = r"database is locked|lock timeout"
    with another_writer(engine), pytest.raises(ServiceUnavailable, match=locked):
        replace_observations(engine, [DAY], [], {})
    assert replace_observations(engine, [DAY], [], {}) == 0
    engine.dispose()


def test_the_revision_of_a_store_is_told_without_migrating_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    engine = connect(url)
    assert schema_revision(engine) is None
    migrate(engine)
    assert schema_revision(engine) == newest_revision()
    engine.dispose()


def test_a_store_of_0_2_0_is_migrated_by_a_later_release_which_says_so_once(
    engine: Engine,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    later = tmp_path / "migrations"
    shutil.copytree(database.MIGRATIONS, later)
    (later / "versions" / "9000_later.py").write_text(
        f"revision, down_revision = '9000', '{newest_revision()}'\n"
        "def upgrade(): pass\ndef downgrade(): pass\n",
        "utf-8",
    )
    before = newest_revision()
    for module in (database, migrate_module):
        monkeypatch.setattr(module, "MIGRATIONS", later)
    newest_revision.cache_clear()
    migrate(engine)
    migrate(engine)
    newest_revision.cache_clear()
    [warning] = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    words = f"The store of another release was migrated from schema {before} to 9000;"
    assert warning.startswith(words)
    assert schema_revision(engine) == "9000"


@pytest.mark.parametrize(
    ("revision", "release"), [("9999", "a newer release"), ("0020", "a release before 0.2.0")]
)
def test_a_store_of_another_release_is_refused_in_words(
    engine: Engine, store_url: str, revision: str, release: str
) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE mqcap_version SET version_num = :new"), {"new": revision})
    with pytest.raises(ConfigurationError, match=f"schema of {release}") as refused:
        open_store(store_url)
    assert refused.value.found == f"revision {revision}"


def test_a_file_that_cannot_be_used_is_not_told_to_be_started(tmp_path: Path) -> None:
    (tmp_path / "store.db").mkdir()
    with pytest.raises(ServiceUnavailable, match="found unable to open database file") as raised:
        open_store(f"sqlite:///{tmp_path / 'store.db'}")
    assert "Give the permission, make room" in str(raised.value)


@pytest.mark.parametrize("kept", [0.5, None])
def test_a_cut_store_is_one_sentence_with_the_way_back(tmp_path: Path, kept: float | None) -> None:
    file = tmp_path / "store.db"
    open_store(f"sqlite:///{file}").dispose()
    whole = file.read_bytes()
    file.write_bytes(b"garbage" * 1000 if kept is None else whole[: int(len(whole) * kept)])
    with pytest.raises(ConfigurationError, match=r"no longer a whole SQLite database.*backup"):
        upkeep.check(open_store(f"sqlite:///{file}"))
