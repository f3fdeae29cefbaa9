"""Links that lead to the start page: an invitation, and the link to one's games."""

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.ui import Select, WebDriverWait

from catan_env.net.room import Close, Effect
from catan_env.web.messages import Enter, Join, Refused, Seated, Welcome
from tests.render.browser import leave_pages
from tests.web.browser import served_room
from tests.web.house import House, new_table
from tests.web.test_page import severe, wait

OPENED = "document.querySelectorAll('#seats select').length === 3"
KEY = "return localStorage.getItem('catan-person')"


def open_link(browser: webdriver.Chrome, link: str) -> None:
    browser.get("about:blank")
    browser.get(link)
    wait(browser, OPENED)


def text(browser: webdriver.Chrome, selector: str) -> str:
    return browser.find_element("css selector", selector).text


def test_an_invitation_leads_back_to_the_seat_when_the_game_has_begun(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", ""))
    house.sit(1, ann.secret)
    invitation = house.heard[1][0].invitation
    ben = house.ask(Join("", "Ben", invitation))
    house.sit(2, ben.secret)
    before = [len(house.heard[line]) for line in (1, 2)]
    for name, person in (("Ann", ann), ("Ben", ben)):
        assert house.ask(Enter(person.key, invitation)).invited == ["Ann", "Ben"]
        again = house.ask(Join(person.key, name, invitation))
        assert again == Seated(person.secret, person.key)
    assert [len(house.heard[line]) for line in (1, 2)] == before
    refused = Refused("this table has no free seat left")
    cleo = house.ask(new_table("", "random", name="Cleo"))
    for key in ("", "unknown", cleo.key):
        assert house.ask(Enter(key, invitation)) == refused
        assert house.ask(Join(key, "Cleo", invitation)) == refused
    assert sum(isinstance(message, Welcome) for message in house.heard[1]) == 1


def test_a_link_that_is_pasted_into_an_open_start_page_is_followed(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", ""))
    house.sit(1, ann.secret)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start")
        browser.get(f"{address}start#{house.heard[1][0].invitation}")
        wait(browser, "!document.getElementById('invited').hidden")
        assert "Ann" in text(browser, "#who")
        browser.get(f"{address}start#me={ann.key}")
        wait(browser, "!document.getElementById('mine').hidden")
        assert browser.execute_script(KEY) == ann.key
        assert severe(browser) == []
        leave_pages(browser)


def test_an_invitation_is_asked_about_again_where_the_server_does_not_answer(
    browser: webdriver.Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", ""))
    house.sit(1, ann.secret)

    def close_once(line: int, now: float) -> list[Effect]:
        monkeypatch.undo()
        return [Close(line)]

    monkeypatch.setattr(house.room, "opened", close_once)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start#{house.heard[1][0].invitation}")
        assert "Ann" in text(browser, "#who")
        assert browser.find_element("id", "join").is_displayed()
        assert severe(browser) == []
        leave_pages(browser)


def two_people(house: House) -> list[Any]:
    """People with a game each."""
    return [house.ask(new_table("", "random", name=name)) for name in ("Ann", "Ben")]


def test_a_damaged_link_to_ones_games_leaves_the_own_key(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann, _ = two_people(house)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start#me={ann.key}")
        for damaged in (ann.key[:-1], "", f"{ann.key}."):
            open_link(browser, f"{address}start#me={damaged}")
            wait(browser, "document.querySelectorAll('.problem')[1].textContent")
            assert "damaged" in browser.find_elements("css selector", ".problem")[1].text
            assert browser.execute_script(KEY) == ann.key
            assert browser.current_url == f"{address}start"
            assert "Ann" in text(browser, "#games")
        leave_pages(browser)


def test_a_link_to_other_games_replaces_a_key_only_when_the_person_agrees(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann, ben = two_people(house)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start#me={ann.key}")
        for answer, key, name in (("dismiss", ann.key, "Ann"), ("accept", ben.key, "Ben")):
            browser.get(f"{address}start#me={ben.key}")
            getattr(wait_for_question(browser), answer)()
            wait(browser, OPENED)
            assert browser.execute_script(KEY) == key
            assert name in text(browser, "#games")
        leave_pages(browser)


def wait_for_question(browser: webdriver.Chrome) -> Any:
    return WebDriverWait(browser, 90).until(alert_is_present())


def test_a_second_click_opens_no_second_table(browser: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start")
        browser.find_element("id", "name").send_keys("Ann")
        Select(browser.find_element("id", "rules")).select_by_value("duel")
        twice = "for (const _ of [1, 2]) document.querySelector('#new button').click()"
        browser.execute_script(twice)
        wait(browser, "window.replay")
        key = browser.execute_script(KEY)
        assert len(house.people.games(key)) == 1
        leave_pages(browser)


def test_a_refused_table_may_be_asked_for_again(browser: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_link(browser, f"{address}start")
        browser.find_element("id", "name").send_keys("Ann")
        Select(browser.find_element("id", "layout")).select_by_value("code")
        browser.find_element("id", "code").send_keys("O10")
        browser.find_element("css selector", "#new button").click()
        wait(browser, "document.querySelectorAll('.problem')[1].textContent")
        Select(browser.find_element("id", "layout")).select_by_value("spiral")
        browser.find_element("css selector", "#new button").click()
        wait(browser, "window.replay")
        leave_pages(browser)
