"""The page in a real browser: what a planner does, with and without a mouse, by day and night.

Pictures are compared first: later tests acknowledge resources, which changes the pages.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from mq_capacity_page.pages.data import dag_runs
from mq_capacity_page.web.context import current_context
from tests.browser.pictures import TOLERANCE, difference_from_golden
from tests.browser.serving import chromium, serve
from tests.plugins import builder, lake, scores

pytestmark = pytest.mark.end_to_end

DAY: Final = builder.DAY.isoformat()
LOG: Final = "rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1"
LOGS: Final = "PLEX1/CSQ1/active_log"
PAGES: Final = {
    "board": "./",
    "resource": f"resource?path={LOGS}",
    "series": f"series?series={builder.LOG}&figure=measured",
    "hours": f"series?series={builder.LOG}&grain=hourly",
    "intervals": f"series?series={builder.LOG}&grain=interval",
    "records": f"trace?series={builder.LOG}&at={DAY}",
    "resources": "resources",
    "resources-of-one": "resources?name=PLEX1/CSQ1",
    "finding": f"finding?{LOG}",
    "whatif": "whatif?subject=PLEX1/CSQ1&growth=10-30",
    "scenarios": "scenarios",
    "reports": "reports",
    "management": "management",
    "data": "data",
    "nothing": "./?site=NOWHERE",
    "error": "series?series=none",
}
VIOLATIONS: Final = """document.addEventListener("securitypolicyviolation", (event) =>
    tell(`${location.href}: ${event.violatedDirective} forbids ${event.blockedURI}`))"""
CONTRAST: Final = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
AXE: Final = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(folder)))
        patch.setenv("MQCAP_LAKE", str(lake.fill(folder)))
        current_context.cache_clear()
        builder.filled_store(folder).dispose()
        lake.know_files(folder)
        scores.fill(folder)
        patch.setattr(dag_runs, "last_runs", list)
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

    def __init__(self, browser: Browser, served: str, **look: Any) -> None:
        look.setdefault("viewport", {"width": 1280, "height": 800})
        self.context = browser.new_context(
            base_url=served, timezone_id="UTC", locale="en-GB", **look
        )
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.context.expose_binding("tell", lambda _where, words: self.complaints.append(words))
        self.context.add_init_script(VIOLATIONS)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def _heard(self, message: Any) -> None:
        expected = "status of 404" in message.text  # the page of an unknown series
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(f"{self.page.url}: {message.text}")


Look = Callable[..., Reader]


@pytest.fixture
def look(browser: Browser, served: str) -> Iterator[Look]:
    """Return a function that opens a tab of some size and colours; all are closed afterwards."""
    with ExitStack() as tabs:

        def opened(**options: Any) -> Reader:
            made = Reader(browser, served, **options)
            tabs.callback(made.context.close)
            return made

        yield opened


@pytest.fixture
def reader(look: Look) -> Reader:
    made = look()
    made.page.set_default_timeout(10_000)
    return made


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *product(["board", "resource", "whatif", "resources"], ["light", "dark", "phone"]),
        *product(["finding", "reports", "management", "data"], ["light", "dark"]),
    ],
)
def test_a_page_looks_like_its_golden_picture(look: Look, name: str, kind: str) -> None:
    options: dict[str, Any] = {"color_scheme": "dark" if kind == "dark" else "light"}
    if kind == "phone":
        options["viewport"] = {"width": 390, "height": 844}
    reader = look(reduced_motion="reduce", **options)
    taken = reader.open(PAGES[name]).screenshot(animations="disabled")
    assert difference_from_golden(taken, f"{name}-{kind}") < TOLERANCE


def test_a_planner_opens_a_row_tries_its_plan_and_acknowledges_the_resource(
    reader: Reader,
) -> None:
    page = reader.open("./")
    row = page.locator(".row-of").first
    assert row.get_by_role("link", name="Try in what-if").is_hidden()
    row.locator("summary").click()
    row.get_by_role("link", name="Try in what-if").click()
    page.locator("#difference").wait_for()
    assert page.get_by_label("Active logs per copy").input_value() == "16"
    reader.open("./").locator(".row-of summary").first.click()
    page.locator(".row-of").first.get_by_role("link", name="Acknowledge").click()
    page.wait_for_url("**/finding?**scope=resource#acknowledge")
    page.get_by_label("Acknowledged").check()
    page.get_by_label("Reason").fill("ordered DASD")
    page.get_by_role("button", name="Save", exact=True).first.click()
    assert "Acknowledged by anna: ordered DASD" in page.inner_text("main")
    assert reader.complaints == []


def test_a_planner_reads_the_chart_compares_a_scenario_and_takes_the_report(
    reader: Reader,
) -> None:
    page = reader.open("resources")
    page.get_by_role("link", name="CSQ1").first.click()
    page.get_by_role("link", name="CSQ1 active logs").first.click()
    page.wait_for_url("**/resource?**")  # the keys of the chart work once its script is there
    page.wait_for_load_state("networkidle")  # and the chart with options has taken its place
    figure = page.locator(".figure")
    figure.focus()
    page.keyboard.press("ArrowLeft")
    assert "Range of 80 %" in page.locator(".readout").inner_text()
    page.get_by_role("link", name="What-if", exact=True).click()
    page.wait_for_url("**subject=PLEX1%2FCSQ1**logs=16**")
    page.locator("summary").filter(has_text="Growth").click()
    page.get_by_label("Growth of everything measured").fill("20")
    page.get_by_role("button", name="Compare").click()
    assert "Changed findings" in page.inner_text("main")
    page.get_by_role("link", name="Reports").click()
    with page.expect_download() as taken:
        page.get_by_role("link", name="PDF of the Daily report").click()
    assert taken.value.suggested_filename == f"mqcap-daily-{DAY}.pdf"
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF")
    assert reader.complaints == []


def test_a_planner_follows_an_hour_of_a_chart_to_its_record(reader: Reader) -> None:
    page = reader.open(PAGES["hours"])
    assert page.locator(".chart-svg .unit").text_content() == "MB/hour"
    area = page.locator(".chart-svg .data")
    box = area.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.97, box["y"] + box["height"] / 2)
    page.wait_for_url("**/trace?**")
    text = page.inner_text("main")
    assert "SYS1.D260131.smf" in text
    assert "QJSTBFFL" in text
    assert "MB/hour" in text
    assert reader.complaints == []


def test_a_filter_applies_when_it_is_chosen_and_a_heading_sorts(reader: Reader) -> None:
    page = reader.open("./")
    page.locator("select[name=site]").select_option("PLEX2")
    page.wait_for_url("**site=PLEX2**")
    assert page.locator(".row-of").count() == 1
    page = reader.open("./")
    page.get_by_role("link", name="Resource", exact=True).click()
    page.wait_for_url("**sort=resource**")
    assert page.locator(".row-of b").first.inner_text() == "CF01 coupling facility"
    assert reader.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_and_the_browser_complains_of_nothing(
    look: Look, scheme: Any
) -> None:
    reader = look(color_scheme=scheme)
    wrong = []
    for name, path in PAGES.items():
        found = Axe().run(reader.open(path), options=AXE if scheme == "light" else CONTRAST)
        wrong += [
            f"{name}: {violation['id']}: {node['html'][:160]}: {node['failureSummary'][:300]}"
            for violation in found.response["violations"]
            for node in violation["nodes"][:3]
        ]
    assert wrong == []
    assert reader.complaints == []


def test_a_chart_is_saved_as_a_picture_and_its_days_as_csv(reader: Reader) -> None:
    page = reader.open(PAGES["series"])
    with page.expect_download() as picture:
        page.get_by_role("button", name="PNG").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    assert picture.value.suggested_filename.startswith(builder.LOG.replace("/", "-"))
    with page.expect_download() as days:
        page.get_by_role("link", name="CSV").click()
    header, first, *_ = Path(days.value.path()).read_text("utf-8").splitlines()
    assert header.startswith("series_id,site_date,mean,p95,peak,")
    assert first.startswith(f"{builder.LOG},")


def test_what_the_policy_forbids_would_be_seen(reader: Reader) -> None:
    page = reader.open("./")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.wait_for_timeout(100)
    assert any("style-src-attr forbids inline" in complaint for complaint in reader.complaints)


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_brand_pages_and_day_stand_in_one_row_on_a_screen(look: Look, width: int) -> None:
    reader = look(viewport={"width": width, "height": 800})
    page = reader.open("./")
    boxes = [page.locator(f".top {part}").bounding_box() for part in (".brand", "nav", ".day")]
    entry = page.locator(".top nav a").first.bounding_box()
    navigation = boxes[1]
    assert entry is not None
    assert navigation is not None
    assert navigation["height"] == entry["height"], "the entries wrap"
    middles = {round((box["y"] + box["height"] / 2) / 8) for box in boxes if box is not None}
    assert len(middles) == 1


def test_no_page_is_wider_than_its_screen_or_longer_than_three(look: Look) -> None:
    beyond = {}
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for width, height in ((1440, 900), (390, 844)):
        reader = look(viewport={"width": width, "height": height})
        for name, path in PAGES.items():
            across, down = reader.open(path).evaluate(size)
            if across > width or down > 3 * height:
                beyond[name, width] = (across, down)
    assert beyond == {}


def test_on_a_phone_the_first_row_is_whole_on_the_first_screen_and_every_target_is_large_enough(
    look: Look,
) -> None:
    reader = look(viewport={"width": 390, "height": 844})
    page = reader.open("./")
    row = page.locator(".row-of").first.bounding_box()
    small = page.locator("a:visible, button:visible, input:visible, select:visible").evaluate_all(
        "all => all.filter(e => !e.closest('.skip') && e.getBoundingClientRect().height < 24)"
        ".map(e => e.outerHTML)"
    )
    assert row is not None
    assert row["y"] + row["height"] <= 844
    assert small == []


def test_a_row_of_the_board_is_about_46_pixels_high_whatever_its_names(look: Look) -> None:
    reader = look(viewport={"width": 1440, "height": 900})
    page = reader.open("./")
    name = "PAY.ORDERS.INCOMING.FROM.ALL.BRANCHES.OF.BANK.01"
    page.locator(".row-of b, .row-of code, .row-of .sub").evaluate_all(
        "(all, name) => all.forEach(e => { e.textContent = name })", name
    )
    heights = page.locator(".row-of").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert heights
    assert all(height <= 48 for height in heights)


def test_on_paper_the_board_has_its_day_whole_words_and_the_colours_of_light(look: Look) -> None:
    reader = look(color_scheme="dark", viewport={"width": 760, "height": 1_000})
    page = reader.open("./")
    page.emulate_media(media="print")
    cut = page.locator(".row b, .row .sub, .row code").evaluate_all(
        "all => all.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth)"
        ".map(e => e.textContent)"
    )
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    heading = page.locator("h1").bounding_box()
    has_navigation = page.locator(".top nav").is_visible()
    assert cut == []
    assert ground == "rgb(255, 255, 255)"
    assert heading is not None
    assert heading["height"] > 10
    assert not has_navigation


@pytest.mark.parametrize("name", ["resource", "series", "hours", "whatif"])
def test_no_word_of_a_chart_leaves_it_or_covers_another_one(look: Look, name: str) -> None:
    for width in (390, 1440):
        reader = look(viewport={"width": width, "height": 844})
        page = reader.open(PAGES[name])
        frame = page.locator(".chart").bounding_box()
        boxes = page.locator(".chart-svg text:visible").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect().toJSON())"
        )
        assert frame is not None
        assert len(boxes) > 4
        assert all(frame["x"] <= box["left"] for box in boxes)
        assert all(box["right"] <= frame["x"] + frame["width"] for box in boxes)
        for place, one in enumerate(boxes):
            assert not [other for other in boxes[place + 1 :] if _overlap(one, other)]


def _overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > 1 and down > 3


def test_everything_is_reached_by_the_keyboard(reader: Reader) -> None:
    page = reader.open("./")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.wait_for_url("**/#main")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Chart and details"
    page.keyboard.press("Enter")
    page.wait_for_url("**/resource?**")


def test_a_chart_stands_without_its_options_where_they_cannot_be_evaluated(
    reader: Reader,
) -> None:
    page = reader.page
    page.route("**/options?**", lambda held: held.fulfill(status=503))
    page.goto(PAGES["resource"])
    assert page.locator(".chart-svg").count() == 1
