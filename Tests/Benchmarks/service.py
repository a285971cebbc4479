#!/usr/bin/env python3
"""What the packager costs as a service, in figures of its own: there is nobody to compare it with.

Usage: service.py [--only CASE...] [--record] [--channels 20] [--seconds 30] ...

start        From the start of the process to the first playlist, and to READY as systemd is told it.
changes      Many live channels of the sample in one process, undisturbed: CPU. Then one of them changes, comes and goes, again and again:
             how long an answer takes, and how late the others' slots are listed meanwhile. Then metrics are asked for.
small        100 channels of 0.5 Mbit/s by UDP: CPU, memory and threads of each.
large        20 channels of 5 Mbit/s by UDP: the same.
connections  10,000 connections, each of which polls a playlist every 4 s: CPU, memory of a connection, and whether slots are late.
viewers      1,000 viewers at 2 Mbit/s, each with a playlist and a segment every 4 s: CPU.
day          A window of a day beside one of an hour: how long the state of the channel takes.

Prints at the end which of the bounds that hold on any machine do not, and exits with 1 then. --record writes the table of the guide.
"""

import argparse
import datetime
import json
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import feeds
from measuring import FEED, ROOT, Packager, announced, free_port, machine, processor_time, resident, usage, write_table

CROWD = ROOT / "Tests/EndToEndTests/Crowd/crowd.py"
SETTINGS = ["log-level: error", "encryption: sample-aes"]
DELAY = "packager_publication_delay_seconds"
# Rows of the guide's table, and bounds that were missed.
TABLE, MISSED = [], []


def bound(is_kept, text):
    if not is_kept:
        MISSED.append(text)
        print(f"MISSED: {text}")


def share(pids, seconds):
    """Per cent of a core that processes take in some seconds."""
    used = processor_time(pids)
    time.sleep(seconds)
    return 100 * (processor_time(pids) - used) / seconds


def late(packager, channels):
    """How many slots of some channels were listed within each bound, from the histogram of publication delays."""
    counts = {}
    for labels, count in packager.metric(f"{DELAY}_bucket").items():
        channel, limit = re.fullmatch(r'channel="(\w+)",le="([^"]+)"', labels).groups()
        if channel in channels:
            counts[limit] = counts.get(limit, 0) + int(count)
    return counts


def quantile(before, after, part):
    """The bound below which so many of the slots are that were listed between two looks."""
    counts = {limit: after[limit] - before.get(limit, 0) for limit in after}
    limits = sorted(counts, key=lambda limit: float(limit.replace("+Inf", "inf")))
    total = counts[limits[-1]] if limits else 0
    return next((f"{limit} s" for limit in limits if total and counts[limit] >= part * total), "-")


def start(work, arguments):
    settings = [*SETTINGS, "segment-duration: 2", "loop: true"]
    with announced(work, settings, [f"name: c0, input: {FEED}"]) as (packager, listening, ready):
        playlist = packager.until(lambda: "c0" in packager.get("channels.json", "listening"))
    print(f"start: listening after {listening:.2f} s, READY after {ready:.2f} s (slots of 2 s); channels listed by {playlist:.2f} s")


def changes(work, arguments):
    count, seconds = arguments.channels, arguments.seconds
    channels = [f"name: c{index}, input: {FEED}" for index in range(count)]
    others = {f"c{index}" for index in range(count - 1)}
    with Packager(work, [*SETTINGS, "segment-duration: 2", "loop: true"], channels) as packager:
        packager.until(lambda: len(packager.metric(f"{DELAY}_count")) == count)
        time.sleep(10)
        before, cpu = late(packager, others), share([packager.pid], seconds) / count
        after = late(packager, others)
        print(f"\n{count} channels of the sample: {cpu:.2f} % of a core a channel; "
              f"slots listed within {quantile(before, after, 0.5)} (half), {quantile(before, after, 0.99)} (99 %)")

        times = {"changed": [], "added": [], "removed": []}
        before, begun, index = late(packager, others), time.monotonic(), 0
        while time.monotonic() < begun + seconds:
            changed = channels[:-1] + [f"{channels[-1]}, window: {61 + index}"]
            for name, list in [("changed", changed), ("added", channels + [f"name: more, input: {FEED}"]), ("removed", channels)]:
                packager.write(list)
                begin = time.monotonic()
                packager.get("reload", method="POST")
                times[name].append(1000 * (time.monotonic() - begin))
                time.sleep(0.1)
            index = (index + 1) % 100
        after = late(packager, others)
        print(f"\n{sum(map(len, times.values()))} reloads in {seconds} s, ms until they are done:")
        for name, values in times.items():
            print(f"  one channel {name:8} {statistics.median(values):8.1f} (median) {max(values):8.1f} (most)")
        print(f"  meanwhile the others' slots are listed within {quantile(before, after, 0.5)} (half), "
              f"{quantile(before, after, 0.99)} (99 %)")

        begin, used = time.monotonic(), processor_time([packager.pid])
        for _ in range(arguments.scrapes):
            size = len(packager.get("metrics"))
        elapsed, used = time.monotonic() - begin, processor_time([packager.pid]) - used
        one = (used - elapsed * cpu * count / 100) / arguments.scrapes
        print(f"\nmetrics: {size} bytes, {arguments.scrapes / elapsed:.0f} a second at most, {1000 * one:.2f} ms of CPU each; "
              f"once in 15 s that is {100 * one / 15 / count / (cpu / 100):.2f} % of a channel's CPU")


