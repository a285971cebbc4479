#!/usr/bin/env python3
"""What low latency costs, and how soon a part is there.

Usage: low_latency.py [--only CASE...] [--parts 120] [--connections 10000] [--viewers 1000] [--channels 8] [--seconds SECONDS]

part       Pictures are sent one by one by UDP. From the last packet of the last picture of a part to the end of the answer to a GET of
           it, which was asked for as the playlist announced it.
parked     10,000 reloads on connections of their own wait for the last part of a slot: from the first answer to the last, memory of each,
           and how much later that slot is published. What the client takes to read so many is in it.
viewers    1,000 viewers at 2 Mbit/s, each with a reload that waits and a part a second: CPU.
many       100 channels of 2 Mbit/s by UDP with parts of a second in one process: CPU, and slots that are late or have gaps.
beside     Channels of 2 Mbit/s by UDP with parts of a second beside the same channels without, at the same time: CPU.
glass      A player shows pictures of a clock: from the encoder to the screen, with parts of 1 s and 0.25 s, and stalls. 60 s each.
sync       Two channels of the same pictures side by side on one page: how far they are apart. 600 s.
endurance  A channel whose keys change, with an ad break, the loss of its encoder and an upgrade: the same as for glass. 600 s.

Exits with 1 if a bound does not hold. Latencies and the time of answers contain what this program takes itself.
"""

import argparse
import datetime
import http.client
import json
import pathlib
import re
import resource
import select
import socket
import statistics
import sys
import tempfile
import time
import urllib.parse

import feeds
import glass
from frames import FrameSender
from frames import feed as frame_feed
from live import SETTINGS, sample
from measuring import Packager, free_port, resident
from service import DELAY, MISSED, bound, crowd, late, mean_delay, quantile, share

VIDEO = "live/video-720p.m3u8"
PARTS = ["part-duration: 1"]


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Playlist:
    """The newest part of a media playlist, the part that it announces, and the position that comes next."""

    def __init__(self, text):
        listed, _, tail = text.rpartition("#EXTINF")
        self.sequence = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text)[1]) + text.count("#EXTINF")
        self.hint = re.search(r'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"', text)[1]
        parts = re.findall(r"#EXT-X-PART:\S*?DURATION=([\d.]+)", tail)
        self.part = len(parts)
        # The segment that is not over begins with its date; where none is open, the last one has ended with what is listed.
        lines = tail if parts else listed[listed.rfind("#EXT-X-PROGRAM-DATE-TIME"):] + tail
        date = re.findall(r"#EXT-X-PROGRAM-DATE-TIME:(\S+)", lines)[-1]
        begin = datetime.datetime.fromisoformat(date).timestamp()
        self.end = begin + (sum(map(float, parts)) if parts else float(re.match(r":([\d.]+)", tail)[1]))

    def directives(self, ahead=0):
        return f"_HLS_msn={self.sequence}&_HLS_part={self.part + ahead}"


def part(work, arguments):
    port, took = free_port(socket.SOCK_DGRAM), []
    channel = [f"name: live, input: 'udp://127.0.0.1:{port}', clock: pts, segment-duration: 2, part-duration: 0.4"]
    with Packager(work, SETTINGS, channel) as packager, FrameSender(frame_feed(), port) as sender:
        packager.until(lambda: "#EXT-X-PART:" in packager.get(VIDEO, "listening"))
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(packager.addresses["listening"]).netloc, timeout=60)

        def get(path, may_miss=False):
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status == 404 and may_miss:
                return None
            if answer.status != 200:
                sys.exit(f"{path}: {answer.status}")
            return body.decode(errors="replace")

        playlist = Playlist(get(f"/{VIDEO}"))
        while len(took) < arguments.parts:
            if get(urllib.parse.urljoin(f"/{VIDEO}", playlist.hint), may_miss=True) is None:
                # The slot has ended with the part before it.
                playlist = Playlist(get(f"/{VIDEO}"))
                continue
            answered = time.monotonic()
            playlist = Playlist(get(f"/{VIDEO}?{playlist.directives()}"))
            took.append(1000 * (answered - sender.completed(playlist.end)))
    print(f"\n{len(took)} parts of 0.4 s: answered {statistics.median(took):.1f} ms (half), {percentile(took, 0.99):.1f} ms (99 %), "
          f"{max(took):.1f} ms (most) after the last packet")
    bound(percentile(took, 0.99) <= 10, "a part is answered within 10 ms of its last packet (99 %)")


