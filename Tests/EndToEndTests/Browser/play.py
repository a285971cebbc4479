#!/usr/bin/env python3
"""Plays channels on their origins' own pages in Chromium, two side by side, and says whether they really play.

Proof of play is that both the playhead and the number of decoded frames rise. Prints a line of JSON for each page with what
was seen; exits 0 when every expectation held for all of them, 1 when one did not.
"""

import argparse
import json
import sys
import time
from urllib.parse import urlsplit

from playwright.sync_api import Error, TimeoutError, sync_playwright

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--autoplay-policy=no-user-gesture-required",
    "--mute-audio",
    "--disable-gpu",
    "--disable-dev-shm-usage",
]

SNAPSHOT = """() => {
    const player = window.packagerPlayer;
    return player && {
        state: player.state,
        currentTime: player.currentTime,
        utc: player.utc,
        behindLive: player.behindLive,
        decodedFrames: player.decodedFrames,
        droppedFrames: player.droppedFrames,
        keyPeriodsPlayed: [...player.keyPeriodsPlayed],
        gapsJumped: player.gapsJumped,
        stalls: player.stalls,
        audio: player.audio,
        height: player.height,
        errors: player.errors,
        warnings: player.warnings,
        protocols: [...new Set(performance.getEntriesByType("resource").map((entry) => entry.nextHopProtocol))],
        ...window.packagerWatch,
    };
}"""

# From the playhead's first move on: `stalledSeconds` in which it rested for longer than the clock's grain, and `waits`, how
# often the element ran out of media. (Events of media elements do not bubble, but can be captured.) A rest is no fault of the
# stream while the machine did not even run the page's timer (`starvedSeconds`), nor while a second of media lay ahead, with its
# key, and was not decoded (`idleSeconds`): the page itself fails where that does not end. `stops` are the rests, each with what
# was buffered ahead.
WATCH = """() => {
    const player = window.packagerPlayer;
    const watch = (window.packagerWatch = { stalledSeconds: 0, starvedSeconds: 0, idleSeconds: 0, waits: 0, stops: [] });
    let position = player.currentTime;
    let since = null;
    let stop = null;
    let lacksKey = false;
    let tick = performance.now() / 1000;
    const ahead = () => {
        const ranges = document.querySelector("video")?.buffered;
        for (let index = 0; index < (ranges?.length ?? 0); index += 1) {
            if (ranges.start(index) - 0.01 <= position && position < ranges.end(index)) return ranges.end(index) - position;
        }
        return 0;
    };
    setInterval(() => {
        const now = performance.now() / 1000;
        const late = now - tick > 0.2 ? now - tick : 0;
        const passed = late ? 0 : now - tick;
        tick = now;
        watch.starvedSeconds += late;
        since = since === null ? null : since + late;
        if (player.currentTime !== position) {
            position = player.currentTime;
            since = now;
            stop = null;
            lacksKey = false;
        } else if (since !== null && now - since > 0.25) {
            const rest = stop === null ? now - since : passed;
            const isStarved = ahead() > 1 && !lacksKey;
            if (isStarved) watch.idleSeconds += rest;
            else watch.stalledSeconds += rest;
            if (stop === null) watch.stops.push((stop = { position, ahead: ahead(), lacksKey, seconds: 0 }));
            stop.seconds += rest;
        }
    }, 50);
    document.addEventListener("waiting", () => (watch.waits += since === null ? 0 : 1), true);
    document.addEventListener("waitingforkey", () => (lacksKey = true), true);
}"""

# A channel without picture decodes no frames: it has started when it plays.
STARTED = """() => {
    const player = window.packagerPlayer;
    if (!player) return false;
    return player.errors.length > 0 || player.decodedFrames > 0 || (player.state === "playing" && player.height === 0);
}"""

PLAYED = """({ first, advance, frames, periods, gaps }) => {
    const player = window.packagerPlayer;
    return player.errors.length > 0
        || (player.currentTime - first.currentTime >= advance
            && player.decodedFrames - first.decodedFrames >= frames
            && player.keyPeriodsPlayed.size >= periods
            && player.gapsJumped >= gaps);
}"""

# Milliseconds between two looks at a page. Without it the browser looks before each picture that it draws, which a machine
# that is behind does not do.
EVERY = 200

# Pages that play at once: a machine of two cores keeps up with no more.
SIDE_BY_SIDE = 2

SHOWN = "() => document.querySelector('#log .error')?.checkVisibility()"

# What is said in the place of the picture.
SAID = "(reason) => document.querySelector('#reason').textContent.startsWith(reason)"

