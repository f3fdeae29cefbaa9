"""Scripted players, who know only what is on the page: its controls by their names."""

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PATIENCE = 300
PAUSE = 0.02
MOST_SILENCE = 5
"""Seconds after which a control that changed nothing on the page is used again."""
BANK = r"\d .* for \d .*\("
AT_FIRST = {"Play ": "Play ", BANK: BANK, "Buy a development card": "Play "}
"""Controls that are used whenever they are there, until one of the second pattern was used."""
SAID = """
const said = ["headline", "turn", "ask", "noted"];
return said.map((id) => document.getElementById(id)?.innerText).join();
"""
VISIBLE = """
const named = (node) => node.getAttribute("aria-label") || node.innerText || node.textContent;
const controls = "#board [role=button], #own button, #choices button, #ask a";
return [
  ["headline", "turn", "ask", "noted"].map((id) => document.getElementById(id)?.innerText).join(),
  [...document.querySelectorAll(controls)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("[inert]")
      && node.getAttribute("aria-disabled") !== "true")
    .map((node) => [named(node).trim().replace(/\\s+/g, " "), node]),
];
"""
FOCUSED = """
const node = document.activeElement;
return (node.getAttribute("aria-label") || node.innerText || node.textContent || "").trim()
  .replace(/\\s+/g, " ");
"""


@dataclass(frozen=True)
class Control:
    """A control with a name; `press` uses it, and returns False if it is no longer there."""

    name: str
    press: Callable[[], bool | None]


class Player:
    """Plays a whole game by the names of controls; subclasses find and press them."""

    def __init__(self, browser: webdriver.Chrome, seed: int = 1) -> None:
        self.browser = browser
        self.chance = random.Random(seed)
        self.pressed: list[str] = []
        self._since_end: list[str] = []

    def look(self) -> tuple[str, list[Control]]:
        """The page's text about the game, and the controls that can be used now."""
        raise NotImplementedError

    def play(self, last: str = "") -> None:
        """Play until the page offers the replay, and open it; or until `last` was used."""
        until = time.monotonic() + PATIENCE
        before: Any = None
        since = 0.0
        while True:
            assert time.monotonic() < until, self.pressed[-5:]
            said, found = self.look()
            names = [control.name for control in found]
            replay = [control for control in found if control.name == "Replay"]
            if replay:
                replay[0].press()
                return
            shown = names, said
            is_answered = shown != before or time.monotonic() > since + MOST_SILENCE
            chances = self.chance.getstate()
            name = self.choice(names) if names and is_answered else None
            if name is None:
                time.sleep(PAUSE)
                continue
            before, since = shown, time.monotonic()
            if next(control for control in found if control.name == name).press() is False:
                self.chance.setstate(chances)  # the same control is chosen again
            else:
                self._note(name)
                if name == last:
                    return

    def choice(self, names: list[str]) -> str | None:
        """The name of the control to use; None while there is nothing to decide."""

        def some(pattern: str) -> list[str]:
            return [name for name in names if re.match(pattern, name)]

        if yes := some("Yes$"):
            return yes[0]
        if "Another tile" in names:
            victims = names[: names.index("Another tile")]
            return [name for name in victims if not some_place(name)][-1]
        for pattern, goal in AT_FIRST.items():
            if (found := some(pattern)) and not self._has_used(goal):
                return found[0]
        for pattern in ("build a settlement", "build a city"):
            if places := some(pattern):
                return self.chance.choice(places)
        roads = some("build a road")
        if roads and "End the turn" not in names:
            return self.chance.choice(roads)
        for pattern in ("move the robber", "Discard ", "Take ", "Monopoly "):
            if (found := some(pattern)) and (pattern[0] in "mD" or self._is_new(pattern)):
                return self.chance.choice(found)
        if found := some("Roll the dice"):
            return found[0]
        if decline := some("Decline"):
            accept = some("Accept")
            return accept[0] if accept and self.chance.random() < 0.5 else decline[0]
        for pattern in ("Buy a development card", "Play ", BANK):
            if (found := some(pattern)) and self._is_new(pattern):
                return found[0]
        if "Trade" in names and self._is_new("Trade"):
            return "Trade"
        if roads and self._is_new("build a road"):
            return self.chance.choice(roads)
        return "End the turn" if "End the turn" in names else None

    def _has_used(self, pattern: str) -> bool:
        """True if a control of that pattern was used in this game."""
        return any(re.match(pattern, name) for name in self.pressed)

    def _is_new(self, pattern: str) -> bool:
        """True if no control of that pattern was used since the turn began."""
        return not any(re.match(pattern, name) for name in self._since_end)

    def _note(self, name: str) -> None:
        self.pressed.append(name)
        self._since_end.append(name)
        if name == "End the turn":
            self._since_end.clear()


