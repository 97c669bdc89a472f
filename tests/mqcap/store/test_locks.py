from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from mqcap.domain.errors import ServiceUnavailable
from mqcap.store import database
from mqcap.store.database import open_store
from mqcap.store.locks import exclusive


@pytest.mark.thorough
def test_only_one_holder_is_inside_a_lock(engine: Engine) -> None:
    order: list[str] = []
    entered = threading.Event()

    def second() -> None:
        entered.wait()
        with exclusive(engine, "test"):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with exclusive(engine, "test"):
        entered.set()
        time.sleep(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


@pytest.mark.thorough
def test_a_lock_is_waited_for_longer_than_a_row(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    engine = open_store(store_url)
    order: list[str] = []

    def second() -> None:
        with exclusive(engine, "step"):
            order.append("second")

    with exclusive(engine, "step"):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    engine.dispose()


def test_locks_of_different_names_do_not_wait_for_each_other(engine: Engine) -> None:
    with exclusive(engine, "outer"), exclusive(engine, "inner"):
        pass


def test_a_lock_is_released_after_an_error(engine: Engine) -> None:
    with pytest.raises(KeyError), exclusive(engine, "test"):
        raise KeyError
    with exclusive(engine, "test"):
        pass


def test_a_folder_that_is_gone_is_service_unavailable(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'gone' / 'store.db'}")
    with (
        pytest.raises(ServiceUnavailable, match=r"store\.db\.test\.lock cannot be acquired"),
        exclusive(engine, "test"),
    ):
        pass
