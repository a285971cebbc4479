#!/usr/bin/env python3
"""Plays a stream with hls.js that says how it fares (CMCD): once in queries, and once in fields from another origin.

Prints a line once both play, runs the first one dry when told to by a line of input, prints another once it plays on, and
ends with its input. Exits 1 where one of them does not play.
"""

import json
import sys
import time
import urllib.parse

from playwright.sync_api import sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS
from watch import expect_play, open_page

url = sys.argv[1]
problems = []
with sync_playwright() as playwright:
    # The page of another origin is made here, and Chromium would not let it ask this machine.
    local = ["--disable-features=LocalNetworkAccessChecks"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS + local)
    dry = open_page(browser, "hls.js cmcd-query", url, problems, [])
    other = urllib.parse.urlsplit(url)._replace(netloc=f"localhost:{urllib.parse.urlsplit(url).port}").geturl()
    fine = open_page(browser, "hls.js cmcd-fields", url, problems, [], origin=other)
    for page in (dry, fine):
        expect_play(page, 3, time.monotonic() + 120, problems)
    print(json.dumps({"phase": "playing", "problems": problems}), flush=True)
    if not problems and sys.stdin.readline():
        held = []
        dry.evaluate("() => { window.waits = 0; player.addEventListener('waiting', () => (waits += 1)); }")
        dry.route("**/*.m4s*", lambda route: held.append(route))
        dry.wait_for_function("() => waits > 0", timeout=120_000)
        dry.unroute("**/*.m4s*")
        for route in held:
            route.continue_()
        position = dry.evaluate("() => player.currentTime")
        dry.wait_for_function("(position) => player.currentTime > position + 3", arg=position, timeout=120_000)
        print(json.dumps({"phase": "played on", "problems": problems}), flush=True)
        sys.stdin.readline()
    browser.close()
sys.exit(1 if problems else 0)
