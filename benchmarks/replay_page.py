"""The cost of a step on the replay page of a long game, in headless Chromium.

    python -m benchmarks.replay_page --steps 1700 --measured 200

First every step from the first to the last in a row: script, style and layout. Then the last steps,
where the log is longest, in wall milliseconds, each from the start of a frame to its end, paint
included. Also the thread's processor time per step, including the browser's own work, which other
programs on the machine affect less.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from selenium import webdriver

from catan_env.game.game import Game
from catan_env.policy import load_policy
from catan_env.render.replay import replay_html

GO = """
const taken = [];
for (let step = 0; step <= replay.last; step++) {
  const begun = performance.now();
  replay.go(step);
  taken.push(performance.now() - begun);
}
return taken;
"""
STEP = """
const [from, count, done] = arguments;
const taken = [], { port1, port2 } = new MessageChannel();
let begun;
port1.onmessage = () => { taken.push(performance.now() - begun); next(); };
function next() {
  if (taken.length === count) return done(taken);
  requestAnimationFrame(() => {
    begun = performance.now();
    replay.go(from + taken.length);
    port2.postMessage(null); // is heard when the frame is done
  });
}
next();
"""
SIZES = ((1366, 900), (1920, 1080), (390, 844))


def long_game(steps: int) -> Game:
    """The first random game with that many steps, up to there."""
    for seed in range(1000):
        game = Game(4, seed)
        policies = [load_policy("random", 4 * seed + seat) for seat in range(4)]
        while not game.is_over and len(game.events) < steps:
            game.play(policies[game.seat].act(game.view(game.seat)))
        if len(game.events) >= steps:
            return game
    raise ValueError(f"no game lasts {steps} steps")


def measured(
    browser: webdriver.Chrome, size: tuple[int, int], first: int, count: int
) -> tuple[Any, float]:
    """Milliseconds of each step, and processor milliseconds of the thread per step."""
    width, height = size
    view = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
    browser.execute_async_script(STEP, first - 50, 50)  # compiles it
    before = busy(browser)
    taken = browser.execute_async_script(STEP, first, count)
    return np.array(taken), (busy(browser) - before) / count


def busy(browser: webdriver.Chrome) -> float:
    """Processor milliseconds of the main thread so far."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return 1000 * next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1700)
    parser.add_argument("--measured", type=int, default=200)
    chosen = parser.parse_args()
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        parser.error("this needs chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    service = webdriver.ChromeService(driver)
    with (
        tempfile.TemporaryDirectory() as folder,
        webdriver.Chrome(options=options, service=service) as browser,
    ):
        file = Path(folder, "game.html")
        file.write_text(replay_html(long_game(chosen.steps)), encoding="utf-8")
        browser.set_script_timeout(600)
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        for size in SIZES:
            browser.get(file.as_uri())
            taken, thread = measured(browser, size, chosen.steps - chosen.measured, chosen.measured)
            alone = np.array(browser.execute_script(GO))
            p50, p90, p99 = np.percentile(taken, (50, 90, 99))
            print(
                f"{size[0]} x {size[1]}: a step {alone.mean():.1f} ms in the mean, "
                f"{np.percentile(alone, 90):.1f} at the 90th percentile; a frame {p50:.1f} in the "
                f"median, {p90:.1f} at the 90th and {p99:.1f} at the 99th percentile, "
                f"{thread:.1f} ms of the thread"
            )


if __name__ == "__main__":
    main()
