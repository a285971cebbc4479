#!/usr/bin/env python3
"""Crowds a listener of RTMP or SRT without knowing a key, until its input ends or the time is up.

Prints a line once all sockets of the first wave have said something, and a line of JSON in the end: how many
connections were made, how many of them the server closed, and how many bytes were sent.
"""

import argparse
import collections
import errno
import json
import os
import random
import selectors
import socket
import struct
import sys
import time

HELLO = b"\x03" + bytes(1536)
GREETING = HELLO + bytes(1536)


def message(kind, payload, stream=3, length=None):
    """A message in one chunk."""
    size = len(payload) if length is None else length
    return bytes([stream, 0, 0, 0]) + size.to_bytes(3, "big") + bytes([kind, 0, 0, 0, 0]) + payload


def text(value):
    return b"\x02" + struct.pack(">H", len(value)) + value.encode()


def command(name, *values):
    return message(20, text(name) + b"\x00" + bytes(8) + b"".join(values))


CHUNKS_OF_64K = message(1, struct.pack(">I", 65536))
NESTED = b"\x03\x00\x01a" * 10_000
CONNECT = command("connect", b"\x03" + b"\x00\x03app" + text("live") + b"\x00\x00\x09")

# What is said first, and what is said again and again after it.
RTMP = {
    "idle": (b"", b""),
    "half": (HELLO[:800], b""),
    "slow": (b"", None),
    "pings": (GREETING + CHUNKS_OF_64K, message(4, b"\x00\x06" + bytes(65_000))),
    "commands": (GREETING + CONNECT, command("createStream", b"\x05")),
    "connects": (GREETING, CONNECT),
    "giants": (GREETING + message(1, struct.pack(">I", 1 << 24)), message(9, bytes(65_536), length=0xFFFFFF)),
    "chunks": (GREETING, message(1, struct.pack(">I", 1))),
    "streams": (
        GREETING + CHUNKS_OF_64K,
        b"".join(message(9, bytes(128), stream=stream, length=65_000) for stream in range(3, 64)),
    ),
    "values": (GREETING + CHUNKS_OF_64K, message(20, text("connect") + NESTED[:30_000]) + message(20, b"\x05" * 60_000)),
    "guesses": (GREETING + CONNECT, command("publish", b"\x05", text("guess"), text("live"))),
}


class Connection:
    def __init__(self, address, source, attack):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.socket.bind((source, 0))
        self.first, self.again = RTMP[attack]
        self.rest = memoryview(self.first)
        self.due = 0
        try:
            self.socket.connect(address)
        except BlockingIOError:
            pass

    def wants_to_write(self, now):
        return bool(self.rest) or (self.again is None and now >= self.due) or bool(self.again)

    def write(self, now):
        if not self.rest:
            # A byte every fifth of a second, or the same for as long as the server takes it.
            self.rest, self.due = (memoryview(b"\x03"), now + 0.2) if self.again is None else (memoryview(self.again), 0)
        count = self.socket.send(self.rest)
        self.rest = self.rest[count:]
        return count


def crowd_rtmp(arguments, counts, ended):
    address = (arguments.host, arguments.port)
    sources = [f"127.0.1.{index + 1}" for index in range(arguments.addresses)] or [arguments.host]
    selector = selectors.DefaultSelector()
    connections = collections.deque()
    made = 0
    start = time.monotonic()
    while not ended():
        now = time.monotonic()
        budget = max(0, min(50, arguments.connections + int(arguments.rate * (now - start)) - made))
        while len(connections) < arguments.connections and budget:
            budget -= 1
            connection = Connection(address, sources[made % len(sources)], arguments.attack)
            selector.register(connection.socket, selectors.EVENT_WRITE, connection)
            connections.append(connection)
            made += 1
        counts["connections"] = made
        if made >= arguments.connections:
            yield
        for connection in list(connections):
            # What is answered stays where it is; that the server has hung up is seen without reading.
            try:
                error = connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error:
                    raise OSError(error, "refused")
                connection.socket.recv(1, socket.MSG_PEEK) or connection.socket.send(b"\x03")
            except (BlockingIOError, InterruptedError):
                pass
            except OSError as error:
                if error.errno == errno.ENOTCONN:
                    continue
                counts["closed"] += 1
                selector.unregister(connection.socket)
                connection.socket.close()
                connections.remove(connection)
        for key, _ in selector.select(0.02):
            if key.data.wants_to_write(now):
                try:
                    counts["bytes"] += key.data.write(now)
                except OSError:
                    pass
        time.sleep(0.002)


def handshake(kind, cookie=0, stream_id=None, version=4, field=2):
    packet = struct.pack(">IIIIIHHIIIIII", 0x80000000, 0, 0, 0, version, 0, field, 7, 1500, 8192, kind, 99, cookie)
    packet += bytes(16)
    if stream_id is None:
        return packet
    padded = stream_id.encode() + bytes(-len(stream_id) % 4)
    words = b"".join(padded[place : place + 4][::-1] for place in range(0, len(padded), 4))
    # HSREQ of version 1.4 with a delay of 120 ms, and the stream identifier.
    packet += struct.pack(">HHIIHH", 1, 3, 0x00010402, 0x3F, 120, 120)
    return packet + struct.pack(">HH", 5, len(words) // 4) + words


def crowd_srt(arguments, counts, ended):
    address = (arguments.host, arguments.port)
    sources = [f"127.0.1.{index + 1}" for index in range(arguments.addresses)] or [arguments.host]
    sockets = []
    for index in range(arguments.connections):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.bind((sources[index % len(sources)], 0))
        one.setblocking(False)
        sockets.append(one)
    counts["connections"] = len(sockets)
    cookies = {}
    while not ended():
        for one in sockets:
            try:
                answer = one.recv(2048)
                if len(answer) >= 48 and struct.unpack(">I", answer[36:40])[0] == 1:
                    cookies[one] = struct.unpack(">I", answer[44:48])[0]
            except OSError:
                pass
            if arguments.attack == "inductions":
                packet = handshake(1)
            elif arguments.attack == "noise":
                packet = random.randbytes(random.randrange(1, 1400))
            elif arguments.attack == "forgeries":
                packet = handshake(0xFFFFFFFF, random.getrandbits(32), arguments.stream_id, 5, 5)
            elif one in cookies:
                # A wrong stream identifier, or the right one without its passphrase.
                packet = handshake(0xFFFFFFFF, cookies[one], arguments.stream_id, 5, 5)
            else:
                packet = handshake(1)
            try:
                counts["bytes"] += one.sendto(packet, address)
            except OSError:
                pass
        yield
        time.sleep(arguments.pause)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("protocol", choices=["rtmp", "srt"])
    parser.add_argument("port", type=int)
    parser.add_argument("attack")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--addresses", type=int, default=1, help="those of the crowd; 0 for that of the host")
    parser.add_argument("--rate", type=float, default=1e6, help="the most connections a second, after the first ones")
    parser.add_argument("--stream-id", default="guess")
    parser.add_argument("--pause", type=float, default=0.02)
    parser.add_argument("--seconds", type=float, default=900)
    arguments = parser.parse_args()
    os.set_blocking(sys.stdin.fileno(), False)
    end = time.monotonic() + arguments.seconds

    def ended():
        return time.monotonic() > end or sys.stdin.buffer.read(1) == b""

    counts = collections.Counter(connections=0, closed=0, bytes=0)
    rounds = (crowd_rtmp if arguments.protocol == "rtmp" else crowd_srt)(arguments, counts, ended)
    for index, _ in enumerate(rounds):
        if index == 0:
            print("crowded", flush=True)
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main()
