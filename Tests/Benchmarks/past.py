#!/usr/bin/env python3
"""What a recording of a day costs: a start, playlists of ranges, and segments from the disk.

Usage: past.py [--only CASE...] [--rate 1000] [--seconds 30] [--days 200] [--runs 3] ...

start     From the start of the process to READY as systemd is told it, without the recording and with it, and the memory then; and the
          memory after 1,000 different ranges.
day       Media playlists of ranges of 24 hours, one after the other: the first byte, and the whole. None is asked for twice.
ranges    1,000 requests a second for compressed media playlists of ranges of 10 minutes to 2 hours, anywhere in the day and none of them
          twice, with the server kept to two cores: their share, how long answers take, and failures.
segments  Segments of 300 kB and 2.4 MB over HTTP/1.1, beside nginx with sendfile and the same bytes, all in the page cache. Each server is
          kept to one core, and wrk to another.

The recording is written first: slots of 4 s for 25 hours up to now. The channel listens at a port that nobody sends to: there is nothing
but the past. Prints at the end which of the bounds do not hold, and exits with 1 then.
"""

import argparse
import asyncio
import http.client
import itertools
import math
import os
import pathlib
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from measuring import ROOT, Packager, announced, fetch, free_port, machine, processor_time, resident
from origin import Nginx, Row, Servers
from service import MISSED, bound

RECORDED = ROOT / ".build/release/recorded"
RENDITION = "video-1080p"
SETTINGS = ["log-level: error", "segment-duration: 4"]
# Seconds of a slot, slots of a day, and of all: there are 900 different ranges of a day.
SLOT = 4
DAY = 86_400 // SLOT
SLOTS = DAY + 900
# Bytes of two segments, and of the newest ones: the two are in a block of 256 slots that is over, as nearly all of the past is.
SIZES = [300_000, 2_400_000]
NEWEST = 256 * [2_000]


