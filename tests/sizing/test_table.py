import pytest

from mqcap.domain.errors import ConfigurationError
from sizing.table import FOLDER, curve, interpolate, row, rows

TABLES = sorted(path.stem for path in FOLDER.glob("*.csv"))


@pytest.mark.parametrize("name", TABLES)
def test_every_row_of_a_table_has_a_source(name: str) -> None:
    assert rows(name)
    for item in rows(name):
        assert item["source"]
        assert None not in item


def test_an_unknown_row_names_the_ones_there_are() -> None:
    with pytest.raises(ConfigurationError, match="expected ANY, ANY_TLS12"):
        row("tls_alias", alias="SOME")


def test_interpolation_is_linear_between_points_and_nearest_outside() -> None:
    points = [(1.0, 10.0), (3.0, 20.0), (4.0, 0.0)]
    assert interpolate(points, 2) == 15
    assert interpolate(points, 3) == 20
    assert interpolate(points, 0) == 10
    assert interpolate(points, 9) == 0


def test_a_curve_is_sorted_and_exact_at_its_points() -> None:
    points = curve("cf_host_cost", "message_bytes", "us_per_message", cflevel=4)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert interpolate(points, 65_536) == 862
