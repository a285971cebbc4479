"""From the encoder to the screen of Chromium on this machine, by a clock in the pictures, and channels side by side.

The time of day is painted into each picture as it is handed to the encoder (clock.py), and read out of the picture on the screen
(glass.js), ten times a second: a picture that stands still grows older. The percentiles of each case are in .build as a file of
HdrHistogram, in milliseconds.
"""

import contextlib
import json
import pathlib
import socket
import statistics
import sys
import time

from hdrh.histogram import HdrHistogram
from playwright.sync_api import sync_playwright

import clock
from measuring import ROOT, Packager, fetch, free_port
from service import bound

sys.path.append(str(ROOT / "Tests/EndToEndTests/Browser"))

from play import CHROMIUM, CHROMIUM_ARGUMENTS  # noqa: E402
from watch import expect_play, open_page  # noqa: E402

SCRIPT = pathlib.Path(__file__).with_name("glass.js").read_text()
# Seconds after the start of playback after which a player has found its place.
SETTLING = 15
# Milliseconds from which on a picture that stands still is a stall.
STALL = 500
# Part and segment duration, pictures a second of which a part has a whole number, the player, and the bound in seconds.
PLAYS = [
    ("1", "4", 25, "hls.js behind=1.8", 3),
    # Three parts behind, which are three seconds by themselves.
    ("1", "4", 25, "page", None),
    ("0.5", "2", 24, "hls.js", None),
    ("0.5", "2", 24, "page", None),
    ("0.25", "2", 24, "hls.js", 1.5),
    ("0.25", "2", 24, "page", 1.5),
]
# Of the channels that are watched for long.
RATE = 30
SETTINGS = ["log-level: error", "clock: pts", "segment-duration: 2", "part-duration: 0.5"]

PLAYING = """() => {
    const page = window.packagerPlayer;
    const players = page?.sideBySide.length > 0 ? page.sideBySide : [page];
    return players.every((player) => player?.state === "playing" && player.utc !== null);
}"""
PROBLEMS = "() => window.packagerPlayer?.errors ?? problems"


class Screen:
    """A page of Chromium that plays, and is looked at."""

    def __init__(self, browser, url, player):
        self.problems = []
        if player == "page":
            self.page = browser.new_page(viewport={"width": 900, "height": 900})
            self.page.on("pageerror", lambda error: self.problems.append(str(error)))
            self.page.goto(url, wait_until="domcontentloaded")
            self.page.wait_for_function(PLAYING, polling=200, timeout=120_000)
        else:
            self.page = open_page(browser, player, f"{url}index.m3u8", self.problems, [])
            expect_play(self.page, 2, time.monotonic() + 120, self.problems)
            # From now on requests do not go through this program.
            self.page.unroute_all()
        self.page.wait_for_timeout(1000 * SETTLING)
        self.page.evaluate(SCRIPT, clock.PLACES)

    def look(self, seconds):
        """The samples of so many seconds, and of those since the last look."""
        self.page.wait_for_timeout(1000 * seconds)
        return self.page.evaluate("() => glass.take()")


