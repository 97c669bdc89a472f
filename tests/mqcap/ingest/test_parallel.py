import os
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.errors import InputError
from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.parallel import Piece, WorkShares, in_processes
from tests.mqcap.ingest.dumps import small_dump

pytestmark = pytest.mark.thorough


def killed_unless_first(number: int) -> None:
    if number:
        os.kill(os.getpid(), signal.SIGKILL)


def test_an_export_is_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    dumps = [small_dump(tmp_path, name) for name in ("rdw", "bdw")]
    first, second = (
        export(
            {dump: dump.name for dump in dumps},
            tmp_path / str(n),
            ExportFormat.PARQUET,
            processes=n,
        )
        for n in (1, 2)
    )
    assert [path.name for path in first.rows] == [path.name for path in second.rows]
    assert first.summaries == second.summaries
    for path in first.rows:
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()
    assert sorted(first.rows) == sorted((tmp_path / "1").iterdir())


@pytest.mark.parametrize("place", [0, 1])
def test_an_error_in_any_process_is_raised_unchanged(place: int) -> None:
    error = InputError("is cut", file="D", byte_offset=7, remedy="Ask for it again.")

    def work(number: int) -> int:
        if number == place:
            raise error
        return number

    with pytest.raises(InputError) as raised:
        in_processes(work, 2)
    assert (str(raised.value), raised.value.byte_offset) == (str(error), 7)


def test_a_process_that_is_killed_is_reported() -> None:
    with pytest.raises(OSError, match="was killed"):
        in_processes(killed_unless_first, 2)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30))
def test_work_is_dealt_out_evenly_when_the_largest_comes_first(works: list[int]) -> None:
    pieces = [
        Piece(f"dataset {place}", lambda: None, work)
        for place, work in enumerate(sorted(works, reverse=True))
    ]
    shares = [WorkShares(2, number) for number in range(2)]
    owners = [[share.is_ours(piece) for share in shares] for piece in pieces]
    assert all(sum(owner) == 1 for owner in owners)
    first = sum(piece.work for piece, owner in zip(pieces, owners, strict=True) if owner[0])
    assert abs(sum(works) - 2 * first) <= max(works)
