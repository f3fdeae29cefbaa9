"""A page in headless Chromium, operated like a person would."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 600
"""Seconds that a page may take on a busy machine."""
ARGUMENTS = (
    "headless=new", "no-sandbox", "disable-gpu", "disable-gpu-compositing", "disable-dev-shm-usage",
    "disable-site-isolation-trials", "process-per-site", "renderer-process-limit=1",
    "disable-extensions", "disable-background-networking", "disable-component-update",
)  # fmt: skip
"""Those after the fifth start fewer processes and tasks than a person's browser has."""
AS_STARTED: dict[str, dict[str, Any]] = {
    "Emulation.clearDeviceMetricsOverride": {},
    "Emulation.setTouchEmulationEnabled": {"enabled": False},
    "Emulation.setEmulatedMedia": {"media": "", "features": []},
    "Browser.resetPermissions": {},
    "Network.clearBrowserCache": {},
    "Network.clearBrowserCookies": {},
    "Storage.clearDataForOrigin": {"origin": "file://", "storageTypes": "all"},
}
"""The commands of Chromium's DevTools that undo what tests change."""


def opened_browser() -> Iterator[webdriver.Chrome]:
    """Chromium from Debian's package; the test is skipped without it, but fails in CI."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing = "this needs chromium and chromium-driver (apt-get install them)"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ARGUMENTS:
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(driver)
    with webdriver.Chrome(options=options, service=service) as opened:
        opened.set_script_timeout(PATIENCE)
        yield opened


def renew(browser: webdriver.Chrome) -> None:
    """Close every page, and undo what tests change in a browser."""
    leave_pages(browser)
    for command, values in AS_STARTED.items():
        browser.execute_cdp_cmd(command, values)


def leave_pages(browser: webdriver.Chrome) -> None:
    """Close all tabs but one: a page whose table is gone would keep trying to reach it."""
    first, *others = browser.window_handles
    for tab in others:
        browser.switch_to.window(tab)
        browser.close()
    browser.switch_to.window(first)
    browser.get("about:blank")
    browser.get_log("browser")


SHOWN = """
const textOf = (node) => (node.innerText ?? node.textContent).trim();
return [...document.querySelectorAll(arguments[0])]
  .map((node) => (node.matches("option") || node.checkVisibility() ? textOf(node) : ""));
"""
"""The shown texts of elements, all in one request."""


class Page:
    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def tell(self, expression: str) -> Any:
        return self.browser.execute_script(f"return {expression}")

    @property
    def step(self) -> int:
        return self.tell("replay.step")

    def go(self, step: int) -> None:
        self.tell(f"replay.go({step})")

    def click(self, name: str) -> None:
        self.browser.find_element(By.ID, name).click()

    def press(self, *keys: str) -> None:
        body = self.browser.find_element(By.TAG_NAME, "body")
        actions = webdriver.ActionChains(self.browser, duration=0).move_to_element(body)
        for key in keys[:-1]:
            actions = actions.key_down(key)
        actions = actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions = actions.key_up(key)
        actions.perform()

    def text(self, selector: str) -> str:
        return self.browser.find_element(By.CSS_SELECTOR, selector).text

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.browser.execute_script(SHOWN, selector)
        return found

    def see(self, sight: int) -> None:
        Select(self.browser.find_element(By.ID, "sight")).select_by_value(str(sight))

    def wait(self, expression: str) -> None:
        WebDriverWait(self.browser, PATIENCE, 0.05).until(lambda _: self.tell(expression))


WITHOUT_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
window.copied = [];
document.addEventListener("copy", () => copied.push(document.activeElement.value));
"""
"""Plain HTTP from another machine; `copied` gets the texts that the page copies."""


def opened(browser: webdriver.Chrome, file: Path, width: int = 1366, height: int = 900) -> Page:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    browser.get_log("browser")
    browser.get(file.as_uri())
    return Page(browser)