def answers(sockets):
    """The times at which sockets have something to read, each when its first bytes are taken, and how many are no 200."""
    poller, by_number = select.epoll(), {one.fileno(): one for one in sockets}
    for number in by_number:
        poller.register(number, select.EPOLLIN)
    times, failures, end = [], 0, time.monotonic() + 60
    while by_number and time.monotonic() < end:
        for number, _ in poller.poll(1, 1024):
            try:
                failures += not by_number.pop(number).recv(1 << 16).startswith(b"HTTP/1.1 200 ")
            except OSError:
                failures += 1
            times.append(time.monotonic())
            poller.unregister(number)
    poller.close()
    return times, failures + len(by_number)


def can_open(count, title):
    """Whether so many connections can be open; a bound is missed if not."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= count + 1000:
        return True
    bound(False, f"{title}: not measured, since so many files cannot be open (ulimit -Hn)")
    return False


def delays(packager):
    """Seconds from the ends of all slots to their publication, and how many slots these are."""
    return [sum(packager.metric(f"{DELAY}_{name}").values()) for name in ("sum", "count")]


def parked(work, arguments):
    count = arguments.connections
    if not can_open(count, "parked reloads"):
        return
    port = free_port(socket.SOCK_DGRAM)
    settings = ["log-level: error", "connections-per-address: 100000", "segment-duration: 8", "part-duration: 4"]
    with Packager(work, settings, [f"name: live, input: 'udp://127.0.0.1:{port}'"]) as packager, \
            feeds.Sender(feeds.feed("2000.ts", 20), [port]):
        packager.until(lambda: "#EXT-X-PART:" in packager.get(VIDEO, "listening"))
        delay = mean_delay(packager, 34)
        url = urllib.parse.urlsplit(packager.addresses["listening"])
        sockets = [socket.create_connection((url.hostname, url.port)) for _ in range(count)]
        # From the first of two parts on, there is a whole part for all to ask for the last one.
        newest = Playlist(packager.get(VIDEO, "listening"))
        while True:
            newest = Playlist(packager.get(f"{VIDEO}?{newest.directives()}", "listening"))
            if newest.part == 1:
                break
        before = delays(packager)
        memory = resident(packager.pid)
        request = f"GET /{VIDEO}?{newest.directives()} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode()
        for one in sockets:
            one.sendall(request)
        time.sleep(0.5)
        memory = 1000 * (resident(packager.pid) - memory) / count
        times, failures = answers(sockets)
        packager.until(lambda: delays(packager)[1] > before[1])
        after = delays(packager)
        later = (after[0] - before[0]) / (after[1] - before[1]) - delay
        for one in sockets:
            one.close()
    spread = 1000 * (times[-1] - times[0]) if times else float("inf")
    print(f"\n{count} parked reloads: {memory:.1f} kB each; answered within {spread:.0f} ms, half of them within "
          f"{1000 * (percentile(times, 0.5) - times[0]):.0f} ms; their slot came {1000 * later:+.0f} ms later; {failures} failures")
    bound(failures == 0, "all parked reloads are answered")
    bound(spread <= 250, "the last parked reload is answered within 250 ms of the first")
    bound(memory <= 4, "a parked reload takes 4 kB at most")
    bound(later <= 0.1, "a slot is published at most 0.1 s later with parked reloads than without")


def viewers(work, arguments):
    count, port = arguments.viewers, free_port(socket.SOCK_DGRAM)
    if not can_open(count, "viewers by parts"):
        return
    settings = ["log-level: error", "connections-per-address: 100000", *PARTS]
    with Packager(work, settings, [f"name: live, input: 'udp://127.0.0.1:{port}'"]) as packager, \
            feeds.Sender(feeds.feed("2000.ts", 20), [port]):
        packager.until(lambda: "#EXT-X-PART:" in packager.get(VIDEO, "listening"))
        # Until the window is full the playlist grows.
        time.sleep(68)
        rest = share([packager.pid], 10)
        crowding = crowd(packager, VIDEO, "--connections", count, "--seconds", 45, "--parts")
        time.sleep(15)
        cpu = share([packager.pid], 10) - rest
        seen = json.loads(crowding.communicate()[0])
    print(f"\n{count} viewers by parts at 2 Mbit/s: {cpu:.1f} % of a core; {seen['answers']} parts and {seen['failures']} failures")
    bound(seen["unanswered"] == 0 and seen["failures"] == 0, "all viewers by parts are served")
    bound(cpu <= 25 * count / 1000, "1,000 viewers by parts take 25 % of a core at most")


def many(work, arguments):
    count = 100
    ports = [free_port(socket.SOCK_DGRAM) for _ in range(count)]
    inputs = [f"name: c{index}, input: 'udp://127.0.0.1:{port}'" for index, port in enumerate(ports)]
    names = {f"c{index}" for index in range(count)}
    # All that is listed, and what has left a window of a minute, has to have room.
    with Packager(work, [*SETTINGS, *PARTS, "maximum-memory: 8G"], inputs) as packager, \
            feeds.Sender(feeds.feed("2000.ts", 20), ports):
        time.sleep(68)
        before, gaps = late(packager, names), missing(packager)
        cpu = share([packager.pid], 3 * (arguments.seconds or 20)) / count
        after, gaps = late(packager, names), missing(packager) - gaps
    print(f"\n{count} channels of 2 Mbit/s by parts in one process, cbcs: {cpu:.2f} % of a core each; slots listed within "
          f"{quantile(before, after, 0.5)} (half), {quantile(before, after, 0.99)} (99 %); {gaps:.0f} are no media")
    bound(after.get("+Inf", 0) - before.get("+Inf", 0) >= count, "all channels by parts in one process publish")
    bound(gaps == 0, "100 channels by parts in one process publish no gap")


def missing(packager):
    """How many slots of all renditions have been something else than media."""
    counts = packager.metric("packager_slots_total")
    return sum(count for labels, count in counts.items() if "media" not in labels)


def beside(work, arguments):
    count, seconds = arguments.channels, arguments.seconds or 20
    ports = [free_port(socket.SOCK_DGRAM) for _ in range(2 * count)]
    inputs = [f"name: c{index}, input: 'udp://127.0.0.1:{port}'" for index, port in enumerate(ports)]
    with Packager(work, SETTINGS, inputs[:count]) as classic, Packager(work, SETTINGS + PARTS, inputs[count:]) as low, \
            feeds.Sender(feeds.feed("2000.ts", 20), ports):
        time.sleep(68)
        (without, _, _), (cpu, _, _) = sample([[classic.pid], [low.pid]], seconds, 3)
    scale = 100 / seconds / count
    print(f"\n{count} channels of 2 Mbit/s, cbcs: {scale * without:.2f} % of a core each without parts, {scale * cpu:.2f} % with, "
          f"{cpu / without:.2f} times as much")
    bound(cpu <= 1.5 * without, "a channel of low latency takes 1.5 times the CPU of one without at most")


CASES = {"part": part, "parked": parked, "viewers": viewers, "many": many, "beside": beside, **glass.CASES}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--parts", type=int, default=120)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--viewers", type=int, default=1_000)
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--seconds", type=int, help="of each measurement, in place of its own number")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        for name in arguments.only:
            CASES[name](pathlib.Path(directory), arguments)
    sys.exit(1 if MISSED else 0)


if __name__ == "__main__":
    main()
