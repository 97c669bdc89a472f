"""Lines of a mail about a forecast."""

from __future__ import annotations

from mqcap.notifications.outlook import forecast_lines
from tests.factories import crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding

QUALITY = (
    "Forecast: prophet on 240 days, 3 more excluded as outliers or artefacts; 78 % of the hold-out "
    "days inside the prediction interval (nominal 80 %), error 4.2 %."
)


def test_the_lines_are_growth_model_and_incomplete_data() -> None:
    soon = builders.problem(cf_finding(), crossing(cf_finding()))
    measured = builders.forecast(soon.finding).model_copy(
        update={"coverage_ratio": 0.78, "smape_pct": 4.2, "removed_count": 3}
    )
    assert forecast_lines(soon, measured) == (
        "Growth: +1.8 points a month (+3.583 %), by the forecast.",
        QUALITY,
    )
    lacking = measured.model_copy(update={"data_note": "3 of 240 days are incomplete."})
    assert forecast_lines(soon, lacking)[-1] == (
        "Forecast on incomplete data. 3 of 240 days are incomplete."
    )
    refused = measured.model_copy(update={"refusal": "12 days of data"})
    assert forecast_lines(soon, refused) == ("No forecast: 12 days of data.",)
    assert forecast_lines(soon, None) == ()
