#!/usr/bin/env python3
"""Uses the player page in Chromium as a viewer does, and says what was seen.

It plays by the keyboard, goes to a shared moment, loses its server and finds it again, and fits on a phone. Prints a line of
JSON; exits 0 when nothing was wrong, 1 when something was.
"""

import argparse
import json
import sys
import urllib.request

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS

PLAYING = "() => window.packagerPlayer?.state === 'playing' && packagerPlayer.utc !== null"
# What is wider than the screen, or cut off in it.
CUT_OFF = """() => [...document.querySelectorAll("button, select, dd, dt, li, h1, .keys")]
    .filter((element) => element.checkVisibility())
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 || element.getBoundingClientRect().left < -0.5
        || (getComputedStyle(element).overflow === "hidden" && element.scrollWidth > element.clientWidth + 1))
    .map((element) => element.id || element.textContent)"""


class Viewer:
    """A page, and what is wrong with it."""

    def __init__(self, browser, arguments):
        self.arguments, self.problems, self.seen = arguments, [], {}
        self.context = browser.new_context(viewport={"width": 1180, "height": 1100})
        self.page, _ = self.open_page(arguments.url)

    def open_page(self, url, until=PLAYING):
        page = self.context.new_page()
        page.set_default_timeout(self.arguments.seconds * 1000)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.goto(url, wait_until="domcontentloaded")
        return page, page.wait_for_function(until).json_value()

    def shoot(self, name, whole=True):
        if self.arguments.screenshots:
            self.page.screenshot(path=f"{self.arguments.screenshots}/viewer-{name}.png", full_page=whole)

    def expect(self, what, condition, argument=None):
        """Waits until something holds of the page."""
        try:
            self.page.wait_for_function(condition, arg=argument)
        except Error as error:
            raise Error(f"{what}: {error}") from error

    def press(self, key, what, condition, argument=None):
        self.page.keyboard.press(key)
        self.expect(what, condition, argument)

    def play_by_keyboard(self):
        """Nothing was clicked: the page has the keyboard from the start."""
        video = "document.querySelector('video')"
        self.press("Space", "space pauses", f"() => {video}.paused")
        self.press("k", "k plays", f"() => !{video}.paused")
        self.press("m", "m mutes", f"() => {video}.muted")
        self.press("m", "m lets be heard", f"() => !{video}.muted")
        self.press("ArrowDown", "an arrow makes it quieter", f"() => Math.abs({video}.volume - 0.9) < 0.01")
        self.press("f", "f fills the screen", "() => document.fullscreenElement?.id === 'screen'")
        self.press("f", "f lets go of the screen", "() => !document.fullscreenElement")
        # The window has 30 s: its second half begins 15 s behind the edge.
        self.press("5", "a digit goes into the window", "() => packagerPlayer.behindLive > 12 && packagerPlayer.state === 'playing'")
        before = self.page.evaluate("packagerPlayer.utc")
        self.press("ArrowLeft", "an arrow goes back", "(before) => packagerPlayer.utc < before - 2", before)
        self.press("l", "l goes to the live edge", "() => packagerPlayer.behindLive < 12")
        # Where the keyboard means something else it is left alone.
        self.page.focus("#mute")
        self.press("Space", "space presses the button that has the focus", f"() => {video}.muted && !{video}.paused")
        self.page.keyboard.press("m")
        self.page.evaluate("document.activeElement.blur()")

    def see_what_is_on_air(self):
        self.expect("what is on air is said", "() => document.querySelector('#on-air').textContent === 'input-1'")
        self.shoot("playing")

    def choose_audio(self):
        for index in (1, 0):
            self.page.select_option("#audio", index=index)
            before = self.page.evaluate("[packagerPlayer.currentTime, packagerPlayer.decodedFrames]")
            self.expect("it plays with other audio", """([time, frames]) => packagerPlayer.currentTime > time + 2
                && packagerPlayer.decodedFrames > frames + 10""", before)
            self.seen.setdefault("audio", []).append(self.page.evaluate("packagerPlayer.audio"))
        self.seen["format"] = self.page.inner_text("#format")
        self.page.evaluate("document.activeElement.blur()")

    def hear(self):
        """What is posted for a segment is listed when the segment is there."""
        body = {"at": "now", "frames": [{"id": "TXXX", "description": "said", "value": "to viewers"}]}
        request = urllib.request.Request(f"{self.arguments.control}/channels/live/metadata", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            answer.read()
        self.expect("timed metadata is listed", """() => packagerPlayer.metadata
            .some(({ title, text }) => title === "ID3" && text === "TXXX said: to viewers")""")

    def share(self):
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.keyboard.press("5")
        self.expect("it plays from further back", "() => packagerPlayer.behindLive > 12 && packagerPlayer.state === 'playing'")
        self.page.click("#share")
        link = self.page.evaluate("navigator.clipboard.readText()")
        self.seen["link"] = link.split("#")[-1]
        other, _ = self.open_page(link)
        other.wait_for_function("() => packagerPlayer.behindLive > 10")
        shared = other.evaluate("Date.parse(new URLSearchParams(location.hash.slice(1)).get('t')) / 1000")
        self.seen["distance"] = other.evaluate("packagerPlayer.utc") - shared
        other.close()
        # It is said for five seconds, which may be over before a busy machine plays.
        said = "() => document.querySelector('#said').textContent"
        old, self.seen["said"] = self.open_page(f"{self.arguments.url}#t=2020-01-01T00:00:00Z", until=said)
        old.close()
        self.page.keyboard.press("l")
        self.expect("it is live again", "() => packagerPlayer.behindLive < 12")

    def fit(self):
        """On a phone."""
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.wait_for_timeout(500)
        self.shoot("390")
        self.seen["cutOff"] = self.page.evaluate(CUT_OFF)
        if not self.page.locator("#fullscreen").is_visible():
            self.problems.append("there is no button for the full screen")
        self.page.set_viewport_size({"width": 1180, "height": 1100})

    def lose_the_server(self):
        self.context.set_offline(True)
        self.expect("the badge says that nobody answers", "() => document.querySelector('#live-text').textContent.startsWith('No answer')")
        self.expect("the veil says why", "() => document.querySelector('#reason').textContent.startsWith('The server cannot be reached')")
        self.shoot("unreachable")
        self.context.set_offline(False)
        self.expect("it plays again", "() => packagerPlayer.state === 'playing' "
                    "&& !document.querySelector('#live').classList.contains('stale')")
        if "Stale" in self.page.inner_text("#live-text"):
            self.problems.append("the page calls stale what nobody could fetch")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the player page of a channel with a window of half a minute and segments of a second")
    parser.add_argument("control", help="the control API, without a slash at its end")
    parser.add_argument("--seconds", type=float, default=120, help="how long to wait for anything")
    parser.add_argument("--screenshots", help="a directory for them")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        viewer = Viewer(browser, arguments)
        steps = [viewer.play_by_keyboard, viewer.see_what_is_on_air, viewer.choose_audio, viewer.hear,
                 viewer.share, viewer.fit, viewer.lose_the_server]
        for step in steps:
            try:
                step()
            except Error as error:
                viewer.problems.append(f"{step.__name__}: {error}")
                viewer.shoot("failed")
                break
        browser.close()
    print(json.dumps({"problems": viewer.problems, **viewer.seen}))
    return 1 if viewer.problems else 0


if __name__ == "__main__":
    sys.exit(main())
