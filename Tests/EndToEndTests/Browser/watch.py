#!/usr/bin/env python3
"""Plays streams in Chromium, side by side, with players that are not ours, and says whether they really play.

The player is Chromium itself, or hls.js as the Python package gradio carries it, which gets licences for Clear Key from
the channel. Proof of play is that the playhead and what has been decoded both rise. Prints a line of JSON for each
stream; exits 0 when all of them play, 1 when not.
"""

import argparse
import json
import pathlib
import sys
import sysconfig
import time
import urllib.parse

from playwright.sync_api import Error, TimeoutError, sync_playwright

from play import CHROMIUM, CHROMIUM_ARGUMENTS, milliseconds_until

PAGE = """<!doctype html>
<meta charset="utf-8">
<video muted playsinline style="width: 320px"></video>
<script type="module">
    const video = document.querySelector("video");
    window.problems = [];
    window.first = Infinity;
    // Timed metadata, each tag once for every rendition that it is in.
    window.tags = [];
    const url = new URLSearchParams(location.search).get("url");
    // A player begins where the stream is, which depends on how long it took to start.
    video.addEventListener("playing", () => (first = video.currentTime), { once: true });
    video.onerror = () => problems.push(`media error ${video.error.code}: ${video.error.message}`);
    if (location.search.includes("hls.js")) {
        const { Hls } = await import("/.watch/hls.js");
        const clearKey = {
            licenseUrl: new URL("clearkey", url).href,
            // It knows how to ask only the licence servers of others.
            generateRequest: (type, data, { decryptdata }) => {
                const keyID = btoa(String.fromCharCode(...decryptdata.keyId));
                const kids = [keyID.replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "")];
                return { initDataType: "keyids", initData: new TextEncoder().encode(JSON.stringify({ kids })) };
            },
        };
        const drmSystems = { "org.w3.clearkey": clearKey };
        // Seconds behind the live edge, where the playlist is not to say so.
        const behind = /behind=([\\d.]+)/.exec(decodeURIComponent(location.search))?.[1];
        const latency = behind ? { liveSyncDuration: Number(behind) } : {};
        const parts = location.search.includes("classic") ? { lowLatencyMode: false } : {};
        const cmcd = location.search.includes("cmcd") ? { useHeaders: location.search.includes("cmcd-fields") } : undefined;
        const hls = new Hls({ enableWorker: false, emeEnabled: true, drmSystems, cmcd, ...latency, ...parts });
        hls.on(Hls.Events.ERROR, (_, data) => data.fatal && problems.push(`${data.type}: ${data.details} ${data.error}`));
        hls.on(Hls.Events.FRAG_PARSING_METADATA, (_, { samples }) => {
            for (const { type, pts, data } of samples) {
                tags.push({ type, time: pts, text: new TextDecoder().decode(data) });
            }
        });
        window.hls = hls;
        hls.loadSource(url);
        hls.attachMedia(video);
    } else {
        video.src = url;
    }
    video.play().catch((error) => problems.push(`play: ${error.message}`));
    window.player = video;
</script>"""

SNAPSHOT = """() => window.player && {
    currentTime: player.currentTime,
    pictures: player.getVideoPlaybackQuality().totalVideoFrames,
    sound: player.webkitAudioDecodedByteCount,
    width: player.videoWidth,
    height: player.videoHeight,
    dateRanges: Object.values(window.hls?.latestLevelDetails?.dateRanges ?? {}).map((range) => ({
        id: range.id,
        start: range.startDate.toISOString(),
        duration: range.duration,
        isValid: range.isValid,
    })),
    cues: Array.from(player.textTracks).filter((track) => track.kind === "metadata").flatMap((track) =>
        Array.from(track.cues ?? []).map((cue) => ({ id: cue.id, key: cue.value?.key, start: cue.startTime }))),
    problems,
    tags,
}"""

# A picture must move where there is one, and something must be heard or seen.
DONE = """(advance) => window.player && (problems.length > 0 || (player.currentTime - first >= advance
    && (player.videoHeight === 0 || player.getVideoPlaybackQuality().totalVideoFrames >= 5 * advance)
    && (player.videoHeight > 0 || player.webkitAudioDecodedByteCount > 1000)))"""


def hls_js():
    """hls.js, with its class exported under its name."""
    assets = pathlib.Path(sysconfig.get_path("purelib"), "gradio/templates/frontend/assets")
    return next(assets.glob("hls-*.js")).read_text() + "\nexport { Cu as Hls };\n"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stream", nargs="+", help="PLAYER=URL, where the player is native or hls.js")
    parser.add_argument("--seconds", type=float, default=240, help="how long to wait")
    parser.add_argument("--minimum-advance", type=float, default=2, help="seconds the playhead must move")
    return parser.parse_args()


def open_page(browser, player, url, problems, licences, origin=None):
    """Loads a player on the stream's own origin, so that no policy stands between the two, or on another one."""
    place = urllib.parse.urlsplit(origin or url)._replace(path="/.watch/", query="", fragment="").geturl()
    page = browser.new_page()
    page.on("request", lambda request: request.url.endswith("/clearkey") and licences.append(request.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.route(place + "?*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(place + "hls.js", lambda route: route.fulfill(body=hls_js(), content_type="text/javascript"))
    page.goto(f"{place}?{urllib.parse.urlencode({'player': player, 'url': url})}", wait_until="domcontentloaded")
    return page


def expect_play(page, advance, deadline, problems):
    """Waits until the page has played for so long; returns what was seen."""
    try:
        page.wait_for_function(DONE, arg=advance, timeout=milliseconds_until(deadline))
    except TimeoutError:
        problems.append("did not play in time")
    seen = page.evaluate(SNAPSHOT) or {}
    problems += seen.pop("problems", [])
    return seen


def main():
    arguments = parse_arguments()
    deadline = time.monotonic() + arguments.seconds
    failed = False
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        pages = []
        for stream in arguments.stream:
            player, url = stream.split("=", 1)
            problems, licences = [], []
            try:
                pages.append((player, url, open_page(browser, player, url, problems, licences), problems, licences))
            except Error as error:
                pages.append((player, url, None, [str(error)], licences))
        for player, url, page, problems, licences in pages:
            seen = expect_play(page, arguments.minimum_advance, deadline, problems) if page else {}
            failed = failed or bool(problems)
            seen["licences"] = len(licences)
            print(json.dumps({"player": player, "url": url, "ok": not problems, "problems": problems, **seen}))
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
