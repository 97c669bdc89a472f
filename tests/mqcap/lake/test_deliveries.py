from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.lake.deliveries import Deliveries


def test_the_first_receipt_stays_whatever_is_withdrawn_and_taken_back(tmp_path: Path) -> None:
    deliveries = Deliveries.load(tmp_path)
    deliveries.receive("a")
    received = deliveries.received_utc("a")
    for _ in range(2):
        deliveries.withdraw("a")
    deliveries.save()
    again = Deliveries.load(tmp_path)
    assert again.is_withdrawn("a")
    assert [again.take_back("a"), again.take_back("a")] == [True, False]
    assert not again.is_withdrawn("a")
    again.receive("a")
    assert again.received_utc("a") == received is not None
    assert again.received_utc("b") is None


def test_a_damaged_file_is_one_sentence_with_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "landing").mkdir()
    (tmp_path / "landing" / "deliveries.json").touch()
    with pytest.raises(InputError, match=r"deliveries\.json: when delivered files .* backup"):
        Deliveries.load(tmp_path)
