#!/usr/bin/env python3
"""Viewers who keep their connections, and forgive nothing.

Usage: steadfast.py URL --viewers 40 --seconds 30

Each has a connection of its own for playlists and another for segments and keys. It polls the first media playlist of the multivariant
playlist at URL, and gets each new segment with its key. Nothing is asked twice. Prints a line of JSON at the end: answers, what
failed, and how many connections were closed by the other side.
"""

import argparse
import asyncio
import json
import random
import re
import time
import urllib.parse


class Connection:
    def __init__(self, address, seen):
        self.address, self.seen = address, seen
        self.reader = self.writer = None

    async def get(self, path):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(*self.address)
            self.seen["connections"] += 1
        elif self.reader.at_eof():
            raise ConnectionError(f"{path}: the connection was closed")
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.address[0]}\r\n\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"content-length: *(\d+)", head, re.I)[1])
        body = await self.reader.readexactly(length)
        if not head.startswith("HTTP/1.1 200 "):
            raise ConnectionError(f"{path}: {head.splitlines()[0]}")
        if re.search(r"connection: *close", head, re.I):
            self.seen["closed"] += 1
            self.writer.close()
            self.writer = None
        self.seen["answers"] += 1
        return body


class Viewer:
    def __init__(self, address, path, seen):
        self.path, self.seen = path, seen
        self.playlists, self.media = Connection(address, seen), Connection(address, seen)

    async def view(self, end):
        await asyncio.sleep(random.random())
        lines = (await self.playlists.get(self.path)).decode().splitlines()
        playlist = urllib.parse.urljoin(self.path, next(l for l in lines if l and not l.startswith("#")))
        newest, number = None, 0
        while time.monotonic() < end:
            text = (await self.playlists.get(playlist)).decode()
            first = int(re.search(r"MEDIA-SEQUENCE:(\d+)", text)[1])
            segments = [l for l in text.splitlines() if l and not l.startswith("#")]
            last = first + len(segments) - 1
            if last < number:
                raise ConnectionError(f"the playlist ends with {last}, and has ended with {number}")
            number = last
            if segments[-1] != newest:
                newest = segments[-1]
                await self.media.get(urllib.parse.urljoin(playlist, newest))
                for key in re.findall(r'EXT-X-KEY:.*?URI="([^"]*)"', text)[-1:]:
                    key = urllib.parse.urljoin(playlist, key)
                    body = await self.media.get(key)
                    if self.seen["keys"].setdefault(key, body) != body:
                        raise ConnectionError(f"{key} is another key than before")
            await asyncio.sleep(0.5)

    async def run(self, end):
        try:
            await self.view(end)
        except Exception as error:
            self.seen["failures"].append(f"{type(error).__name__}: {error}")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--viewers", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    url = urllib.parse.urlsplit(arguments.url)
    seen = {"answers": 0, "connections": 0, "closed": 0, "failures": [], "keys": {}}
    end = time.monotonic() + arguments.seconds
    viewers = [Viewer((url.hostname, url.port), url.path, seen) for _ in range(arguments.viewers)]
    await asyncio.gather(*(viewer.run(end) for viewer in viewers))
    seen["keys"] = len(seen["keys"])
    print(json.dumps(seen), flush=True)


asyncio.run(main())
