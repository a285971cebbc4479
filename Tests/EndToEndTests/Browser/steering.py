#!/usr/bin/env python3
"""Plays a stream in hls.js until content steering has moved it to another host, and says when.

Says "plays" on standard error once it has fetched segments from the first host. Ends once it has fetched some from the other one.
Prints one line of JSON: the steering manifests and the segments, each with its time in seconds since 1970, and what went wrong.
"""

import argparse
import json
import sys
import time

from playwright.sync_api import Error, sync_playwright

from interstitials import ARGUMENTS
from play import CHROMIUM
from watch import open_page

OBSERVE = """() => {
    window.seen = { manifests: [], segments: [] };
    hls.on("hlsSteeringManifestLoaded", (_, { steeringManifest, url }) => seen.manifests.push({
        time: Date.now() / 1000, host: new URL(url).host, priority: steeringManifest["PATHWAY-PRIORITY"],
    }));
    hls.on("hlsFragLoaded", (_, { frag }) => seen.segments.push({ time: Date.now() / 1000, host: new URL(frag.url).host }));
}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("first", help="the host that it plays from")
    parser.add_argument("other", help="the host that it is moved to")
    parser.add_argument("--seconds", type=float, default=120)
    arguments = parser.parse_args()
    problems, seen = [], {"manifests": [], "segments": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            page = open_page(browser, "hls.js", arguments.url, problems, [])
            page.wait_for_function("window.hls", timeout=60_000)
            page.evaluate(OBSERVE)
            page.wait_for_function("player.videoWidth > 0 && player.currentTime > first", timeout=60_000)
            deadline = time.monotonic() + arguments.seconds
            told = False
            while time.monotonic() < deadline:
                page.wait_for_timeout(200)
                seen = page.evaluate("() => ({ ...seen, problems })")
                hosts = [segment["host"] for segment in seen["segments"]]
                if not told and seen["manifests"] and hosts.count(arguments.first) >= 4:
                    print("plays", file=sys.stderr, flush=True)
                    told = True
                if told and hosts[-4:] == [arguments.other] * 4:
                    break
            else:
                problems.append("it was not moved in time")
        except Error as error:
            problems.append(str(error))
        browser.close()
    seen["problems"] = problems + seen.get("problems", [])
    print(json.dumps(seen))


if __name__ == "__main__":
    sys.exit(main())
