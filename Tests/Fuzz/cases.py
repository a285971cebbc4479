"""Feeds that broke the program once, made anew each time from the samples: every run of the mutator begins with them."""
import random
import subprocess
import sys
from pathlib import Path

from damage import told
from transport_stream import (
    MODULUS, PACKET, clock, is_start, payload, pid, presentation_time, timestamp, timestamp_bytes, with_maps,
)

ROOT = Path(__file__).parents[2]
TELETEXT = ROOT / "Tests/TransportStreams/teletext.py"
VIDEO_PID, AUDIO_PID = 0x100, 0x101
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25:min-keyint=25", "-c:a", "mp2"]
AVC = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0", "-b:v", "600k", "-c:a", "aac"]

# A way out of the programme just behind the place where the feed goes on, and back within two seconds.
BREAK = [
    (27.95, lambda counter, now: told.insert(counter, 3, (now + 90_000) % MODULUS, True, 180_000)),
    (28.2, lambda counter, now: told.insert(counter, 3, (now + 150_000) % MODULUS, False)),
]


def encoded(directory, seconds, codecs):
    """The packets of the small sample, encoded anew for so many seconds."""
    sample, rounds, path = ROOT / "Samples/feed-180p.ts", directory / "rounds.txt", directory / "encoded.ts"
    # Its rounds are joined without a seam by this demuxer alone.
    rounds.write_text(f"file '{sample}'\nduration 8.0\n" * (seconds // 8 + 1))
    source = ["-f", "concat", "-safe", "0", "-i", str(rounds), "-map", "0:v:0", "-map", "0:a:0", "-t", str(seconds)]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *codecs, str(path)], check=True)
    return split(path.read_bytes())


def split(data):
    return [data[place : place + PACKET] for place in range(0, len(data) - PACKET + 1, PACKET)]


def retimed(packet, change):
    """A packet whose PTS and DTS, where it has any, are otherwise."""
    start = payload(packet)
    if not is_start(packet) or packet[start : start + 3] != b"\0\0\1":
        return packet
    packet = bytearray(packet)
    for field in range({2: 1, 3: 2}.get(packet[start + 7] >> 6, 0)):
        at = start + 9 + 5 * field
        packet[at : at + 5] = timestamp_bytes(packet[at] >> 4, change(timestamp(packet, at)) % MODULUS)
    return bytes(packet)


def continued(bodies):
    """Packets of the video that go on with what it is in the middle of."""
    return [bytes([0x47, VIDEO_PID >> 8, VIDEO_PID & 0xFF, 0x10 | index & 15]) + body for index, body in enumerate(bodies)]


def filling_memory(directory):
    """HEVC and MP2: six seconds that are well, twelve whose timestamps run 100,000 times as fast, twelve with two giant pictures."""
    rng, whole = random.Random(5_500_000), encoded(directory, 12, HEVC)
    first = next(now for now in map(clock, whole) if now is not None)
    half = next(index for index, packet in enumerate(whole) if (clock(packet) or 0) - first >= 6 * 90_000)
    fast = [retimed(packet, lambda time: time * 100_000) for packet in whole]
    stuffed, noise = bytes([0xFF]) * (PACKET - 4), [rng.randbytes(PACKET - 4) for _ in range(12_000)]
    # The first picture is one giant, a later one the other.
    pictures = [index for index, packet in enumerate(whole) if pid(packet) == VIDEO_PID and is_start(packet)]
    one, other = pictures[0] + 22, pictures[10] + 1
    giants = whole[:one] + continued([stuffed] * 3_000) + whole[one:other] + continued(noise) + whole[other:]
    return b"".join(whole[:half] + fast + giants)


def going_back(directory, rest=()):
    """H.264, AAC, teletext and SCTE-35: 26 s are missing from within a picture on, and one picture is hours ahead.

    The rest is what is told of splices: pairs as `told.with_messages` takes them.
    """
    whole = encoded(directory, 30, AVC)
    told_of = told.with_messages(whole, rest) if rest else with_maps(whole, told.announce)
    pages = [sys.executable, str(TELETEXT), "--pid", str(0x1F5)]
    made = subprocess.run(pages, input=b"".join(map(bytes, told_of)), stdout=subprocess.PIPE, check=True)
    whole = split(made.stdout)
    pictures = [index for index, packet in enumerate(whole) if presentation_time(packet) is not None]
    ahead, last = pictures[26], pictures[38]
    whole[ahead] = retimed(whole[ahead], lambda time: time + 18_005 * 90_000)
    sounds = [index for index, packet in enumerate(whole) if pid(packet) == AUDIO_PID and is_start(packet)]
    begin = timestamp(whole[sounds[0]], payload(whole[sounds[0]]) + 9)
    onward = next(at for at in sounds if timestamp(whole[at], payload(whole[at]) + 9) - begin >= 27.3 * 90_000)
    return b"".join(whole[: last + 6] + whole[onward - 12 :])