@contextlib.contextmanager
def screen(url, player="page"):
    """A player on a screen of its own; a bound is missed where it reports an error."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        try:
            shown = Screen(browser, url, player)
            yield shown
            problems = shown.problems + shown.page.evaluate(PROBLEMS)
            bound(not problems, f"{player}: {'; '.join(map(str, problems))}")
        finally:
            browser.close()


def ages(samples):
    """Milliseconds from the encoder to the screen, and how they are known; a page may not read what is protected."""
    for kind, source in (("read", "the clock in the picture"), ("told", "EXT-X-PROGRAM-DATE-TIME")):
        known = [sample[kind][0] for sample in samples if sample[kind][0] is not None]
        if known:
            return known, source
    sys.exit("there is no picture")


def distribution(values):
    histogram = HdrHistogram(1, 3_600_000, 3)
    if not values or not all([histogram.record_value(round(value)) for value in values]):
        sys.exit(f"{len(values)} values, from {min(values, default=None)} to {max(values, default=None)} ms: no such time is known")
    return histogram


def percentiles(histogram):
    shares = ", ".join(f"{histogram.get_value_at_percentile(share)} ms ({share} %)" for share in (50, 90, 99))
    return f"{shares}, {histogram.get_max_value()} ms (most)"


def keep(name, histogram):
    path = ROOT / f".build/{name}.hgrm"
    with open(path, "wb") as file:
        histogram.output_percentile_distribution(file, 1)
    return path


def stalls(samples):
    """How often a picture has stood still for too long, and the seconds of all these times."""
    rests = [sample["rest"] for sample in samples]
    # The rest grows until the next picture comes.
    ends = [rest for rest, after in zip(rests, [*rests[1:], 0]) if after < rest and rest > STALL]
    return len(ends), sum(ends) / 1000


def smoothness(samples):
    count, seconds = stalls(samples)
    waits = samples[-1]["waits"] - samples[0]["waits"]
    return f"{count} stalls of {seconds:.1f} s, the player ran out of media {waits} times"


def origin(packager, names):
    """The address of a packager, once its channels have parts."""
    for name in names:
        packager.until(lambda: "#EXT-X-PART:" in packager.get(f"{name}/video-360p.m3u8", "listening"))
    return packager.addresses["listening"]


def glass(work, arguments):
    for part, segment, rate, player, limit in PLAYS:
        port = free_port(socket.SOCK_DGRAM)
        settings = ["log-level: error", f"segment-duration: {segment}", f"part-duration: {part}"]
        with Packager(work, settings, [f"name: live, input: 'udp://127.0.0.1:{port}'"]) as packager, clock.Encoder([port], rate):
            with screen(f"{origin(packager, ['live'])}live/", player) as shown:
                samples = shown.look(arguments.seconds or 60)
        latencies, source = ages(samples)
        histogram = distribution(latencies)
        both = [sample["told"][0] - sample["read"][0] for sample in samples if None not in sample["told"] + sample["read"]]
        beside = f"EXT-X-PROGRAM-DATE-TIME says {statistics.median(both):+.0f} ms" if both else "there is no date to compare it with"
        title = f"parts of {part} s, {player}"
        print(f"\n{title}: from the encoder to the screen {percentiles(histogram)}, by {source}; {len(samples) - len(latencies)} of "
              f"{len(samples)} samples could not be read; {beside}; {smoothness(samples)}\n"
              f"{keep(f'glass-{part}-{player.split()[0]}', histogram)}", flush=True)
        bound(source.startswith("the clock"), f"{title}: the clock in the picture can be read")
        last = histogram.get_value_at_percentile(99) / 1000
        bound(limit is None or last < limit, f"{title}: less than {limit} s from the encoder to the screen (99 %), not {last:.2f} s")


def sync(work, arguments):
    names, ports = ["one", "two"], [free_port(socket.SOCK_DGRAM) for _ in range(2)]
    channels = [f"name: {name}, input: 'udp://127.0.0.1:{port}'" for name, port in zip(names, ports)]
    with Packager(work, SETTINGS, channels) as packager, clock.Encoder(ports, RATE):
        with screen(f"{origin(packager, names)}#channels={','.join(names)}") as shown:
            samples = shown.look(arguments.seconds or 600)
    pairs = [sample["read"] for sample in samples if None not in sample["read"]]
    histogram = distribution([abs(one - two) for one, two in pairs])
    print(f"\ntwo channels side by side, {RATE} pictures a second: apart by {percentiles(histogram)}; {len(samples) - len(pairs)} of "
          f"{len(samples)} samples could not be read; {smoothness(samples)}\n{keep('glass-sync', histogram)}", flush=True)
    bound(histogram.get_value_at_percentile(99) <= 40, "two channels side by side are at most 40 ms apart (99 %)")


def splice(packager):
    body = json.dumps({"event": 7, "out": True, "duration": 10}).encode()
    fetch(f"{packager.addresses['control']}channels/live/splices", "Content-Type: application/json", "POST", body)


def endurance(work, arguments):
    ports, every = [free_port(socket.SOCK_DGRAM) for _ in range(2)], []
    protection = ["encryption: sample-aes", "drm: clearkey", "key-rotation: 30"]
    channel = f"name: live, input: 'udp://127.0.0.1:{ports[0]}', backup: 'udp://127.0.0.1:{ports[1]}'"
    with Packager(work, SETTINGS + protection, [channel]) as packager, \
            clock.Encoder(ports[:1], RATE) as primary, clock.Encoder(ports[1:], RATE):
        with screen(f"{origin(packager, ['live'])}live/") as shown:
            phases = {"new keys": lambda: None, "ad break": lambda: splice(packager), "failover": primary.kill, "upgrade": packager.upgrade}
            print()
            for name, act in phases.items():
                end = time.monotonic() + (arguments.seconds or 600) / len(phases)
                act()
                samples = shown.look(max(1, end - time.monotonic()))
                latencies, source = ages(samples)
                print(f"{name + ':':10} {percentiles(distribution(latencies))}; {smoothness(samples)}", flush=True)
                # The rest of the segment in which an encoder dies are gaps.
                bound(name == "failover" or stalls(samples)[0] == 0, f"{name}: no stall")
                every += latencies
    histogram = distribution(every)
    print(f"in all:    {percentiles(histogram)}, by {source}\n{keep('glass-endurance', histogram)}", flush=True)


CASES = {"glass": glass, "sync": sync, "endurance": endurance}
