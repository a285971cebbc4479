#!/usr/bin/env python3
"""Reads which subtitles are on the screen in Chromium: on the origin's own page, and with hls.js.

Each English cue says the second of UTC that it is shown in, and is compared with the playhead's. With hls.js the picture of
the text is looked at as well: a frame before a cue begins it is not there, a frame later it is. Then the
page is switched to German, where one text is expected. Prints one line of JSON; exits 0 when all is as it should be, 1 when not.
"""

import argparse
import json
import sys
import time

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS
from watch import open_page

# A page that was not run for a moment has not changed its cues yet: it is read once its timer has been punctual three times.
READ = """async () => {
    let [tick, punctual] = [performance.now(), 0];
    for (let tries = 0; punctual < 3 && tries < 100; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        const now = performance.now();
        punctual = now - tick < 80 ? punctual + 1 : 0;
        tick = now;
    }
    if (punctual < 3) return { utc: null, texts: [] };
    return window.packagerPlayer
        ? { utc: packagerPlayer.utc, texts: packagerPlayer.subtitles }
        : { utc: hls?.playingDate ? hls.playingDate.getTime() / 1000 : null,
            texts: [...player.textTracks].filter(({ mode }) => mode !== "disabled")
                .flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text)) };
}"""

# The same of IMSC 1, whose group is another; hls.js has both groups of a variant that is listed once for each.
CHOOSE_IMSC = """(language) => {
    const index = hls.subtitleTracks.findIndex(({ lang, groupId }) => lang === language && groupId === "subtitles-imsc1");
    if (index >= 0) hls.subtitleTrack = index;
    return index >= 0;
}"""

# One of the languages is English, whatever their order; the origin's own page shows names.
NAMES = {"en": "English", "de": "German"}
CHOOSE = """([language, name]) => {
    if (!window.packagerPlayer) {
        const index = window.hls?.subtitleTracks.findIndex(({ lang }) => lang === language) ?? -1;
        if (index >= 0) hls.subtitleTrack = index;
        return index >= 0;
    }
    const choice = document.querySelector("#subtitles");
    const index = [...choice.options].findIndex(({ textContent }) => textContent === name);
    if (index < 0) return false;
    choice.selectedIndex = index;
    choice.dispatchEvent(new Event("change"));
    return true;
}"""


# Holds the player at a cue that it has media on both sides of, and takes the picture away: nothing is left but the text.
HOLD = """async () => {
    player.pause();
    player.controls = false;
    Object.assign(player.style, { objectFit: "none", objectPosition: "-9999px 0" });
    const reach = (time) => [...Array(player.buffered.length).keys()]
        .some((index) => player.buffered.start(index) < time - 0.7 && time + 0.7 < player.buffered.end(index));
    const track = [...player.textTracks].find(({ mode }) => mode === "showing");
    return [...(track?.cues ?? [])].map(({ startTime }) => startTime).findLast(reach) ?? null;
}"""

SEEK = """(time) => new Promise((resolve) => {
    // Cues change a little after the picture, and are drawn after that.
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(resolve));
    player.addEventListener("seeked", () => setTimeout(drawn, 300), { once: true });
    player.currentTime = time;
})"""

HIDE = """() => {
    for (const track of player.textTracks) if (track.mode === "showing") track.mode = "hidden";
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""

# Of the feed.
FRAME = 1 / 25


def change(page):
    """What is wrong with the pictures of the text around the beginning of a cue."""
    start = page.evaluate(HOLD)
    if start is None:
        return ["no cue has media on both sides of it"]
    before, after, later = (picture(page, start + offset) for offset in (-FRAME, FRAME, 0.5))
    page.evaluate(HIDE)
    empty = page.locator("video").screenshot()
    problems = []
    if after == empty:
        problems.append("there is no text on the screen")
    if before == after:
        problems.append("the text does not change with its cue")
    if after != later:
        problems.append("the text changes after its cue has begun")
    return problems


def picture(page, time):
    page.evaluate(SEEK, time)
    return page.locator("video").screenshot()


def follow(page, deadline, count):
    """Compares what is shown with the playhead, in so many seconds of it; returns what was right and what was not."""
    right, wrong = set(), []
    while len(right) < count and time.monotonic() < deadline and len(wrong) < 5:
        seen = page.evaluate(READ)
        # Near its edges a cue may or may not be there yet.
        if seen["utc"] and seen["texts"] and 0.3 < seen["utc"] % 1 < 0.7:
            expected = time.strftime("%H:%M:%S", time.gmtime(seen["utc"]))
            if seen["texts"] == [expected]:
                right.add(expected)
            else:
                wrong.append(f"{seen['texts']} at {expected}")
        page.wait_for_timeout(50)
    return sorted(right), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="of the channel's directory")
    parser.add_argument("--german", required=True, help="what is said in German")
    parser.add_argument("--imsc", action="store_true", help="IMSC 1 is to be seen as well")
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    result, problems = {}, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        own = browser.new_page()
        own.on("pageerror", lambda error: problems.append(str(error)))
        own.goto(arguments.url, wait_until="domcontentloaded")
        pages = {"own": own, "hls.js": open_page(browser, "hls.js", arguments.url + "index.m3u8", problems, [])}
        if arguments.imsc:
            pages["imsc"] = open_page(browser, "hls.js", arguments.url + "index-imsc1.m3u8", problems, [])
        # The browser has taken its time to start.
        deadline = time.monotonic() + arguments.seconds
        try:
            for name, page in pages.items():
                if name == "imsc":
                    page.wait_for_function(CHOOSE_IMSC, arg="en", timeout=60_000)
                else:
                    page.wait_for_function(CHOOSE, arg=["en", NAMES["en"]], timeout=60_000)
                right, wrong = follow(page, deadline, 3)
                result[name] = right
                problems += wrong
                if len(right) < 3:
                    problems.append(f"{name}: only {right} were right")
                if name != "own":
                    problems += [f"{name}: {problem}" for problem in change(page)]
            own.wait_for_function(CHOOSE, arg=["de", NAMES["de"]], timeout=60_000)
            own.wait_for_function("(text) => packagerPlayer.subtitles.includes(text)", arg=arguments.german, timeout=60_000)
        except Error as error:
            problems.append(str(error))
        browser.close()
    print(json.dumps({"problems": problems, **result}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
