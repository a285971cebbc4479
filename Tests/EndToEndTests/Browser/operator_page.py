#!/usr/bin/env python3
"""Uses the operator page in Chromium as an operator does, by the keyboard alone, and says what was seen.

Prints a line of JSON; exits 0 when nothing was wrong, 1 when something was.
"""

import argparse
import json
import re
import sys
import time
from urllib.parse import urlsplit

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS

TOKEN = "let-me-in"
FOCUSED = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent"
SHOWN = """(count) => [...document.querySelectorAll('.picture img')].filter((image) => image.naturalWidth > 0).length >= count"""
ON_AIR = """([channel, text]) => document.querySelector(`article[aria-label="${channel}"] .source`)?.textContent === text"""
# Colours of the middle of a channel's thumbnail: a picture of one colour is none.
COLOURS = """(channel) => {
    const image = document.querySelector(`article[aria-label="${channel}"] .picture img`);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""
MENDED = """(channel) => {
    const image = document.querySelector(`article[aria-label="${channel}"] .picture img`);
    return !image.hidden && image.naturalWidth > 0;
}"""
WATCHED = """(channel) => / \\d+ viewers?/.test(document.querySelector(`article[aria-label="${channel}"] .edge`)?.textContent)"""
RUNS = """(channel) => [...document.querySelectorAll(`article[aria-label="${channel}"] .timeline rect`)]
    .map((rect) => rect.getAttribute("class")).filter((name) => name !== "nothing")"""
TAKEN = """(token) => !document.querySelector("dialog").open || document.querySelector("dialog input").value !== token"""
BRIGHTNESS = """() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
    return (red + green + blue) / 3;
}"""


class Operator:
    """A page, and what is wrong with it."""

    def __init__(self, browser, arguments):
        self.arguments, self.problems, self.seen = arguments, [], {}
        self.page = browser.new_page(viewport={"width": 1440, "height": 1000}, color_scheme="light")
        self.page.set_default_timeout(arguments.seconds * 1000)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("console", self.hear)

    def hear(self, message):
        if "Content Security Policy" in message.text:
            self.problems.append(message.text)

    def press_until(self, label, key="Tab", most=120):
        """Goes on with the keyboard until something has the focus."""
        for _ in range(most):
            if self.page.evaluate(FOCUSED) == label:
                return
            self.page.keyboard.press(key)
        raise Error(f"the keyboard does not reach \"{label}\"")

    def wait_on_air(self, channel, text):
        self.page.wait_for_function(ON_AIR, arg=[channel, text])

    def shoot(self, name, whole=False):
        if self.arguments.screenshots:
            self.page.screenshot(path=f"{self.arguments.screenshots}/operator-{name}.png", full_page=whole)

    def open(self):
        self.page.goto(self.arguments.url, wait_until="domcontentloaded")
        self.page.wait_for_selector("article")
        self.seen["channels"] = self.page.locator("article h2").all_inner_texts()

    def look(self):
        # On air and both inputs of one channel, and of the other.
        self.page.wait_for_function(SHOWN, arg=5)
        self.seen["colours"] = self.page.evaluate(COLOURS, self.arguments.channel)
        self.wait_on_air(self.arguments.channel, "On air: input-1")
        self.page.wait_for_function(WATCHED, arg=self.arguments.channel)
        self.seen["totals"] = self.page.inner_text("#totals")
        self.shoot("light")

    def see_a_start(self):
        """A channel that waits for its first media is no trouble, and nothing of it is red."""
        def add(route):
            answer = route.fetch()
            channels = answer.json()
            soon = {**channels[0], "name": "soon", "state": "starting", "score": 0, "renditions": []}
            route.fulfill(response=answer, json=channels + [soon])

        self.page.route(re.compile(r"/channels$"), add)
        score = self.page.locator('article[aria-label="soon"] .score')
        score.wait_for()
        self.seen["starting"] = self.page.inner_text("#totals")
        if score.get_attribute("class") != "score":
            self.problems.append(f"a channel that starts has a {score.get_attribute('class')}")
        self.page.unroute(re.compile(r"/channels$"))
        self.page.wait_for_selector('article[aria-label="soon"]', state="detached")

    def mend_a_picture(self):
        """What is no picture is asked for again at the next look."""
        pattern = re.compile(f"/channels/{self.arguments.channel}/thumbnail.jpg$")
        times = []

        def spoil(route):
            times.append(time.monotonic())
            route.fulfill(status=200, content_type="image/jpeg", body="no picture")

        self.page.route(pattern, spoil)
        end = time.monotonic() + self.arguments.seconds
        # A page or an answer may be late once, and not each time.
        while len(times) < 3 or (len(times) < 6 and min(self.pauses(times)) > 3.5):
            if time.monotonic() > end:
                break
            self.page.wait_for_timeout(100)
        self.page.unroute(pattern)
        if len(times) < 3 or min(self.pauses(times)) > 3.5:
            self.problems.append(f"a broken picture is asked for at {times}")
        self.page.wait_for_function(MENDED, arg=self.arguments.channel)

    @staticmethod
    def pauses(times):
        """Seconds between one look and the next, but for those to the first that was in vain."""
        return [later - earlier for earlier, later in zip(times[1:], times[2:])]

    def select(self):
        """Puts the backup on air and holds it, changes the mind, and lets go."""
        channel = self.arguments.channel
        button = f"Put backup-1 on air on {channel}"
        self.press_until(button)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog[open]")
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog:not([open])", state="attached")
        self.press_until(button)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog[open]")
        self.seen["question"] = self.page.inner_text("#dialog-title")
        self.page.locator("#hold").focus()
        self.page.keyboard.press("Space")
        self.shoot("dialog")
        self.page.keyboard.press("Enter")
        self.wait_on_air(channel, "On air: backup-1, held by an operator")
        self.page.wait_for_selector(
            "#events li:has-text('Chosen by a client without a token at 127.0.0.1 through the control API, and held.')")
        self.page.wait_for_function(f"channel => ({RUNS})(channel).includes('backup')", arg=channel)
        self.press_until("Choose automatically…", "Shift+Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog[open]")
        self.press_until("Choose automatically", "Tab", 4)
        self.page.keyboard.press("Enter")
        self.wait_on_air(channel, "On air: backup-1")
        self.seen["runs"] = self.page.evaluate(RUNS, channel)

    def reload(self):
        """Sees what a configuration would change, and takes it up."""
        if not self.arguments.append:
            return
        with open(self.arguments.config, "a") as file:
            file.write(self.arguments.append)
        self.press_until("Reload configuration…", "Shift+Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".report")
        self.seen["report"] = self.page.locator(".report dd").all_inner_texts()
        self.shoot("reload")
        self.page.keyboard.press("Tab")
        self.press_until("Reload", "Tab", 4)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("() => document.querySelectorAll('article').length === 3")
        with open(self.arguments.config, "a") as file:
            file.write("nonsense: 7\n")
        self.press_until("Reload configuration…", "Shift+Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog[open] .problems li")
        self.seen["refusal"] = self.page.inner_text("dialog .problems")
        self.page.keyboard.press("Escape")

    def reload_without_answer(self):
        """Sees that it is waited for, that there is no answer, and the channels again once the packager is back."""
        pattern = re.compile(r"/reload\?dry-run$")
        held = []
        self.page.route(pattern, lambda route: held.append(route))
        self.press_until("Reload configuration…", "Shift+Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog[open] progress")
        self.page.context.set_offline(True)
        held[0].abort()
        self.page.wait_for_selector("dialog[open]:has-text('The packager does not answer')")
        self.page.unroute(pattern)
        self.page.context.set_offline(False)
        self.page.wait_for_selector("dialog:not([open])", state="attached")

    def be_cut_off(self):
        self.page.context.set_offline(True)
        self.page.wait_for_selector("#banner:has-text('The packager does not answer')")
        self.shoot("cut-off")
        self.page.context.set_offline(False)
        self.page.wait_for_selector("#banner", state="hidden")

    def fit(self):
        """On a phone and in the dark."""
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            self.seen[scheme] = self.page.evaluate(BRIGHTNESS)
            self.shoot(scheme, whole=True)
        for width in (1024, 390):
            self.page.set_viewport_size({"width": width, "height": 844})
            self.page.wait_for_timeout(500)
            self.shoot(str(width), whole=True)
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                self.problems.append(f"the page is {wide} pixels wide where there are {width}")

    def sign_in(self):
        """Where the packager, or a proxy before it, asks for a token."""
        self.seen["refused"] = 0

        def guard(route):
            path = urlsplit(route.request.url).path
            if path == "/" or path.endswith((".js", ".css", ".svg")) or route.request.headers.get("authorization") == f"Bearer {TOKEN}":
                route.continue_()
            else:
                self.seen["refused"] += 1
                route.fulfill(status=401, headers={"WWW-Authenticate": "Bearer"}, body="")

        self.page.route("**/*", guard)
        self.page.goto(self.arguments.url, wait_until="domcontentloaded")
        for token in ("wrong", TOKEN):
            self.page.wait_for_selector("dialog[open] input[type=password]")
            self.shoot("token")
            self.page.keyboard.type(token)
            self.page.keyboard.press("Enter")
            self.page.wait_for_function(TAKEN, arg=token)
        self.page.wait_for_selector("article .picture img[src]", state="attached")
        self.page.wait_for_selector("#events li")
        if self.page.locator("dialog[open]").count():
            self.problems.append("the page asks for a token that it has")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the control API")
    parser.add_argument("--channel", default="news", help="one with a backup")
    parser.add_argument("--config", help="the packager's configuration")
    parser.add_argument("--append", help="what is added to it, a third channel")
    parser.add_argument("--seconds", type=float, default=90, help="how long to wait for anything")
    parser.add_argument("--screenshots", help="a directory for them")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        operator = Operator(browser, arguments)
        steps = [
            operator.open, operator.look, operator.see_a_start, operator.mend_a_picture, operator.select, operator.reload,
            operator.reload_without_answer, operator.be_cut_off, operator.fit, operator.sign_in,
        ]
        for step in steps:
            try:
                step()
            except Error as error:
                operator.problems.append(f"{step.__name__}: {error}")
                operator.shoot("failed")
                break
        browser.close()
    print(json.dumps({"problems": operator.problems, **operator.seen}))
    return 1 if operator.problems else 0


if __name__ == "__main__":
    sys.exit(main())
