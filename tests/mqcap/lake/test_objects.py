import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.lake.location import Location, below, open_lake
from mqcap.lake.objects import LakeUnavailable, ObjectLocation, filesystem, using
from tests.memory_lake import filled, memory_lake

KEYS = (
    "a/x=1/1.parquet",
    "a/x=1/.2.parquet",
    "a/x=2/3.parquet",
    "a-b/x=1/4.parquet",
    "a/x=2.json",
    "top.json",
)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, ObjectLocation]:
    lake = memory_lake()
    for key in KEYS:
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).write_text(key, encoding="utf-8")
    return tmp_path, filled(lake, {key: key.encode() for key in KEYS})


@pytest.mark.parametrize(
    "pattern",
    ["*", "a/*", "a/x=*", "a/x=*/*", "a/x=*/*.parquet", "*/x=1/*", "*/x=1/.*", "top.json", "none",
     "none/*", "a/*.json", "*/*/*", "a/x=?"],
)  # fmt: skip
def test_patterns_find_what_a_folder_has(places: tuple[Path, ObjectLocation], pattern: str) -> None:
    folder, lake = places
    assert names(lake, pattern) == names(folder, pattern)


def names(lake: Location, pattern: str) -> list[str]:
    every: list[Location] = list(lake.glob(pattern))
    return [str(below(found, lake)) for found in sorted(every)]


@pytest.mark.parametrize("key", ["a", "a/x=1", "a/x=1/1.parquet", "a/x=3", "top.json"])
def test_files_and_folders_are_as_locally(places: tuple[Path, ObjectLocation], key: str) -> None:
    folder, lake = places
    asked: tuple[Callable[[Location], object], ...] = (
        lambda place: place.is_file(),
        lambda place: place.is_dir(),
        lambda place: (place.name, (place / "b").parent == place),
    )
    for each in asked:
        assert each(lake / key) == each(folder / key)


def test_contents_length_and_address_are_the_object_s(places: tuple[Path, ObjectLocation]) -> None:
    _, lake = places
    file = lake / "a" / "x=1/1.parquet"
    assert file.read_bytes() == b"a/x=1/1.parquet"
    assert file.stat().st_size == len("a/x=1/1.parquet")
    assert str(file) == f"{lake}/a/x=1/1.parquet"
    assert open_lake(str(file)) == file == file.absolute()
    assert pickle.loads(pickle.dumps(file)) == file  # noqa: S301 - as Spark sends it


def test_what_does_not_exist_cannot_be_read(places: tuple[Path, ObjectLocation]) -> None:
    _, lake = places
    asked: tuple[Callable[[Location], object], ...] = (
        lambda place: place.read_bytes(),
        lambda place: place.stat(),
        lambda place: place.unlink(),
    )
    for each in asked:
        with pytest.raises(FileNotFoundError):
            each(lake / "none")
    (lake / "none").unlink(missing_ok=True)


def test_a_removed_object_is_gone_and_others_stay(places: tuple[Path, ObjectLocation]) -> None:
    _, lake = places
    (lake / "top.json").unlink()
    (lake / "a" / "x=1").remove_all()
    (lake / "none").remove_all()
    left = [str(below(place, lake)) for place in lake.files_below()]
    assert left == ["a/x=2/3.parquet", "a/x=2.json", "a-b/x=1/4.parquet"]


def test_files_are_sent_and_fetched(places: tuple[Path, ObjectLocation], tmp_path: Path) -> None:
    _, lake = places
    for content in (b"", b"content"):
        (tmp_path / "sent").write_bytes(content)
        (lake / "new").upload(tmp_path / "sent")
        (lake / "new").download(tmp_path / "fetched")
        assert (tmp_path / "fetched").read_bytes() == content


def test_an_address_needs_a_bucket() -> None:
    with pytest.raises(ConfigurationError, match="names no bucket"):
        open_lake("s3://")


PLACE = ObjectLocation("memory", ("lake", "a"))
ANSWER = "When reading 'a' in bucket 'lake': AWS Error {} during {} operation: key AKIA1 is wrong"


@pytest.mark.parametrize(
    ("code", "operation", "remedy"),
    [
        ("ACCESS_DENIED", "PutObject", "Check the credentials"),
        ("INVALID_ACCESS_KEY_ID", "GetObject", "Check the credentials"),
        ("NO_SUCH_BUCKET", "ListObjectsV2", "Create the bucket"),
        ("NETWORK_CONNECTION", "HeadObject", "Check that this machine reaches"),
        ("UNKNOWN (HTTP status 503)", "GetObject", "Check that this machine reaches"),
    ],
)
def test_a_failure_says_what_was_refused_and_helps(code: str, operation: str, remedy: str) -> None:
    with pytest.raises(LakeUnavailable) as raised, using(PLACE, "read"):
        raise OSError(ANSWER.format(code, operation))
    sentence = str(raised.value)
    assert sentence.startswith(f"memory://lake/a cannot be read; found {code} of {operation}. ")
    assert remedy in sentence
    assert "AKIA1" not in sentence
    assert raised.value.__cause__ is None


def test_objects_that_cannot_be_deleted_are_refused() -> None:
    refused = pytest.raises(LakeUnavailable, match="found ACCESS_DENIED of DeleteObjects")
    with refused, using(PLACE, "written"):
        raise OSError("Got the following 1 errors when deleting objects in S3 bucket 'lake': x")


def test_what_does_not_exist_and_what_the_disk_says_stay_as_they_are() -> None:
    for error in (FileNotFoundError("a"), OSError(28, "No space left on device")):
        with pytest.raises(type(error)) as raised, using(PLACE, "read"):
            raise error
        assert raised.value is error


def test_a_kind_of_store_that_is_not_known_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="kind nosuch:// cannot be opened"):
        filesystem("nosuch")
