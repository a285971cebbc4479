#!/usr/bin/env python3
"""Plays a live stream with breaks in hls.js, and says what is seen and heard of in which order.

The middle of the picture is green in the programme and red in advertisements. Prints one line of JSON: the colours with how
many seconds each was seen for, hls.js's events of interstitials, how far behind the live edge it plays in the end, and what
went wrong. Ends after so many seconds from the first picture on, or once the programme has gone on for three after each of
so many breaks. Seconds are counted in pictures, 25 each, whenever the page is run to count them; `late` is the longest time
for which it was not.
"""

import argparse
import json
import sys
import time

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS
from watch import open_page

# The page is made up here, and so has no address: without this it may not ask servers of this machine for advertisements.
ARGUMENTS = [*CHROMIUM_ARGUMENTS, "--disable-features=LocalNetworkAccessChecks"]

OBSERVE = """() => {
    window.seen = { events: [], runs: [], late: 0 };
    const names = ["InterstitialStarted", "InterstitialAssetStarted", "InterstitialAssetError", "InterstitialEnded",
        "InterstitialsPrimaryResumed", "AssetListLoaded"];
    for (const name of names) {
        hls.on(`hls${name}`, (_, data) => seen.events.push({
            name, id: data.event?.identifier ?? null, assets: data.assetListResponse?.ASSETS?.length ?? null,
            error: data.error?.message ?? null, time: player.currentTime, latency: hls.latency,
        }));
    }
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    let frames = player.getVideoPlaybackQuality().totalVideoFrames;
    let tick = performance.now();
    setInterval(() => {
        const now = performance.now();
        seen.late = Math.max(seen.late, (now - tick) / 1000 - 0.1);
        tick = now;
        // What stands still is not seen. Another source begins with no picture.
        const total = player.getVideoPlaybackQuality().totalVideoFrames;
        const pictures = total < frames ? total : total - frames;
        const moves = pictures > 0 && player.readyState > 1;
        const seconds = moves ? pictures / 25 : 0.1;
        frames = total;
        context.drawImage(player, player.videoWidth / 2, player.videoHeight / 2, 1, 1, 0, 0, 1, 1);
        const [red, green] = context.getImageData(0, 0, 1, 1).data;
        const colour = !moves ? "still" : red > 150 && green < 90 ? "red" : green > 120 && red < 90 ? "green" : "other";
        const last = seen.runs.at(-1);
        if (last?.colour === colour) last.seconds += seconds;
        else seen.runs.push({ colour, seconds });
    }, 100);
}"""

READ = """() => ({
    ...seen, problems,
    latency: hls.latency, edge: hls.latestLevelDetails?.edge ?? null,
    ranges: Object.values(hls.latestLevelDetails?.dateRanges ?? {}).filter(({ isInterstitial }) => isInterstitial)
        .map(({ id, isValid, duration }) => ({ id, isValid, duration })),
})"""


def runs(seen):
    """The colours that were seen for longer than a moment, each with its seconds."""
    found = []
    for run in seen["runs"]:
        if run["colour"] == "still" or run["seconds"] < 0.35:
            continue
        if found and found[-1]["colour"] == run["colour"]:
            found[-1]["seconds"] += run["seconds"]
        else:
            found.append(dict(run))
    return [{"colour": run["colour"], "seconds": round(run["seconds"], 1)} for run in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--breaks", type=int, default=1)
    arguments = parser.parse_args()
    problems, seen = [], {"runs": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            page = open_page(browser, "hls.js", arguments.url, problems, [])
            page.wait_for_function("window.hls && player.videoWidth > 0", timeout=120_000)
            page.evaluate(OBSERVE)
            deadline = time.monotonic() + arguments.seconds
            while time.monotonic() < deadline:
                page.wait_for_timeout(250)
                seen = page.evaluate(READ)
                found = runs(seen)
                ads = sum(run["colour"] == "red" for run in found)
                if ads >= arguments.breaks and found[-1]["colour"] == "green" and found[-1]["seconds"] > 3:
                    break
        except Error as error:
            problems.append(str(error))
        browser.close()
    seen["runs"] = runs(seen)
    seen["problems"] = problems + seen.get("problems", [])
    print(json.dumps(seen))


if __name__ == "__main__":
    sys.exit(main())