def channels(work, arguments, kind, count):
    """Live channels by UDP, with cbcs, in one process."""
    ports = [free_port(socket.SOCK_DGRAM) for _ in range(count)]
    inputs = [f"name: c{index}, input: 'udp://127.0.0.1:{port}'" for index, port in enumerate(ports)]
    # All that is listed, and what has left a window of a minute, has to have room.
    with Packager(work, [*SETTINGS, "maximum-memory: 4G"], inputs) as packager, \
            feeds.Sender(feeds.feed(kind, 20), ports) as sender:
        # The window is full after a minute, and what has left it is kept for as long again.
        time.sleep(140)
        cpu = share([packager.pid], arguments.seconds) / count
        memory, (_, _, threads) = resident(packager.pid), usage([packager.pid])
        own = (memory - sum(packager.metric("packager_window_bytes").values()) / 1e6) / count
    rate = f"{sender.rate / 1e6:.1f} Mbit/s"
    print(f"\n{count} channels of {rate} by UDP: {cpu:.2f} % of a core, {memory / count:.1f} MB, of which {own:.1f} MB "
          f"are not media, and {threads / count:.1f} threads each")
    bound(count < 100 or threads <= 1.5 * count, f"{count} channels have {threads} threads")
    TABLE.append(f"| channels of {rate} by UDP, `cbcs`, {count} at once | {100 / cpu:.0f} | {own:.1f} MB and the window's bytes |")


def crowd(packager, path, *options):
    return subprocess.Popen([sys.executable, CROWD, packager.addresses["listening"] + path, *map(str, options)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def mean_delay(packager, seconds):
    """Seconds from the end of a slot to its publication, of those that are published in some seconds."""
    def look():
        return [sum(packager.metric(f"{DELAY}_{name}").values()) for name in ("sum", "count")]

    before = look()
    time.sleep(seconds)
    after = look()
    return (after[0] - before[0]) / max(1, after[1] - before[1])


def audience(work, arguments, title, feed, path, viewers, *options):
    """Viewers on connections of their own: CPU, memory of each, and how much later slots are published than before."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < viewers + 1000:
        return bound(False, f"{title}: not measured, since so many files cannot be open (ulimit -Hn)")
    with Packager(work, ["log-level: error", "loop: true", "connections-per-address: 100000"], [f"name: live, input: {feed}"]) as packager:
        packager.until(lambda: "#EXTINF" in packager.get(path, "listening"))
        # Until the window is full the playlist grows.
        time.sleep(68)
        delay, rest, memory = mean_delay(packager, 20), share([packager.pid], 10), resident(packager.pid)
        crowding = crowd(packager, path, "--connections", viewers, "--seconds", 45, *options)
        # All are there after a few seconds.
        time.sleep(15)
        cpu = share([packager.pid], 10) - rest
        later, memory = mean_delay(packager, 16) - delay, 1000 * (resident(packager.pid) - memory) / viewers
        seen = json.loads(crowding.communicate()[0])
    print(f"\n{title}: {cpu:.1f} % of a core, {memory:.1f} kB each; answers took {seen['median']} ms (half), {seen['p99']} ms (99 %), "
          f"{seen['slowest']} ms (most); slots came {1000 * later:+.0f} ms later than before; {seen['failures']} failures")
    bound(seen["unanswered"] == 0 and seen["failures"] == 0, f"{title}: all are served")
    bound(later <= 0.1, f"{title}: slots are published at most 0.1 s later than without")
    TABLE.append(f"| {title} | {100 * viewers / cpu:.0f} | {memory:.1f} kB |")


def day(work, arguments):
    feed = feeds.day()
    inputs = [f"name: hour, input: {feed}, window: 3600", f"name: day, input: {feed}, window: 86400"]

    def slots(channel, outcome="media"):
        counts = packager.metric("packager_slots_total")
        return max((count for labels, count in counts.items() if f'"{channel}"' in labels and outcome in labels), default=0)

    with Packager(work, ["log-level: error", "realtime: false", "maximum-memory: 4G"], inputs) as packager:
        took = packager.until(lambda: min(slots("hour"), slots("day")) >= 86400 / 4 - 2, seconds=900)
        times = {"hour": [], "day": []}
        for _ in range(100):
            for name in times:
                begin = time.monotonic()
                packager.get(f"channels/{name}")
                times[name].append(1000 * (time.monotonic() - begin))
        memory = resident(packager.pid)
    hour, whole = (statistics.median(values) for values in times.values())
    print(f"\na day of slots took {took:.0f} s to package twice; {memory:.0f} MB; "
          f"the state of a channel takes {hour:.2f} ms with a window of an hour, {whole:.2f} ms with one of a day")
    bound(whole <= 2 * hour + 1, "the state of a channel takes as long with a window of a day as with one of an hour")


CASES = {
    "start": start,
    "changes": changes,
    "small": lambda work, arguments: channels(work, arguments, "500.ts", 100),
    "large": lambda work, arguments: channels(work, arguments, "h264.ts", 20),
    "connections": lambda work, arguments: audience(
        work, arguments, "viewers who poll a playlist every 4 s, 10,000 at once", FEED, "live/video-360p.m3u8", 10_000),
    "viewers": lambda work, arguments: audience(
        work, arguments, "viewers at 2 Mbit/s, 1,000 at once", feeds.feed("2000.ts", 20), "live/video-720p.m3u8", 1_000, "--segments"),
    "day": day,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--channels", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--scrapes", type=int, default=300)
    arguments = parser.parse_args()
    if arguments.record and arguments.only != list(CASES):
        parser.error("the table is of all cases")
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        for name in arguments.only:
            CASES[name](pathlib.Path(directory), arguments)
    lines = [f"| {machine()}, {datetime.date.today()} | a core carries | memory of each |", "|---|---|---|", *TABLE]
    print("\n" + "\n".join(lines + [f"MISSED: {text}" for text in MISSED]))
    if arguments.record:
        write_table("What a core carries", lines)
    sys.exit(1 if MISSED else 0)


if __name__ == "__main__":
    main()
