#!/usr/bin/env python3
"""How soon what is published can be read from a store, and what a store that is away costs.

Usage: push.py [--only CASE...] [--slots 60] [--delay 0.1] [--away 600]

late     A channel of ten renditions with segments of 2 s, sent to a store that takes 100 ms for each request: from the publication of
         a slot to the playlist there that lists it, and CPU. No playlist may name what is not there.
away     The same store answers 503 for ten minutes (--away SECONDS): how soon it has all that is served once it answers again, what it
         was asked meanwhile, and the memory. The window is full before that.

Exits with 1 if a bound does not hold.
"""

import argparse
import asyncio
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from measuring import FEED, ROOT, Packager, resident
from service import MISSED, bound, quantile, share

DELAY = "packager_push_delay_seconds"
LANGUAGES = ["eng", "deu", "fra", "spa", "ita", "por", "nld", "swe", "pol"]
RENDITIONS = 1 + len(LANGUAGES)
SEGMENT = 2
# The window is full after a minute, and what has left it is kept for as long again.
FULL = 140


def ladder():
    """A feed with a picture and nine times its sound: ten renditions."""
    path = ROOT / ".build/bench-push.ts"
    if not path.exists():
        sounds = [word for _ in LANGUAGES for word in ["-map", "0:a:0"]]
        names = [word for index, language in enumerate(LANGUAGES) for word in [f"-metadata:s:a:{index}", f"language={language}"]]
        partial = path.with_suffix(".partial.ts")
        command = ["ffmpeg", "-v", "error", "-y", "-i", FEED, "-map", "0:v:0", *sounds, *names, "-c", "copy", "-f", "mpegts", partial]
        subprocess.run(command, check=True)
        partial.rename(path)
    return path


class Store:
    """A server that takes PUT and DELETE, after a while, and notes what playlists name that is not there."""

    def __init__(self, delay):
        self.delay, self.objects = delay, {}
        self.missing, self.status, self.under_way, self.most, self.refused = set(), 200, 0, 0, 0
        self.loop = asyncio.new_event_loop()
        # It listens before anybody is told of its port.
        self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/live"

    async def serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                method, path, _ = head.split(" ", 2)
                length = re.search(r"^content-length: (\d+)", head, re.M | re.I)
                body = await reader.readexactly(int(length[1])) if length else b""
                self.under_way += 1
                self.most = max(self.most, self.under_way)
                await asyncio.sleep(self.delay)
                self.under_way -= 1
                self.refused += self.status != 200
                status = self.status if self.status != 200 else self.answer(method, path.removeprefix("/live/"), body)
                writer.write(f"HTTP/1.1 {status} -\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def answer(self, method, path, body):
        if method == "PUT":
            self.objects[path] = body
            if path.endswith(".m3u8"):
                self.check(body.decode())
        elif method == "DELETE":
            self.objects.pop(path, None)
        elif path not in self.objects:
            return 404
        return 200

    def check(self, text):
        names = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.missing.update(name for name in names if name not in self.objects)

    def newest(self):
        """The last segment of each media playlist."""
        # The thread of the server changes them meanwhile.
        bodies = {path: body for path, body in self.objects.copy().items() if path.endswith(".m3u8") and not path.startswith("index")}
        return {path: body.decode().splitlines()[-1] for path, body in bodies.items()}


def buckets(packager):
    return {re.search(r'le="([^"]+)"', labels)[1]: count for labels, count in packager.metric(f"{DELAY}_bucket").items()}


def listed(packager):
    """The last segment of each media playlist of the origin."""
    index = packager.get("live/index.m3u8", "listening")
    paths = set(re.findall(r'URI="([^"]+\.m3u8)"', index)) | set(re.findall(r"^([^#\s]+\.m3u8)$", index, re.M))
    return {path: packager.get(f"live/{path}", "listening").splitlines()[-1] for path in paths if "iframe" not in path}


def late(packager, store, slots):
    before = buckets(packager)
    cpu = share([packager.pid], slots * SEGMENT)
    after = buckets(packager)
    middle, last = quantile(before, after, 0.5), quantile(before, after, 0.99)
    print(f"late: {RENDITIONS} renditions, {1000 * store.delay:.0f} ms a request: p50 below {middle}, p99 below {last}, "
          f"{store.most} requests at once, {cpu:.1f} % of a core")
    bound(last in ["0.05 s", "0.1 s", "0.25 s", "0.5 s"], f"99 of 100 slots can be read within 0.5 s, not {last}")
    bound(not store.missing, f"playlists name what is not there: {sorted(store.missing)[:5]}")


def has_all(packager, store):
    """True once the store lists what the origin lists."""
    # A look at the origin takes as long as some requests of the packager: not again at once.
    time.sleep(0.1)
    paths = listed(packager)
    return len(paths) >= RENDITIONS and paths.items() <= store.newest().items()


def away(packager, store, seconds):
    time.sleep(max(0, packager.started + FULL - time.monotonic()))
    packager.until(lambda: has_all(packager, store))
    memory, asked = resident(packager.pid), store.refused
    store.status = 503
    time.sleep(seconds)
    grown, asked = resident(packager.pid) - memory, store.refused - asked
    failures = sum(packager.metric("packager_push_failures_total").values())
    store.status = 200
    begin = time.monotonic()
    packager.until(lambda: has_all(packager, store), 120)
    print(f"away: after {seconds} s and {asked} requests it has all that is served in {time.monotonic() - begin:.1f} s; "
          f"memory has grown by {grown:.0f} MB")
    bound(failures > 0, "the store was away")
    bound(not store.missing, f"playlists name what is not there: {sorted(store.missing)[:5]}")
    bound(grown < 64, f"memory grows by less than 64 MB, not {grown:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=["late", "away"], choices=["late", "away"])
    parser.add_argument("--slots", type=int, default=60)
    parser.add_argument("--delay", type=float, default=0.1)
    parser.add_argument("--away", type=int, default=600)
    options = parser.parse_args()
    # Whoever ends a run of ten minutes ends the packager with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    store = Store(options.delay)
    with tempfile.TemporaryDirectory() as directory:
        settings = ["log-level: error", f"segment-duration: {SEGMENT}", "loop: true"]
        channel = f"name: live, input: {ladder()}, push: [{{url: '{store.url}'}}]"
        with Packager(pathlib.Path(directory), settings, [channel]) as packager:
            packager.until(lambda: len(store.newest()) >= RENDITIONS and "index.m3u8" in store.objects)
            if "late" in options.only:
                late(packager, store, options.slots)
            if "away" in options.only:
                away(packager, store, options.away)
    sys.exit(1 if MISSED else 0)


if __name__ == "__main__":
    main()