FAILED = "() => window.packagerPlayer && window.packagerPlayer.errors.length > 0"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="+", help="the player page, / or /NAME/")
    # Generous: an expectation that holds ends the wait, and a machine that runs other tests is slow.
    parser.add_argument("--seconds", type=float, default=240, help="how long to wait for the expectations of two pages")
    parser.add_argument("--minimum-advance", type=float, default=4, help="seconds the playhead must move")
    parser.add_argument("--min-periods", type=int, default=0, help="key periods that must be played")
    parser.add_argument("--maximum-stall", type=float, help="seconds that the playhead may rest once it has moved")
    parser.add_argument("--expect-gap", action="store_true", help="playback must jump over a gap")
    parser.add_argument("--expect-failure", action="store_true", help="playback must fail, and say so")
    parser.add_argument("--ignore-certificates", action="store_true", help="trust whoever signed the origin's")
    parser.add_argument("--reason", help="what the page must say, at its beginning, when playback fails")
    return parser.parse_args()


def milliseconds_until(deadline):
    return max(1, (deadline - time.monotonic()) * 1000)


def is_for_key(url):
    path = urlsplit(url).path
    return path.endswith("/clearkey") or "/keys/" in path


class Viewer:
    """A page of its own, what it asks for, and what is wrong with it."""

    def __init__(self, browser, url, trusts_all):
        self.url, self.problems, self.complaints, self.key_requests, self.first = url, [], [], [], None
        # What is drawn costs more than what is decoded.
        self.page = browser.new_page(viewport={"width": 640, "height": 640}, ignore_https_errors=trusts_all)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("request", lambda request: is_for_key(request.url) and self.key_requests.append(time.time()))
        # What violates the page's content security policy is reported here and nowhere else.
        self.page.on("console", lambda message: "Content Security Policy" in message.text and self.complaints.append(message.text))

    def open(self, arguments, deadline):
        self.page.goto(self.url, wait_until="domcontentloaded", timeout=milliseconds_until(deadline))

    def wait(self, condition, milliseconds, argument=None):
        self.page.wait_for_function(condition, arg=argument, timeout=milliseconds, polling=EVERY)

    def begin(self, arguments, deadline):
        self.wait(STARTED, milliseconds_until(deadline))
        self.page.evaluate(WATCH)
        self.first = self.page.evaluate(SNAPSHOT)
        # Whoever waits for players to be under way reads it.
        print(f"plays {self.url}", file=sys.stderr, flush=True)

    def expect_play(self, arguments, deadline):
        expected = {
            "first": self.first,
            "advance": arguments.minimum_advance,
            # At least five pictures a second, which no slide show of key frames reaches.
            "frames": 5 * arguments.minimum_advance if self.first["height"] else 0,
            "periods": arguments.min_periods,
            "gaps": 1 if arguments.expect_gap else 0,
        }
        self.wait(PLAYED, milliseconds_until(deadline), expected)
        seen = self.page.evaluate(SNAPSHOT)
        self.problems += [f"the page reports: {message}" for message in seen["errors"]]
        if arguments.maximum_stall is not None and seen["stalledSeconds"] > arguments.maximum_stall:
            self.problems.append(f"playback stalled for {seen['stalledSeconds']:.2f} s: {seen['stops']}")

    def expect_failure(self, arguments, deadline):
        self.wait(FAILED, milliseconds_until(deadline))
        self.wait(SHOWN, 10_000)
        if arguments.reason:
            self.wait(SAID, 10_000, arguments.reason)

    def attempt(self, step, arguments, deadline):
        """Takes a step where all before it went well."""
        if self.problems:
            return
        try:
            step(self, arguments, deadline)
        except TimeoutError:
            self.problems.append(f"{step.__name__}: not within {arguments.seconds} s")
        except Error as error:
            self.problems.append(str(error))

    def report(self):
        try:
            seen = self.page.evaluate(SNAPSHOT) or {}
        except Error as error:
            seen = {}
            self.problems.append(str(error))
        self.problems += self.complaints
        return {"url": self.url, "ok": not self.problems, "problems": self.problems, "keyRequests": self.key_requests, **seen}


def watch(browser, urls, arguments):
    """Plays pages side by side, and closes them when all is seen or the time is over."""
    deadline = time.monotonic() + arguments.seconds
    steps = [Viewer.open] + ([Viewer.expect_failure] if arguments.expect_failure else [Viewer.begin, Viewer.expect_play])
    viewers = [Viewer(browser, url, arguments.ignore_certificates) for url in urls]
    for step in steps:
        for viewer in viewers:
            viewer.attempt(step, arguments, deadline)
    reports = [viewer.report() for viewer in viewers]
    for viewer in viewers:
        viewer.page.close()
    return reports


def main():
    arguments = parse_arguments()
    reports = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        for start in range(0, len(arguments.url), SIDE_BY_SIDE):
            reports += watch(browser, arguments.url[start : start + SIDE_BY_SIDE], arguments)
        browser.close()
    for report in reports:
        print(json.dumps(report))
    return 0 if all(report["ok"] for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
