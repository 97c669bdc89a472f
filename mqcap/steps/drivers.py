"""The business drivers of series on a day: file, settings and plans together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from mqcap.domain.forecast import DriverCourse
from mqcap.ingest.driver_file import read_driver_file
from mqcap.settings.drivers import DriverSettings


def driver_courses(
    settings: DriverSettings, series: Iterable[str], day: date
) -> tuple[dict[str, DriverCourse], tuple[str, ...]]:
    """Return the driver of each series that has one, and what is wrong with the file.

    Values after ``day`` are not used: what is to come is a plan of the settings. A series whose
    driver has no value up to that day is forecast without.
    """
    if settings.file is None:
        return {}, ()
    read = read_driver_file(settings.file)
    problems = list(read.problems)
    by_name = {name: _course(settings, name, days, day) for name, days in read.values.items()}
    courses: dict[str, DriverCourse] = {}
    for identity in sorted(series):
        name = settings.driver_of(identity)
        if name is None:
            continue
        course = by_name.get(name)
        if course is None or not course.values:
            problems.append(f"{settings.file}: no value of {name}, the driver of {identity}")
            continue
        courses[identity] = course
    return courses, tuple(problems)


def _course(
    settings: DriverSettings, name: str, days: Mapping[date, float], last: date
) -> DriverCourse:
    return DriverCourse(
        name=name,
        values={when: value for when, value in days.items() if when <= last},
        plans=settings.plans.get(name, ()),
        gain_min_ratio=settings.gain_min_ratio,
    )