class Recorded:
    """A recording in a directory, which one packager at a time serves."""

    def __init__(self, work):
        begin, self.work, directory = time.monotonic(), work, work / "recordings"
        command = [RECORDED, directory / "live", *map(str, [SLOTS, *SIZES, *NEWEST])]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        # The numbers of its first slot, and of the one after its last.
        self.first, self.end = map(int, output.split())
        self.bare = f"name: live, input: 'udp://127.0.0.1:{free_port(socket.SOCK_DGRAM)}'"
        self.channel = f"{self.bare}, record: '{directory}'"
        print(f"{SLOTS} slots were recorded in {time.monotonic() - begin:.0f} s", flush=True)

    def served(self, core=None, environment={}):
        return Packager(self.work, SETTINGS, [self.channel], core, environment)

    def path(self, start, count):
        """The path of the media playlist of so many slots."""
        return f"/live/past/{start * SLOT}-{(start + count) * SLOT}/{RENDITION}.m3u8"

    def ranges(self, count):
        """The paths of so many ranges, none of them twice."""
        chosen = {}
        while len(chosen) < count:
            slots = random.randint(600 // SLOT, 7200 // SLOT)
            chosen[random.randint(self.end - DAY, self.end - slots), slots] = None
        return [self.path(*slots) for slots in chosen]


def quantile(seconds, part):
    """The milliseconds that so many of the answers took at most."""
    values = sorted(seconds) or [math.nan]
    return 1000 * values[min(int(part * len(values)), len(values) - 1)]


async def is_answered(reader, writer, host, path):
    """True if there is a compressed playlist at a path."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = re.search(r"^content-length: (\d+)", head, re.M)
    if not length:
        raise ConnectionError("an answer without its length")
    await reader.readexactly(int(length[1]))
    return head.startswith("http/1.1 200 ") and "\ncontent-encoding: gzip\r" in head


async def ask(packager, paths, options):
    """Asks for each path at its time, whether or not those before are answered: seconds of the answers, failures, and seconds of all.

    An answer is waited for from when it was due, if its connection was not free then.
    """
    url = urllib.parse.urlsplit(packager.addresses["listening"])
    times, begin = [], time.monotonic() + 0.5

    async def client(number):
        connection = await asyncio.open_connection(url.hostname, url.port)
        for index in range(number, len(paths), options.connections):
            start = begin + index / options.rate
            if (early := start - time.monotonic()) > 0:
                await asyncio.sleep(early)
                # How late the client wakes is not the server's.
                start = time.monotonic()
            try:
                async with asyncio.timeout(30):
                    connection = connection or await asyncio.open_connection(url.hostname, url.port)
                    if await is_answered(*connection, url.netloc, paths[index]):
                        times.append(time.monotonic() - start)
            except (OSError, asyncio.IncompleteReadError):
                if connection:
                    connection[1].close()
                connection = None

    await asyncio.gather(*map(client, range(options.connections)))
    return times, len(paths) - len(times), time.monotonic() - begin


def start(recorded, options):
    for title, channel in [("without the recording", recorded.bare), ("with the recording", recorded.channel)]:
        with announced(recorded.work, SETTINGS, [channel]) as (packager, listening, ready):
            print(f"\nstart {title}: listening after {listening:.2f} s, READY after {ready:.2f} s; {resident(packager.pid):.0f} MB")
            if channel == recorded.channel:
                _, failures, _ = asyncio.run(ask(packager, recorded.ranges(1_000), options))
                print(f"  after 1,000 ranges: {resident(packager.pid):.0f} MB; {failures} failures")
                bound(failures == 0, f"start: 1,000 ranges are answered, and {failures} are not")


def day(recorded, options):
    starts = iter(range(recorded.first, recorded.end - DAY))
    with recorded.served() as packager:
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(packager.addresses["listening"]).netloc, timeout=60)
        for coding in ["gzip", "identity"]:
            firsts, wholes = [], []
            for first in itertools.islice(starts, options.days):
                begin = time.monotonic()
                connection.request("GET", recorded.path(first, DAY), headers={"Accept-Encoding": coding})
                answer = connection.getresponse()
                size = len(answer.read(1))
                firsts.append(time.monotonic() - begin)
                size += len(answer.read())
                wholes.append(time.monotonic() - begin)
                if answer.status != 200 or answer.getheader("Content-Encoding", "identity") != coding:
                    sys.exit(f"a day is answered with {answer.status}\n{packager.log.read_text()[-2000:]}")
            late = quantile(firsts, 0.99)
            print(f"\nday, {coding}, {size / 1e6:.2f} MB: the first byte after {quantile(firsts, 0.5):.1f} ms (half), "
                  f"{late:.1f} ms (99 %), {1000 * firsts[0]:.1f} ms (the first of all); the whole after "
                  f"{quantile(wholes, 0.5):.1f} ms (half), {quantile(wholes, 0.99):.1f} ms (99 %)", flush=True)
            bound(late <= 50, f"day, {coding}: the first byte comes within 50 ms, not {late:.1f} (99 %)")


def ranges(recorded, options):
    paths, cores = recorded.ranges(options.rate * options.seconds), sorted(os.sched_getaffinity(0))[:2]
    with recorded.served(",".join(map(str, cores))) as packager:
        used = processor_time([packager.pid])
        times, failures, seconds = asyncio.run(ask(packager, paths, options))
        used, memory = processor_time([packager.pid]) - used, resident(packager.pid)
    rate = len(paths) / seconds
    print(f"\nranges: {rate:.0f} requests a second take {100 * used / seconds / len(cores):.1f} % of {len(cores)} cores; answers took "
          f"{quantile(times, 0.5):.1f} ms (half), {quantile(times, 0.99):.1f} ms (99 %); {failures} failures; {memory:.0f} MB", flush=True)
    bound(failures == 0, f"ranges: all are answered, and {failures} are not")
    bound(rate >= 0.98 * options.rate, f"ranges: {options.rate} requests a second are answered, not {rate:.0f}")


def segments(recorded, options):
    servers = Servers(options, recorded.work, None)
    core = servers.cores[0]
    (recorded.work / "www").mkdir()
    with Nginx(recorded.work, core) as nginx, recorded.served(core, {"NIO_SINGLETON_GROUP_LOOP_COUNT": "1"}) as packager:
        for place, size in enumerate(SIZES):
            name = f"{recorded.end - len(NEWEST) - len(SIZES) + place}.m4s"
            source, copy = f"{packager.addresses['listening']}live/{RENDITION}/{name}", nginx.url + name
            body = fetch(source)
            (nginx.www / name).write_bytes(body)
            packager.until(lambda: fetch(copy) == body and len(body) == size)
            samples = {nginx: [], packager: []}
            for _ in range(options.runs):
                for server, url in [(nginx, copy), (packager, source)]:
                    samples[server].append(servers.measure(server, url, Row(is_segment=True)))
            theirs, mine = ([statistics.median(column) for column in zip(*samples[server])] for server in (nginx, packager))
            print(f"\nsegments of {size / 1000:.0f} kB: nginx {theirs[1]:.0f} and packager {mine[1]:.0f} requests a second, "
                  f"{mine[1] / theirs[1]:.2f} times as many; {theirs[0]:.1f} and {mine[0]:.1f} us of CPU each, "
                  f"{mine[0] / theirs[0]:.2f} times as much", flush=True)
            bound(mine[1] >= 0.8 * theirs[1], f"segments of {size / 1000:.0f} kB: 0.8 of nginx, not {mine[1] / theirs[1]:.2f}")


CASES = {"start": start, "day": day, "ranges": ranges, "segments": segments}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--rate", type=int, default=1000, help="ranges a second")
    parser.add_argument("--seconds", type=int, default=30, help="for which ranges are asked for")
    parser.add_argument("--days", type=int, default=200, help="ranges of 24 hours, compressed and as many as they are")
    parser.add_argument("--runs", type=int, default=3, help="with segments")
    parser.add_argument("--request-seconds", type=int, default=4, help="of such a run")
    parser.add_argument("--connections", type=int, default=64)
    options = parser.parse_args()
    if not 1 <= options.days <= (SLOTS - DAY) // 2:
        parser.error(f"there are {SLOTS - DAY} ranges of a day, compressed and not")
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        recorded = Recorded(pathlib.Path(directory))
        for name in options.only:
            CASES[name](recorded, options)
    print("\n" + "\n".join([machine(), *(f"MISSED: {text}" for text in MISSED)]))
    sys.exit(1 if MISSED else 0)


if __name__ == "__main__":
    main()
