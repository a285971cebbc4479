"""Pictures with the time of day in them, and FFmpeg that encodes them as soon as they are painted.

A clock counts milliseconds since 1970, modulo 2^40: 40 bits in black and white cells, and four more, with which all groups of four bits
cancel out. They are in two rows, each between guards: white and black before it, black and white behind it. glass.js reads them.
"""

import fcntl
import functools
import itertools
import math
import operator
import signal
import subprocess
import sys
import time

WIDTH, HEIGHT = 640, 360
# Where the cells are, in pixels: so many in each of two rows at the top, each so wide and high, behind a margin.
CELLS, CELL, ROW, MARGIN = 26, 24, 48, 8
PLACES = {"width": WIDTH, "cells": CELLS, "cell": CELL, "row": ROW, "margin": MARGIN}
BLACK, WHITE, GREY = b"\x10", b"\xeb", b"\x80"
# Below the clock, so that pictures are not all the same.
STRIPES = bytes(range(64, 192, 2)) * (WIDTH // 64 + 1)
COLOURS = GREY * (WIDTH * HEIGHT // 2)
# Seconds after which timestamps of transport streams begin anew.
WRAP = (1 << 33) / 90_000


def bits(clock):
    groups = [clock >> shift & 15 for shift in range(36, -1, -4)]
    groups.append(functools.reduce(operator.xor, groups))
    return [group >> bit & 1 for group in groups for bit in (3, 2, 1, 0)]


def row(data):
    cells = b"".join((WHITE if bit else BLACK) * CELL for bit in [1, 0, *data, 0, 1])
    return (BLACK * MARGIN + cells + BLACK * MARGIN) * ROW


def picture(clock, number):
    """A picture in planes of YUV 4:2:0, by the time in milliseconds and its number."""
    data, start = bits(clock % (1 << 40)), number % 64
    half = CELLS - 4
    return row(data[:half]) + row(data[half:]) + STRIPES[start:start + WIDTH] * (HEIGHT - 2 * ROW) + COLOURS


def paint(rate, begin):
    """Writes so many pictures a second to standard output, each when it is due, from a UTC in seconds on."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # The pipe has room for a picture, so that nobody waits for the other in the midst of one.
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
    for number in itertools.count():
        time.sleep(max(0, begin + number / rate - time.time()))
        sys.stdout.buffer.write(picture(int(1000 * time.time()), number))
        sys.stdout.buffer.flush()


class Encoder:
    """Sends painted pictures and a tone to ports of this machine, to each the same, until the end of a `with` statement.

    Timestamps are UTC, and key frames are at whole seconds: those of all encoders are at the same times.
    """

    def __init__(self, ports, rate):
        begin = math.ceil(time.time()) + 1
        words = ["ffmpeg", "-v", "error", "-nostdin",
                 "-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", f"{WIDTH}x{HEIGHT}", "-framerate", str(rate), "-i", "pipe:0",
                 "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
        for port in ports:
            words += ["-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency",
                      "-b:v", "800k", "-maxrate", "800k", "-bufsize", "400k", "-g", str(rate), "-sc_threshold", "0",
                      "-c:a", "aac", "-b:a", "96k", "-ac", "2", "-output_ts_offset", str(begin % WRAP),
                      # Otherwise audio is held back, and all timestamps are later by 1.4 s.
                      "-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts", f"udp://127.0.0.1:{port}?pkt_size=1316"]
        painter = [sys.executable, __file__, str(rate), str(begin)]
        self.painter = subprocess.Popen(painter, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.encoder = subprocess.Popen(words, stdin=self.painter.stdout, stdout=subprocess.DEVNULL)
        self.painter.stdout.close()

    def kill(self):
        for process in (self.encoder, self.painter):
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


if __name__ == "__main__":
    paint(int(sys.argv[1]), int(sys.argv[2]))
