"""Figures that a site measures itself."""

from mqcap.domain.distributed.site_figure import KNOWN, PREFIX, PUBLISHED, UNITS


def test_every_known_figure_has_a_unit_and_no_name_of_a_declared_one() -> None:
    assert set(UNITS) == {*(figure.name for figure in KNOWN), *PUBLISHED}
    assert all(unit and not name.startswith(PREFIX) for name, unit in UNITS.items())
