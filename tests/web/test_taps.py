"""A finger on the board of a table: a place is lit until another is touched, then confirmed."""

from selenium import webdriver

from tests.web.browser import served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

TAP = """
const place = document.querySelector(`#places [data-kind=CITY][data-place="${arguments[0]}"]`);
place.dispatchEvent(new PointerEvent("click", { pointerType: "touch", bubbles: true }));
return [...document.querySelectorAll("#places .pointed-at")].map((one) => one.dataset.place);
"""


def test_only_the_place_that_was_touched_last_is_lit_and_built_on(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich())
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        for place in ("10", "25"):
            assert browser.execute_script(TAP, place) == [place]
        before = browser.execute_script("return replay.last")
        yes, other = browser.find_elements("css selector", "#acts button")
        assert [yes.text, other.text] == ["Yes", "Another place"]
        yes.click()
        wait(browser, f"replay.last > {before}")
        assert table.game.cities(0) == (25,) and severe(browser) == []
