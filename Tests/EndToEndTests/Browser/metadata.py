#!/usr/bin/env python3
"""Reads what the origin's own page says of a channel besides pictures and sound.

Waits until the page lists metadata with each of some titles, then points at the marks of its strip. Prints one line of JSON
with the list, what the page says of a mark of each kind, and what went wrong; saves pictures of the page, wide and narrow,
where it is told a directory.
"""

import argparse
import json
import sys

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS

LISTED = """(titles) => titles.every((title) => window.packagerPlayer?.metadata.some((entry) => entry.title === title))"""

# How often a range counts as new that playlists go on listing while thousands of messages come.
REPEATED = """async () => {
    const { Metadata } = await import("./metadata.js");
    const metadata = new Metadata();
    const range = { id: "r", title: "Break", start: 0, end: 1, isOver: true, attributes: { ID: "r" } };
    let count = 0;
    for (let id = 0; id < 2000; id += 1) {
        if (metadata.takeRanges([range])) count += 1;
        metadata.takeMessage(id, { scheme: "s", id, data: new Uint8Array(1) });
    }
    return count;
}"""

# Below the ruler: breaks and others, and interstitials below them.
ROWS = {"break": 119, "interstitial": 128}


def tooltips(page, row):
    """What is said anywhere along a row of the strip; each once."""
    strip = page.locator("#strip").bounding_box()
    found = []
    for x in range(2, int(strip["width"]), 8):
        page.mouse.move(strip["x"] + x, strip["y"] + row)
        text = page.evaluate("""() => {
            const tooltip = document.querySelector("#tooltip");
            return tooltip.hidden ? null : [...tooltip.children].map(({ textContent }) => textContent);
        }""")
        if text and text not in found:
            found.append(text)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="of the channel's directory")
    parser.add_argument("titles", nargs="+")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    problems, seen = [], {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 1180})
        page.on("pageerror", lambda error: problems.append(str(error)))
        try:
            page.goto(arguments.url, wait_until="domcontentloaded")
            page.wait_for_function(LISTED, arg=arguments.titles, timeout=arguments.seconds * 1000)
            page.wait_for_function("packagerPlayer.state === 'playing'", timeout=120_000)
            for name, row in ROWS.items():
                seen[name] = tooltips(page, row)
            seen["metadata"] = page.evaluate("packagerPlayer.metadata")
            seen["list"] = page.locator("#messages li").all_inner_texts()
            seen["repeated"] = page.evaluate(REPEATED)
            seen["note"] = page.locator("#interstitials").is_visible()
            problems += page.evaluate("packagerPlayer.errors")
            for width in (1280, 390) if arguments.screenshots else ():
                page.set_viewport_size({"width": width, "height": 1180})
                page.wait_for_timeout(500)
                page.screenshot(path=f"{arguments.screenshots}/{width}.png", full_page=True)
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    problems.append(f"the page is {wide} pixels wide where there are {width}")
        except Error as error:
            problems.append(str(error))
        browser.close()
    print(json.dumps({"problems": problems, **seen}))


if __name__ == "__main__":
    sys.exit(main())
