#!/usr/bin/env python3
"""Plays a stream with hls.js in low-latency mode in Chromium, and says how far behind the encoder it plays.

The latency is the time of day less the PROGRAM-DATE-TIME of the picture on the screen, as a median over the time measured.
Prints a line of JSON; exits 1 where it does not play.
"""

import argparse
import json
import statistics
import sys
import time

from playwright.sync_api import sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS
from watch import expect_play, open_page

SAMPLE = """() => ({
    now: Date.now(),
    playing: hls.playingDate?.getTime() ?? null,
    currentTime: player.currentTime,
    isLive: hls.latestLevelDetails?.live ?? false,
    partTarget: hls.latestLevelDetails?.partTarget ?? 0,
    dateRanges: Object.keys(hls.latestLevelDetails?.dateRanges ?? {}),
})"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--settle", type=float, default=10, help="seconds for the player to come close to the edge")
    parser.add_argument("--seconds", type=float, default=10, help="seconds in which the latency is measured")
    parser.add_argument("--behind", help="seconds behind the live edge; without it, what the playlist says")
    arguments = parser.parse_args()
    player = "hls.js" if arguments.behind is None else f"hls.js behind={arguments.behind}"
    problems, parts, date_ranges = [], set(), set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        page = open_page(browser, player, arguments.url, problems, [])
        page.on("request", lambda request: request.url.count(".") and is_part(request.url) and parts.add(request.url))
        expect_play(page, arguments.settle, time.monotonic() + 120, problems)
        print("plays", arguments.url, file=sys.stderr, flush=True)
        latencies, stalled, last = [], 0.0, None
        end = time.monotonic() + arguments.seconds
        while time.monotonic() < end and not problems:
            page.wait_for_timeout(250)
            sample = page.evaluate(SAMPLE)
            if sample["playing"] is not None:
                latencies.append((sample["now"] - sample["playing"]) / 1000)
            if last is not None and sample["currentTime"] <= last:
                stalled += 0.25
                print("stalls at", sample["currentTime"], file=sys.stderr, flush=True)
            date_ranges.update(sample["dateRanges"])
            last = sample["currentTime"]
        problems += page.evaluate("problems")
        browser.close()
    print(json.dumps({
        "latency": statistics.median(latencies) if latencies else -1,
        "worst": max(latencies, default=-1),
        "parts": len(parts),
        "stalledSeconds": stalled,
        "dateRanges": sorted(date_ranges),
        "problems": problems,
    }))
    return 1 if problems or not latencies else 0


def is_part(url):
    """A part's name has the number of its segment and its own."""
    return url.split("?")[0].rsplit("/", 1)[-1].count(".") == 2


if __name__ == "__main__":
    sys.exit(main())
