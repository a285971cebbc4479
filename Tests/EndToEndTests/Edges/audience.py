#!/usr/bin/env python3
"""An audience of players that follow one media playlist, each on connections of its own.

Usage: audience.py URL --viewers 200 --seconds 20 [--low-latency] [--beside URL]

Each begins at its hold-back from the end, gets all media from there on, and plays it as it comes. With --low-latency it asks for
each part as it is hinted, and beside that for the playlist that has it. Prints a line of JSON in the end: how many requests were
answered, what failed (other bytes than before, too), how many reloads were answered early, how many seconds players stood still for
want of media, and how long after its end a hinted part came in the median. With --beside five more players follow another playlist,
and have the same in `beside`: a machine that is busy is as slow for them.
"""

import argparse
import asyncio
import datetime
import gzip
import hashlib
import json
import random
import re
import time
import urllib.parse

# The grain of the clocks, and of a machine that has other things to do.
GRAIN = 0.1


class Connection:
    """Keeps a connection, which is opened anew if it was closed between two requests."""

    def __init__(self, address, seen):
        self.address, self.seen = address, seen
        self.reader = self.writer = None

    async def get(self, path):
        """The status and the body at a path."""
        for attempt in (1, 2):
            kept = self.writer is not None and not self.reader.at_eof()
            try:
                if not kept:
                    self.reader, self.writer = await asyncio.open_connection(*self.address, limit=1 << 20)
                host = "%s:%s" % self.address
                self.writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
                return await self.answer()
            except (OSError, asyncio.IncompleteReadError):
                self.writer = None
                # One that was kept may have been closed in the meantime, as HTTP clients know.
                if not kept or attempt == 2:
                    raise

    async def answer(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        if "content-length" in fields:
            body = await self.reader.readexactly(int(fields["content-length"]))
        else:
            body = b""
            while size := int(await self.reader.readline(), 16):
                body += await self.reader.readexactly(size)
                await self.reader.readline()
            await self.reader.readline()
        if fields.get("connection") == "close":
            self.writer.close()
            self.writer = None
        self.seen["requests"] += 1
        return int(lines[0].split()[1]), gzip.decompress(body) if fields.get("content-encoding") == "gzip" else body


class Media:
    """A segment or a part as a playlist has it; `place` is its sequence number and the part's index."""

    def __init__(self, uri, place, begin, duration, is_gap):
        self.uri, self.place, self.begin, self.end, self.is_gap = uri, place, begin, begin + duration, is_gap


class Playlist:
    def __init__(self, text):
        self.segments, self.parts, self.hint = [], [], None
        number = int(re.search(r"MEDIA-SEQUENCE:(\d+)", text)[1])
        self.target = int(re.search(r"TARGETDURATION:(\d+)", text)[1])
        hold = re.search(r"[:,]PART-HOLD-BACK=([\d.]+)", text)
        self.part_hold = float(hold[1]) if hold else None
        now, part_time, index, duration, is_gap = 0.0, 0.0, 0, 0.0, False
        for line in text.splitlines():
            if line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
                now = part_time = datetime.datetime.fromisoformat(line.partition(":")[2].replace("Z", "+00:00")).timestamp()
            elif line.startswith("#EXT-X-PART:"):
                length = float(re.search(r"[:,]DURATION=([\d.]+)", line)[1])
                uri = re.search(r'[:,]URI="([^"]*)"', line)[1]
                self.parts.append(Media(uri, (number, index), part_time, length, "GAP=YES" in line))
                part_time, index = part_time + length, index + 1
            elif line.startswith("#EXT-X-PRELOAD-HINT:") and "TYPE=PART" in line:
                self.hint = re.search(r'[:,]URI="([^"]*)"', line)[1]
            elif line.startswith("#EXTINF:"):
                duration = float(line[8:].split(",")[0])
            elif line == "#EXT-X-GAP":
                is_gap = True
            elif line and not line.startswith("#"):
                self.segments.append(Media(line, (number, 0), now, duration, is_gap))
                now = part_time = now + duration
                number, index, is_gap = number + 1, 0, False
        # The part that comes next.
        self.next = (number, index)


class Viewer:
    def __init__(self, address, path, seen):
        self.path, self.seen = path, seen
        self.playlists, self.media = Connection(address, seen), Connection(address, seen)
        self.delay, self.place = None, None

    async def load(self, query=""):
        status, body = await self.playlists.get(self.path + query)
        if status != 200:
            raise ConnectionError(f"{self.path}{query}: {status}")
        return Playlist(body.decode())

    async def fetch(self, uri, may_miss=False):
        """When the media at a URI was there; None if it is not."""
        path = urllib.parse.urljoin(self.path, uri)
        status, body = await self.media.get(path)
        if status == 404 and may_miss:
            return None
        if status != 200:
            raise ConnectionError(f"{path}: {status}")
        digest = hashlib.sha256(body).hexdigest()
        if self.seen["bytes"].setdefault(path, digest) != digest:
            raise ConnectionError(f"{path}: other bytes than before")
        return time.time()

    def play(self, media, arrival):
        """Plays media right behind what was played before, or as soon as it came."""
        if self.delay is None:
            self.delay = arrival - media.begin
        late = arrival - (media.begin + self.delay)
        if late > GRAIN:
            self.seen["stalled"] += late
            self.delay += late

    def begin(self, media, hold):
        """The media to begin with: a hold-back from the end."""
        return next((m for m in reversed(media) if m.begin <= media[-1].end - hold), media[0]).place

    async def view(self, end):
        playlist = await self.load()
        self.place = self.begin(playlist.segments, 3 * playlist.target)
        while time.monotonic() < end:
            since, news = time.monotonic(), False
            for segment in playlist.segments:
                if segment.place >= self.place:
                    self.place, news = (segment.place[0] + 1, 0), True
                    if not segment.is_gap:
                        self.play(segment, await self.fetch(segment.uri))
            # RFC 8216bis § 6.3.4.
            await asyncio.sleep(max(0, since + playlist.target / (1 if news else 2) - time.monotonic()))
            playlist = await self.load()

    async def view_parts(self, end):
        playlist = await self.load()
        if playlist.part_hold is None or not playlist.parts:
            raise ConnectionError("the playlist has no parts")
        self.place = self.begin(playlist.parts, playlist.part_hold)
        arrivals = {}
        while time.monotonic() < end:
            for part in playlist.parts:
                if part.place >= self.place:
                    self.place = (part.place[0], part.place[1] + 1)
                    if part.is_gap:
                        continue
                    arrival = arrivals.get(part.uri)
                    if arrival:
                        self.seen["lags"].append(arrival - part.end)
                    self.play(part, arrival or await self.fetch(part.uri))
            if playlist.hint is None:
                raise ConnectionError("the playlist has no hint")
            asked, hint = playlist.next, playlist.hint
            reload = asyncio.create_task(self.load("?_HLS_msn=%d&_HLS_part=%d" % asked))
            arrivals = {hint: await self.fetch(hint, may_miss=True)}
            playlist = await reload
            if playlist.next <= asked:
                self.seen["early"] += 1

    async def run(self, end, low_latency):
        await asyncio.sleep(random.random())
        try:
            await (self.view_parts(end) if low_latency else self.view(end))
        except Exception as error:
            self.seen["failures"].append(f"{type(error).__name__}: {error}")


class Audience:
    def __init__(self, url, viewers):
        url = urllib.parse.urlsplit(url)
        self.seen = {"requests": 0, "early": 0, "stalled": 0.0, "failures": [], "lags": [], "bytes": {}}
        self.viewers = [Viewer((url.hostname, url.port), url.path, self.seen) for _ in range(viewers)]

    async def watch(self, end, low_latency):
        """What they have seen."""
        begin = time.monotonic()
        await asyncio.gather(*(viewer.run(end, low_latency) for viewer in self.viewers))
        seen = self.seen
        lags = sorted(seen.pop("lags"))
        seen["lag"] = round(lags[len(lags) // 2], 3) if lags else None
        seen["media"] = len(seen.pop("bytes"))
        seen["stalled"] = round(seen["stalled"], 3)
        seen["watched"] = round(len(self.viewers) * (time.monotonic() - begin), 3)
        seen["failures"] = seen["failures"][:20]
        return seen


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--low-latency", action="store_true")
    parser.add_argument("--beside", metavar="URL")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    audiences = [Audience(arguments.url, arguments.viewers)]
    if arguments.beside:
        audiences.append(Audience(arguments.beside, 5))
    seen, *beside = await asyncio.gather(*(audience.watch(end, arguments.low_latency) for audience in audiences))
    print(json.dumps(seen | {"beside": other for other in beside}), flush=True)


asyncio.run(main())
