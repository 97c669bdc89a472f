"""The page in a real browser: what a planner does, with and without a mouse, by day and night.

Pictures are compared first: later tests acknowledge resources, which changes the pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from mq_capacity_page.web.context import current_context
from tests.browser.pictures import TOLERANCE, difference_from_golden
from tests.browser.serving import Served, chromium, serve
from tests.plugins import builder, lake, scores

pytestmark = pytest.mark.end_to_end

DAY: Final = builder.DAY.isoformat()
LOG: Final = "rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1"
PAGES: Final = {
    "overview": "./",
    "plan": "plan?resource=PLEX1/CSQ1/active_log",
    "finding": f"finding?{LOG}",
    "series": f"series?series={builder.LOG}",
    "hours": f"series?series={builder.LOG}&grain=hourly",
    "intervals": f"series?series={builder.LOG}&grain=interval",
    "records": f"trace?series={builder.LOG}&at={DAY}",
    "scorecard": "scorecard",
    "subject": "subject?name=PLEX1/CSQ1",
    "series-list": "series",
    "whatif": "whatif?subject=PLEX1/CSQ1&growth=10-30",
    "losses": "losses",
    "tickets": "tickets",
    "mail": "mail",
    "reports": "reports",
    "completeness": "completeness",
    "data": "data",
    "explain": f"explain?{LOG}&day={DAY}",
    "scenarios": "scenarios",
    "interface": "api",
    "nothing": "./?sysplex=NOWHERE",
    "error": "series?series=none",
}
BOXES: Final = "all => all.map(one => one.getBoundingClientRect().toJSON())"
VIOLATIONS: Final = """document.addEventListener("securitypolicyviolation", (event) =>
    tell(`${location.href}: ${event.violatedDirective} forbids ${event.blockedURI}`))"""
CONTRAST: Final = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
AXE: Final = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(folder)))
        patch.setenv("MQCAP_LAKE", str(lake.fill(folder)))
        current_context.cache_clear()
        builder.filled_store(folder).dispose()
        lake.know_files(folder)
        scores.fill(folder)
        with serve() as running:
            yield running
        current_context().engine.dispose()
        current_context.cache_clear()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


class Reader:
    """A tab, and the complaints of the browser."""

    def __init__(self, browser: Browser, served: Served, **look: Any) -> None:
        look.setdefault("viewport", {"width": 1280, "height": 800})
        self.context = browser.new_context(
            base_url=served.address, timezone_id="UTC", locale="en-GB", **look
        )
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.context.expose_binding("tell", lambda _where, words: self.complaints.append(words))
        self.context.add_init_script(VIOLATIONS)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str) -> Page:
        self.page.goto(path)
        chart = self.page.locator("#chart")
        if chart.count():
            chart.locator(".plotly").first.wait_for()
        return self.page

    def _heard(self, message: Any) -> None:
        expected = "status of 404" in message.text  # the page of an unknown series
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(f"{self.page.url}: {message.text}")


@pytest.fixture
def reader(browser: Browser, served: Served) -> Iterator[Reader]:
    made = Reader(browser, served)
    made.page.set_default_timeout(10_000)
    yield made
    made.context.close()


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
@pytest.mark.parametrize("name", ["overview", "series", "whatif"])
def test_a_page_looks_like_its_golden_picture(
    browser: Browser, served: Served, name: str, look: str
) -> None:
    _compare(browser, served, name, look)


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("name", ["finding", "reports", "scorecard", "tickets"])
def test_a_simpler_page_looks_like_its_golden_picture(
    browser: Browser, served: Served, name: str, look: str
) -> None:
    _compare(browser, served, name, look)


def _compare(browser: Browser, served: Served, name: str, look: str) -> None:
    options: dict[str, Any] = {"color_scheme": "dark" if look == "dark" else "light"}
    if look == "phone":
        options["viewport"] = {"width": 390, "height": 844}
    reader = Reader(browser, served, reduced_motion="reduce", **options)
    taken = reader.open(PAGES[name]).screenshot(animations="disabled")
    reader.context.close()
    assert difference_from_golden(taken, f"{name}-{look}") < TOLERANCE


def test_a_planner_tries_a_plan_and_acknowledges_its_resource(reader: Reader) -> None:
    page = reader.open("./")
    card = page.locator(".card").first
    card.get_by_role("link", name="Try in what-if").click()
    page.locator("#difference").wait_for()
    assert page.get_by_label("Active logs per copy").input_value() == "16"
    page.go_back()
    card.get_by_role("link", name="Details").click()
    assert "Rules of the resource" in page.inner_text("main")
    page.get_by_role("link", name="Acknowledge").click()
    page.wait_for_url("**/finding?**scope=resource#acknowledge")
    assert page.get_by_role("button", name="Save", exact=True).is_visible()
    assert reader.complaints == []


def test_a_planner_finds_the_worst_reads_why_acknowledges_asks_what_if_and_takes_the_report(
    reader: Reader,
) -> None:
    page = reader.open("./")
    worst = page.locator("table.heat tbody tr").first
    assert "CSQ1" in worst.inner_text()
    worst.locator("a.cell").first.click()
    assert "limit = 4050 MiB / 1800 s = 2.25 MiB/s" in page.inner_text("main")
    page.get_by_label("Acknowledged").check()
    page.get_by_label("Reason").fill("ordered DASD")
    page.get_by_role("button", name="Save", exact=True).click()
    assert "Acknowledged by anna: ordered DASD" in page.inner_text("main")
    page.get_by_role("link", name="Chart", exact=True).click()
    page.locator("#chart .plotly").first.wait_for()
    page.get_by_role("link", name="What-if scenario").click()
    page.get_by_label("Growth of everything measured").fill("20")
    page.get_by_role("button", name="Compare").click()
    assert "Changed findings" in page.inner_text("main")
    page.locator("#chart .plotly").first.wait_for()
    page.get_by_role("link", name="Reports").click()
    with page.expect_download() as taken:
        page.get_by_role("link", name="PDF of the Daily report").click()
    assert taken.value.suggested_filename == f"mqcap-daily-{DAY}.pdf"
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF")
    assert reader.complaints == []


def test_a_planner_follows_a_point_to_its_record_and_chooses_units(reader: Reader) -> None:
    page = reader.open(f"series?series={builder.LOG}")
    page.get_by_role("link", name="Hours of 14 days").click()
    page.locator("#chart .plotly").first.wait_for()
    page.get_by_label("Log write rate in").select_option(label="MiB/s")
    page.get_by_label("Times in").select_option("local")
    page.get_by_role("button", name="Save preferences").click()
    page.wait_for_url("**/series?**grain=hourly**")
    page.locator("#chart .plotly").first.wait_for()
    assert "MiB/s; hours in Europe/Copenhagen" in page.locator("#chart").inner_text()
    area = page.locator("#chart .nsewdrag").first
    box = area.bounding_box()
    assert box is not None
    area.click(position={"x": box["width"] * 0.95, "y": box["height"] / 2})
    # the last two of fourteen days have data
    page.wait_for_url("**/trace?**")
    text = page.inner_text("main")
    assert "SYS1.D260131.smf" in text
    assert "QJSTBFFL" in text
    assert "MiB/s" in text
    assert reader.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_and_the_browser_complains_of_nothing(
    browser: Browser, served: Served, scheme: Any
) -> None:
    reader = Reader(browser, served, color_scheme=scheme)
    wrong = []
    for name, path in PAGES.items():
        found = Axe().run(reader.open(path), options=AXE if scheme == "light" else CONTRAST)
        wrong += [
            f"{name}: {violation['id']}: {node['html'][:160]}: {node['failureSummary'][:300]}"
            for violation in found.response["violations"]
            for node in violation["nodes"][:3]
        ]
    reader.context.close()
    assert wrong == []
    assert reader.complaints == []


def test_a_chart_can_be_taken_along_as_a_picture(reader: Reader) -> None:
    page = reader.open(f"series?series={builder.LOG}")
    page.locator("#chart .nsewdrag").first.hover()
    with page.expect_download() as taken:
        page.locator("#chart .modebar-btn").first.click()
    assert Path(taken.value.path()).read_bytes().startswith(b"\x89PNG")
    buttons = page.locator("#chart .modebar-btn").evaluate_all(
        "all => all.map(b => b.dataset.title)"
    )
    assert len(buttons) == 6  # none hands the figures to another server
    assert reader.complaints == []


def test_a_chart_is_saved_as_a_picture_and_its_days_as_csv(reader: Reader) -> None:
    page = reader.open(PAGES["series"])
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save the chart as PNG").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    assert picture.value.suggested_filename.startswith(builder.LOG.replace("/", "-"))
    with page.expect_download() as days:
        page.get_by_role("link", name="Data as CSV").click()
    header, first, *_ = Path(days.value.path()).read_text("utf-8").splitlines()
    assert header.startswith("series_id,site_date,mean,p95,peak,")
    assert first.startswith(f"{builder.LOG},")


def test_what_the_policy_forbids_would_be_seen(reader: Reader) -> None:
    page = reader.open("./")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.wait_for_timeout(100)
    assert any("style-src-attr forbids inline" in complaint for complaint in reader.complaints)


@pytest.mark.parametrize(("width", "rows"), [(1024, 2), (1280, 1), (1440, 1)])
def test_brand_pages_and_day_stand_in_one_row_from_1280_pixels_on(
    browser: Browser, served: Served, width: int, rows: int
) -> None:
    reader = Reader(browser, served, viewport={"width": width, "height": 800})
    page = reader.open("./")
    boxes = [page.locator(f".top {part}").bounding_box() for part in (".brand", "nav", ".day")]
    entry = page.locator(".top nav a").first.bounding_box()
    navigation = boxes[1]
    reader.context.close()
    assert entry is not None
    assert navigation is not None
    assert navigation["height"] == entry["height"], "the entries wrap"
    middles = {round((box["y"] + box["height"] / 2) / 8) for box in boxes if box is not None}
    assert len(middles) == rows


def test_no_page_is_wider_than_a_phone(browser: Browser, served: Served) -> None:
    reader = Reader(browser, served, viewport={"width": 390, "height": 844})
    wide = {}
    for name, path in PAGES.items():
        width = reader.open(path).evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide[name] = width
    reader.context.close()
    assert wide == {}


def test_on_a_phone_the_first_card_is_whole_on_the_first_screen_and_every_target_is_large_enough(
    browser: Browser, served: Served
) -> None:
    reader = Reader(browser, served, viewport={"width": 390, "height": 844})
    page = reader.open("./")
    card = page.locator(".card").first.bounding_box()
    small = page.locator("a:visible, button:visible, input:visible, select:visible").evaluate_all(
        "all => all.filter(e => !e.closest('.skip') && e.getBoundingClientRect().height < 24)"
        ".map(e => e.outerHTML)"
    )
    reader.context.close()
    assert card is not None
    assert card["y"] + card["height"] <= 844
    assert small == []


def test_on_a_phone_every_cell_of_a_what_if_result_is_on_the_screen_with_its_heading(
    browser: Browser, served: Served
) -> None:
    reader = Reader(browser, served, viewport={"width": 390, "height": 844})
    cells = reader.open(PAGES["whatif"]).locator(".differences td, .differences tbody th")
    boxes = cells.evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    headings = cells.evaluate_all("all => all.map(e => getComputedStyle(e, '::before').content)")
    reader.context.close()
    assert boxes
    assert all(box["left"] >= 0 and box["right"] <= 390 and box["width"] > 0 for box in boxes)
    assert all(len(heading.strip('"')) > 3 for heading in headings)


@pytest.mark.parametrize(
    "path",
    [PAGES["whatif"], "whatif?subject=PLEX1/CF01&growth=20", PAGES["series"], PAGES["hours"]],
)
def test_on_a_phone_no_label_of_a_chart_covers_another_one_or_leaves_the_chart(
    browser: Browser, served: Served, path: str
) -> None:
    reader = Reader(browser, served, viewport={"width": 390, "height": 844})
    page = reader.open(path)
    chart = page.locator("#chart").bounding_box()
    ticks, notes, names = (
        page.locator(f"#chart {part}").evaluate_all(BOXES)
        for part in (".xtick text", ".annotation-text", ".legendtext")
    )
    reader.context.close()
    assert chart is not None
    assert len(ticks) >= 2
    for left, right in pairwise(sorted(ticks, key=lambda box: box["left"])):
        assert left["right"] + 4 < right["left"]
    for box in filter(lambda box: box["width"], [*ticks, *notes, *names]):
        assert chart["x"] <= box["left"]
        assert box["right"] <= chart["x"] + chart["width"]


def test_on_a_phone_the_fleet_and_the_summary_of_a_subject_do_not_scroll_sideways(
    browser: Browser, served: Served
) -> None:
    reader = Reader(browser, served, viewport={"width": 390, "height": 844})
    widths = {}
    for name, table in (("overview", ".heat"), ("subject", ".stacked")):
        box = reader.open(PAGES[name]).locator(f".scroll:has({table})").first
        widths[name] = box.evaluate("box => box.scrollWidth - box.clientWidth")
    cells = reader.open(PAGES["overview"]).locator(".heat td:visible")
    headings = cells.evaluate_all("all => all.map(e => getComputedStyle(e, '::before').content)")
    reader.context.close()
    assert widths == {"overview": 0, "subject": 0}
    assert len(headings) >= 2
    assert all(len(heading.strip('"')) > 3 for heading in headings)


@pytest.mark.parametrize("width", [390, 1280])
def test_tables_of_long_names_fit_the_window_and_no_text_is_cut(
    browser: Browser, served: Served, width: int
) -> None:
    reader = Reader(browser, served, viewport={"width": width, "height": 844})
    name = "PAY.ORDERS.INCOMING.FROM.ALL.BRANCHES.OF.BANK.01"
    too_wide: dict[str, list[int]] = {}
    for page in ("overview", "whatif"):
        opened = reader.open(PAGES[page])
        opened.locator(".fleet .name, .heat .of, .differences .subject").evaluate_all(
            "(all, name) => all.forEach(e => { e.textContent = name })", name
        )
        boxes = opened.locator(".scroll:visible, main").evaluate_all(
            "all => all.map(e => e.scrollWidth - e.clientWidth)"
        )
        cut = opened.locator(".card *, .fleet *").evaluate_all(
            "all => all.map(e => getComputedStyle(e).webkitLineClamp).filter(n => n !== 'none')"
        )
        too_wide[page] = [box for box in boxes if box > 0] + [int(lines) for lines in cut]
    reader.context.close()
    assert too_wide == {"overview": [], "whatif": []}


def test_what_is_to_do_is_above_the_fold_of_a_wide_screen(browser: Browser, served: Served) -> None:
    reader = Reader(browser, served, viewport={"width": 1440, "height": 900})
    cards = reader.open("./").locator(".card")
    first, second = cards.nth(0).bounding_box(), cards.nth(1).bounding_box()
    reader.context.close()
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"]
    assert first["width"] < 1440 / 3
    assert first["y"] + 2 * first["height"] < 900  # six of them


def test_everything_is_reached_by_the_keyboard(reader: Reader) -> None:
    page = reader.open("./")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.wait_for_url("**/#main")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className"))
        if any("cell" in one for one in reached):
            break
    assert any("cell" in one for one in reached)
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    page.wait_for_url("**/finding?**")


def test_who_may_only_read_is_offered_no_form(reader: Reader, served: Served) -> None:
    served.rights.methods.discard("PUT")
    try:
        text = reader.open(f"finding?{LOG}").inner_text("main")
    finally:
        served.rights.methods.add("PUT")
    assert "you need a role that may edit the DAG mqcap_daily" in text
    assert reader.page.locator("form.answer").count() == 0


def test_a_user_who_may_not_read_gets_an_explanation(reader: Reader, served: Served) -> None:
    served.rights.methods.clear()
    try:
        answer = reader.page.goto("./")
        text = reader.page.inner_text("main")
    finally:
        served.rights.methods.update({"GET", "PUT"})
    assert answer is not None
    assert answer.status == 403
    assert "Your Airflow role may not read the DAG mqcap_daily" in text


def test_a_chart_that_is_awaited_or_fails_says_so_and_the_figures_stand_below(
    reader: Reader,
) -> None:
    page = reader.page
    page.route("**/figure?**", lambda _held: None)
    page.goto(PAGES["series"])
    assert page.inner_text("#chart") == "Drawing the chart…"
    page.unroute("**/figure?**")
    page.route("**/figure?**", lambda held: held.fulfill(status=503))
    page.goto(PAGES["series"])
    page.get_by_text("The chart cannot be drawn: the server answered 503.").wait_for()
    assert "MB/hour" in page.inner_text("main")
