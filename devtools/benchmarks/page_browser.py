"""Paint times of the page in a headless Chromium, after a warm-up.

Times are the browser's own, in milliseconds from the moment at which it was asked to go to the
address: first and largest contentful paint, and the first frame after the chart is drawn.
"""

from __future__ import annotations

from typing import Any, Final

from tests.browser.serving import chromium, serve

WATCH: Final = """
window.seen = {};
new PerformanceObserver(list => {
  for (const one of list.getEntries()) window.seen.largest = one.startTime;
}).observe({type: "largest-contentful-paint", buffered: true});
new MutationObserver((changes, observer) => {
  if (document.querySelector("#chart .main-svg .scatterlayer .trace")) {
    observer.disconnect();
    requestAnimationFrame(() => { window.seen.chart = performance.now(); });
  }
}).observe(document, {childList: true, subtree: true});
"""
FIRST: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
TRIES: Final = 1_000
WAIT_MS: Final = 20
QUIET_MS: Final = 300
"""Time for which a page is left alone, so that its largest paint is the last one."""


def painted(rounds: int, overview: str, series: str) -> dict[str, list[float]]:
    """Times by what was waited for: one per round, each in a tab of its own."""
    times_by_mark: dict[str, list[float]] = {}
    with serve() as served, chromium() as browser:
        context = browser.new_context(
            base_url=served.address, viewport={"width": 1280, "height": 800}
        )
        context.add_init_script(WATCH)
        for number in range(rounds + 1):
            times = {
                **{f"overview, {name}": value for name, value in _of_page(context, overview)},
                **{f"series, {name}": value for name, value in _of_page(context, series)},
            }
            for name, value in times.items() if number else ():  # the first round warms up
                times_by_mark.setdefault(name, []).append(value)
        context.close()
    return times_by_mark


def _of_page(context: Any, path: str) -> list[tuple[str, float]]:
    page = context.new_page()
    page.goto(path)
    waited = {"first paint": FIRST, "largest paint": "window.seen.largest"}
    if page.locator("#chart").count():
        waited["chart drawn"] = "window.seen.chart"
    for expression in waited.values():
        for _ in range(TRIES):  # the page lets nobody evaluate strings, so it is asked from outside
            if page.evaluate(expression) is not None:
                break
            page.wait_for_timeout(WAIT_MS)
    page.wait_for_timeout(QUIET_MS)
    measured = [(name, float(page.evaluate(expression))) for name, expression in waited.items()]
    page.close()
    return measured