def some_place(name: str) -> bool:
    return bool(re.match("move the robber|Build a|Buy a", name))


class Mouse(Player):
    """Clicks what is to be seen."""

    def look(self) -> tuple[str, list[Control]]:
        said, found = self.browser.execute_script(VISIBLE)
        return said, [Control(name, lambda node=node: self._click(node)) for name, node in found]

    def _click(self, node: Any) -> None:
        script = "arguments[0].scrollIntoView({block: 'center', inline: 'center'})"
        self.browser.execute_script(script, node)
        node.click()


class Finger(Mouse):
    """Taps what is to be seen."""

    def _click(self, node: Any) -> None:
        x, y = self.browser.execute_script(
            "arguments[0].scrollIntoView({block: 'center', inline: 'center'});"
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2];",
            node,
        )
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            event = {"type": kind, "touchPoints": points}
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)


class Keyboard(Player):
    """Moves the focus by Tab and presses Enter; reads names where the focus is."""

    MOST_STOPS = 400

    def look(self) -> tuple[str, list[Control]]:
        said, found = self.browser.execute_script(VISIBLE)
        return said, [Control(name, lambda name=name: self._reach(name)) for name, _ in found]

    def _reach(self, name: str) -> None:
        for _ in range(self.MOST_STOPS):
            is_there = self.browser.execute_script(FOCUSED) == name
            self._type(Keys.ENTER if is_there else Keys.TAB)
            if is_there:
                return
        raise AssertionError(f"the focus never reaches {name!r}")

    def _type(self, key: str) -> None:
        """Press a key wherever the focus is; an element that has the focus may vanish any time."""
        webdriver.ActionChains(self.browser).send_keys(key).perform()


class Listener(Player):
    """Uses the accessibility tree alone: the roles and names that a screen reader announces.

    The text of the page shows only that it has changed.
    """

    def look(self) -> tuple[str, list[Control]]:
        """The same as in the reading before: the tree follows the page with a delay."""
        before: list[str] | None = None
        while True:
            said, found = self._read()
            names = [control.name for control in found]
            if names == before:
                return said, found
            before = names

    def _read(self) -> tuple[str, list[Control]]:
        page = self._ask("DOM.getDocument", depth=0)["root"]["backendNodeId"]
        found = []
        for role in ("button", "link"):
            nodes = self._ask("Accessibility.queryAXTree", backendNodeId=page, role=role)["nodes"]
            for node in nodes:
                name = node.get("name", {}).get("value", "").strip()
                states = {p["name"]: p["value"].get("value") for p in node.get("properties", ())}
                if not node["ignored"] and not states.get("disabled"):
                    press = self._presser(node["backendDOMNodeId"])
                    found.append(Control(re.sub(r"\s+", " ", name), press))
        return self.browser.execute_script(SAID), found

    def _ask(self, command: str, **values: Any) -> Any:
        return self.browser.execute_cdp_cmd(command, values)

    def _presser(self, number: int) -> Callable[[], bool]:
        def press() -> bool:
            try:
                resolved = self._ask("DOM.resolveNode", backendNodeId=number)
            except NoSuchElementException:  # it was removed since the tree was read
                return False
            answer = self._ask(
                "Runtime.callFunctionOn",
                objectId=resolved["object"]["objectId"],
                functionDeclaration="function() {"
                " if (!this.isConnected || this.closest('[inert]')) return false;"
                " this.dispatchEvent(new MouseEvent('click', { bubbles: true })); return true; }",
            )
            return bool(answer["result"]["value"])

        return press


def heading(browser: webdriver.Chrome) -> str:
    """The first heading of the page."""
    return browser.find_element(By.TAG_NAME, "h1").text
