"""The start page in a browser: its seats, its seed, and the link for another person."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import Select

from catan_env.game.board_code import EXAMPLE
from catan_env.net.room import Close, Effect
from catan_env.web.hall import MOST_SEED
from catan_env.web.room import TableRoom
from tests.render.browser import WITHOUT_CLIPBOARD, leave_pages
from tests.web.browser import served_room
from tests.web.house import House, new_table
from tests.web.test_page import severe, wait


def test_two_people_meet_at_a_table_by_a_link(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        chromium.find_element("id", "name").send_keys("Ann")
        for rules, others in (("duel", 1), ("small", 2), ("base", 3)):
            Select(chromium.find_element("id", "rules")).select_by_value(rules)
            seats = chromium.find_elements("css selector", "#seats select")
            assert sum(seat.is_displayed() for seat in seats) == others
        for seat, choice in ((1, "random"), (2, ""), (3, "none")):
            Select(chromium.find_element("id", f"seat-{seat}")).select_by_value(choice)
        Select(chromium.find_element("id", "layout")).select_by_value("code")
        chromium.find_element("id", "code").send_keys(EXAMPLE)
        assert "legal move" in chromium.find_element("id", "seat-1-about").text
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "document.querySelector('#waiting code')")
        assert "1 more person" in chromium.find_element("id", "waiting").text
        link = chromium.find_element("css selector", "#waiting code").text
        ann = chromium.current_window_handle
        chromium.execute_script("localStorage.clear()")  # as in another person's browser
        chromium.switch_to.new_window("tab")
        chromium.get(link)
        wait(chromium, "!document.getElementById('invited').hidden")
        assert "Ann" in chromium.find_element("id", "who").text
        name = chromium.find_element("id", "join-name")
        name.clear()
        name.send_keys("Ben")
        chromium.find_element("css selector", "#join button").click()
        wait(chromium, "window.replay && replay.data.viewer === 2")
        chromium.switch_to.window(ann)
        wait(chromium, "window.replay && document.querySelectorAll('.choice').length === 54")
        assert chromium.execute_script("return replay.data.players") == ["Ann", "random", "Ben"]
        assert EXAMPLE in chromium.find_element("id", "board-code").text
        assert severe(chromium) == []
        leave_pages(chromium)


def test_an_invitation_is_copied_over_plain_http(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        chromium.find_element("id", "name").send_keys("Ann")
        Select(chromium.find_element("id", "seat-1")).select_by_value("")
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "document.querySelector('#waiting code')")
        chromium.execute_script(WITHOUT_CLIPBOARD)
        chromium.find_element("css selector", "#waiting button").click()
        wait(chromium, "copied.length === 1")
        link = chromium.find_element("css selector", "#waiting code").text
        assert chromium.execute_script("return copied") == [link]
        assert chromium.execute_script("return document.activeElement.matches('#waiting button')")
        leave_pages(chromium)


def open_table(chromium: webdriver.Chrome, address: str, seed: str) -> None:
    """Ask for a duel with that seed on the start page."""
    chromium.get(f"{address}start")
    wait(chromium, "document.querySelectorAll('#seats select').length === 3")
    chromium.find_element("id", "name").send_keys("Ann")
    Select(chromium.find_element("id", "rules")).select_by_value("duel")
    chromium.find_element("id", "seed").send_keys(seed)
    chromium.find_element("css selector", "#new button").click()


@pytest.mark.parametrize("seed", [0, 7, (1 << 53) + 1, MOST_SEED])
def test_the_start_page_sends_every_digit_of_a_seed(
    chromium: webdriver.Chrome, tmp_path: Path, seed: int
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_table(chromium, address, str(seed))
        wait(chromium, "window.replay")
        (seating,) = house.room._seatings
        assert seating.table.game.seed == seed
        leave_pages(chromium)


@pytest.mark.parametrize("seed", ["1e30", "-1", "2.5", "9" * 20])
def test_the_start_page_names_the_limit_of_a_seed(
    chromium: webdriver.Chrome, tmp_path: Path, seed: str
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_table(chromium, address, seed)
        field = chromium.find_element("id", "seed")
        assert not chromium.execute_script("return arguments[0].checkValidity()", field)
        assert str(MOST_SEED) in (field.get_attribute("title") or "")
        assert not house.room._seatings
        Select(chromium.find_element("id", "rules")).select_by_value("base")
        field.clear()
        field.send_keys("9" * 19)
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "document.querySelectorAll('.problem')[1].textContent !== ''")
        said = chromium.find_elements("css selector", ".problem")[1].text
        assert said == f"a seed is a whole number from 0 to {MOST_SEED}"


def test_the_start_page_asks_for_the_chosen_pace_and_time(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        chromium.find_element("id", "name").send_keys("Ann")
        Select(chromium.find_element("id", "pace")).select_by_value("1.5")
        Select(chromium.find_element("id", "timeout")).select_by_value("60")
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "window.replay")
        (seating,) = house.room._seatings
        assert seating.pace == 1.5
        assert seating.clock is not None and seating.clock.seconds == 60
        leave_pages(chromium)


def test_the_start_page_lists_games_that_were_won_and_lost(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    """Ann, who plays as the greedy policy, loses the game of seed 3 and wins that of seed 4."""
    house, key = House(tmp_path), ""
    for line, seed in enumerate((3, 4), 1):
        ann = house.ask(new_table("", "greedy", key=key, seed=seed))
        key = ann.key
        house.sit(line, ann.secret)
        house.play_table(line)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start#me={key}")
        wait(chromium, "document.querySelectorAll('#games li').length === 2")
        games = [one.text for one in chromium.find_elements("css selector", "#games li")]
        ends = ["lost in 54 turns", "won in 43 turns"]
        assert sorted(text.partition("; ")[2].partition(".")[0] for text in games) == ends
        assert chromium.find_element("css selector", "#results tbody").text == "greedy 2 1"
        leave_pages(chromium)


def test_the_start_page_proposes_the_adviser_of_the_host(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path, ask="greedy")
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        assert chromium.find_element("id", "advice").get_attribute("value") == "greedy"
        leave_pages(chromium)


class Deaf(TableRoom):
    """A room of a server that restarts: it closes each line."""

    def opened(self, line: int, now: float) -> list[Effect]:
        return [Close(line)]


def test_the_start_page_waits_for_a_server_that_does_not_answer(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with served_room(Deaf(), house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('.problem')[1].textContent !== ''")
        said = chromium.find_elements("css selector", ".problem")[1]
        assert said.text == "The server does not answer."
        assert not chromium.find_element("id", "new").is_displayed()
    with served_room(house.room, house.pages, port=int(address.strip("/").rpartition(":")[2])):
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        assert chromium.find_element("id", "new").is_displayed() and said.text == ""
        leave_pages(chromium)


def test_the_choices_of_the_start_page_are_the_usual_ones_after_the_way_back(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    """Browsers restore controls by their order, and those of the seats are not there at first."""
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        Select(chromium.find_element("id", "pace")).select_by_value("1.5")
        chromium.execute_script("addEventListener('unload', () => {})")  # no page is kept whole
        chromium.get(f"{address}?#elsewhere")
        chromium.back()
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        choices = ("seat-1", "pace", "timeout", "rules", "layout")
        values = [chromium.find_element("id", name).get_attribute("value") for name in choices]
        assert values == ["greedy", "0.6", "", "base", "spiral"]
        leave_pages(chromium)
