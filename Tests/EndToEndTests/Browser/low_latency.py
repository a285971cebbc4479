#!/usr/bin/env python3
"""Plays channels of low latency on their origin's own pages in Chromium, one by itself and then all side by side.

Prints a line of JSON: what the page says of low latency, how far it was behind this machine's clock, and how far apart the channels
were while all played, in samples of a quarter of a second; in how many samples one of them did not play; and what went wrong.
"""

import argparse
import json
import sys

from playwright.sync_api import Error, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS

PLAYING = "() => window.packagerPlayer?.state === 'playing' && packagerPlayer.partTarget !== null"
SIDE_BY_SIDE = """(count) => {
    const members = window.packagerPlayer?.sideBySide ?? [];
    return members.length === count && members.every(({ state, utc }) => state === "playing" && utc !== null);
}"""

# Samples of what a function returns, for so many seconds.
SAMPLES = """async ({ seconds }) => {
    const samples = [];
    for (let left = 4 * seconds; left > 0; left -= 1) {
        samples.push(SAMPLE);
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return samples;
}"""
LATENCY_NOW = "Date.now() / 1000 - packagerPlayer.utc"
LATENCY = SAMPLES.replace("SAMPLE", LATENCY_NOW)
APART_NOW = """(() => {
    const members = packagerPlayer.sideBySide;
    if (members.some(({ state, utc }) => state !== "playing" || utc === null)) return null;
    const times = members.map(({ utc }) => utc);
    return Math.max(...times) - Math.min(...times);
})()"""
APART = SAMPLES.replace("SAMPLE", APART_NOW)
TOGETHER = f"""() => {{
    const apart = {APART_NOW};
    window.timesTogether = apart !== null && apart < 0.04 ? (window.timesTogether ?? 0) + 1 : 0;
    return window.timesTogether === 4;
}}"""

# The modules by themselves: what a playlist's parts are, what comes next, and how a group finds together.
MODULES = r"""async () => {
    const { parseMedia } = await import("./playlist.js");
    const parts = await import("./parts.js");
    const { GroupClock, steer } = await import("./group-clock.js");
    const part = (sequence, index, more = "") => `#EXT-X-PART:DURATION=1,URI="v/${sequence}.${index}.m4s"${more}`;
    const playlist = parseMedia([
        "#EXTM3U", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-PART-INF:PART-TARGET=1",
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0", "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:14Z",
        part(7, 0, ",INDEPENDENT=YES"), part(7, 1), "#EXTINF:2,", "v/7.m4s", part(8, 0, ",INDEPENDENT=YES"), part(8, 1, ",GAP=YES"),
        '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="v/8.2.m4s"',
    ].join("\n"), "http://h/x.m3u8");
    const names = (next) => [...parts.piecesOf(playlist, next)].map(({ url }) => url.split("/").at(-1));
    const clock = new GroupClock();
    const member = { edge: 100, holdBack: 3, pace: 1 };
    return {
        control: [playlist.partTarget, playlist.partHoldBack, playlist.canBlock],
        next: parts.nextPosition(playlist),
        edge: parts.edgeOf(playlist),
        reload: parts.addressOfReload("http://h/x.m3u8?token=t", { sequence: 8, part: 2 }, true),
        fromTheStart: names(14),
        fromWithin: names(15),
        starts: [13, 15.5, 17].map((utc) => parts.startBefore(playlist, utc)),
        gaps: playlist.open.parts.map(({ gap }) => gap),
        clock: [
            clock.look(0, [member, { ...member, edge: null }]), clock.look(0, [member, { ...member, edge: 98 }]),
            clock.look(1, [{ ...member, edge: 101.2 }, { ...member, edge: 98.7 }]), clock.look(2, [{ ...member, edge: 110 }]),
        ],
        steer: [
            steer(10, 12, 1), steer(10, 10.1, 1), steer(10, 9.2, 1),
            steer(10, 10.005, 1), steer(10, 10.009, 1), steer(10, 9.995, 1.01), steer(10, 10.001, 1.01),
        ],
    };
}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("origin", help="the URL, with / at its end")
    parser.add_argument("channels", nargs="+")
    parser.add_argument("--seconds", type=float, default=15, help="how long each page is looked at")
    parser.add_argument("--side-by-side", type=float, help="how long the page with all of them is looked at, if that is another time")
    parser.add_argument("--patience", type=float, default=90)
    arguments = parser.parse_args()
    problems, seen = [], {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.set_default_timeout(arguments.patience * 1000)
        page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
        length = {"seconds": arguments.seconds}
        try:
            page.goto(f"{arguments.origin}{arguments.channels[0]}/", wait_until="domcontentloaded")
            seen["modules"] = page.evaluate(MODULES)
            page.wait_for_function(PLAYING, polling=200)
            # A player that began late comes nearer at 1.05 of its pace.
            page.wait_for_function(f"() => {LATENCY_NOW} < 4", polling=200)
            seen["latency"] = page.evaluate(LATENCY, length)
            seen["words"] = page.text_content("#low-latency")
            seen["stalls"] = page.evaluate("() => packagerPlayer.stalls")
            problems += page.evaluate("() => packagerPlayer.errors")
            page.goto("about:blank")
            page.goto(f"{arguments.origin}#channels={','.join(arguments.channels)}", wait_until="domcontentloaded")
            page.wait_for_function(SIDE_BY_SIDE, arg=len(arguments.channels), polling=200)
            # They find each other at 1.1 of their pace, and stay together for a second: a busy machine stops one now and then.
            page.wait_for_function(TOGETHER, polling=250)
            seconds = arguments.seconds if arguments.side_by_side is None else arguments.side_by_side
            seen["apart"] = page.evaluate(APART, {"seconds": seconds})
            seen["stopped"] = sum(apart is None for apart in seen["apart"])
            seen["apart"] = [apart for apart in seen["apart"] if apart is not None]
        except Error as error:
            problems.append(str(error))
        browser.close()
    print(json.dumps({**seen, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
