#!/usr/bin/env python3
"""Many viewers on connections of their own, or clients who only hold connections.

Usage: crowd.py URL --connections 5000 --seconds 12 [--every 4] [--segments | --parts] [--idle] [--rate 2000]

Each polls the URL by GET every so many seconds, twice at least, opening its connection anew where it was closed between
two requests. With --segments it gets the newest segment of the playlist each time, too. With --parts it gets each part, and its
reloads wait for the next one, as those of players do in low-latency mode. Prints a line of JSON at the end: answers,
viewers without a single one, and how long answers took in milliseconds. With --idle nothing is asked, and a line tells once
all have connected, or tried to. Ends early when standard input ends.
"""

import argparse
import asyncio
import json
import random
import re
import resource
import sys
import time
import urllib.parse


def newest_part(playlist):
    """The URI of the newest part of a playlist, and the directives of a reload that waits for the next one."""
    uri = r'#EXT-X-PART:[^\n]*?URI="([^"]+)"'
    sequence = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", playlist)[1]) + playlist.count("#EXTINF")
    begun = len(re.findall(uri, playlist.rpartition("#EXTINF")[2]))
    return re.findall(uri, playlist)[-1], f"?_HLS_msn={sequence}&_HLS_part={begun}"


class Viewer:
    def __init__(self, address, host, path, gets_segments, gets_parts):
        self.address, self.host, self.path, self.gets_segments, self.gets_parts = address, host, path, gets_segments, gets_parts
        self.directives = ""
        self.answers, self.failures, self.times = 0, 0, []
        self.reader = self.writer = None

    async def connect(self):
        self.reader, self.writer = await asyncio.open_connection(*self.address, limit=1 << 20)

    async def get(self, path):
        """The body at a path; None unless there is one."""
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(int(l.split(b":")[1]) for l in head.split(b"\r\n") if l.lower().startswith(b"content-length:"))
        body = await self.reader.readexactly(length)
        return body if head.startswith(b"HTTP/1.1 200 ") else None

    async def ask(self):
        playlist = await self.get(self.path + self.directives)
        # A reload that fails is followed by one that waits for nothing.
        self.directives = ""
        if playlist is None or not (self.gets_segments or self.gets_parts):
            return playlist is not None
        if self.gets_parts:
            newest, self.directives = newest_part(playlist.decode())
            return await self.get(urllib.parse.urljoin(self.path, newest)) is not None
        newest = [line for line in playlist.decode().splitlines() if line and not line.startswith("#")][-1]
        return await self.get(urllib.parse.urljoin(self.path, newest)) is not None

    async def poll(self):
        begin = time.monotonic()
        # A kept connection may have been closed in the meantime, as HTTP clients know: then there is one more attempt.
        for attempt in (1, 2):
            try:
                if self.writer is None or self.reader.at_eof():
                    await self.connect()
                good = await self.ask()
                break
            except (OSError, asyncio.IncompleteReadError):
                self.writer = None
                good = False
        if good:
            self.answers += 1
            self.times.append(time.monotonic() - begin)
        else:
            self.failures += 1

    async def live(self, start, end, every):
        await asyncio.sleep(max(0, start - time.monotonic()))
        rounds = 0
        # A machine that is behind takes longer for as many.
        while time.monotonic() < end or rounds < 2:
            rounds += 1
            next_time = time.monotonic() + every
            try:
                await asyncio.wait_for(self.poll(), max(30, end + 5 - time.monotonic()))
            except TimeoutError:
                self.failures += 1
            await asyncio.sleep(max(0, min(next_time, end) - time.monotonic()))


async def hold(viewer, start):
    await asyncio.sleep(max(0, start - time.monotonic()))
    try:
        await viewer.connect()
    except OSError:
        pass


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--connections", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--every", type=float, default=4)
    parser.add_argument("--rate", type=float, default=2000, help="connections a second at the start")
    parser.add_argument("--segments", action="store_true")
    parser.add_argument("--parts", action="store_true", help="each as soon as it is there, whatever --every says")
    parser.add_argument("--idle", action="store_true")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    url = urllib.parse.urlsplit(arguments.url)
    viewers = [
        Viewer((url.hostname, url.port), url.netloc, url.path, arguments.segments, arguments.parts)
        for _ in range(arguments.connections)
    ]
    begin = time.monotonic()
    starts = [begin + number / arguments.rate for number in range(arguments.connections)]
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    if arguments.idle:
        await asyncio.gather(*(hold(viewer, start) for viewer, start in zip(viewers, starts)))
        print(json.dumps({"connected": sum(viewer.writer is not None for viewer in viewers)}), flush=True)
        await asyncio.wait([ended], timeout=arguments.seconds)
    else:
        end = begin + arguments.seconds
        # Reloads that wait need no pause but one for what fails.
        every = 0.1 if arguments.parts else arguments.every
        await asyncio.gather(*(viewer.live(start, end, every) for viewer, start in zip(viewers, starts)))
    times = sorted(time for viewer in viewers for time in viewer.times)
    print(json.dumps({
        "answers": sum(viewer.answers for viewer in viewers),
        "failures": sum(viewer.failures for viewer in viewers),
        "unanswered": sum(viewer.answers == 0 for viewer in viewers),
        "median": round(times[len(times) // 2] * 1000, 1) if times else None,
        "p99": round(times[len(times) * 99 // 100] * 1000, 1) if times else None,
        "slowest": round(times[-1] * 1000, 1) if times else None,
    }), flush=True)
    # Standard input may still be open, and its thread waits for it.
    sys.stdout.flush()
    import os
    os._exit(0)


asyncio.run(main())
