#!/usr/bin/env python3
"""What the packager costs as a service: until it is ready, when its configuration changes, and to be watched.

Usage: service.py [--channels 20] [--seconds 30] [--scrapes 300]

1. From the start of the process to the first playlist, and to READY as systemd is told it.
2. Many live channels of the sample in one process, undisturbed: CPU, which is the yardstick of what follows.
3. One of them changes, comes and goes, again and again: how long an answer takes, and how late the others' slots are listed
   meanwhile beside before.
4. Metrics are asked for once a second, and as fast as they come: CPU seconds of one answer, and per cent of a channel.
"""

import argparse
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGER = ROOT / ".build/release/packager"
FEED = ROOT / "Samples/feed.ts"


class Packager:
    def __init__(self, work, channels, notify=None):
        self.work, self.channels = work, channels
        self.path = work / "packager.yaml"
        self.write(channels)
        self.started = time.monotonic()
        environment = dict(os.environ, **({"NOTIFY_SOCKET": notify} if notify else {}))
        self.process = subprocess.Popen(
            [str(PACKAGER), "--config", str(self.path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.addresses = {}
        while "listening" not in self.addresses:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(self.process.stderr.read())
            self.addresses.update([line.split()[:2]])

    def write(self, channels, more=""):
        lines = ["listen: 127.0.0.1:0", "control: 127.0.0.1:0", "log-level: error", "segment-duration: 2",
                 "encryption: sample-aes", "loop: true", "channels:"]
        lines += [f"  - {{name: c{index}, input: {FEED}}}" for index in range(channels)]
        self.path.write_text("\n".join(lines) + "\n" + more)

    def get(self, path, listener="control", method="GET"):
        request = urllib.request.Request(self.addresses[listener] + path, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def until(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return time.monotonic() - self.started
            except OSError:
                pass
            time.sleep(0.01)
        sys.exit(f"not within {seconds} s")

    def late(self, channels):
        """How many slots of some channels were listed within each bound, from the histogram of publication delays."""
        text = self.get("metrics")
        counts = {}
        for channel, bound, count in re.findall(r'packager_publication_delay_seconds_bucket\{channel="(\w+)",le="([^"]+)"\} (\d+)', text):
            if channel in channels:
                counts[bound] = counts.get(bound, 0) + int(count)
        return counts

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


def quantile(before, after, share):
    """The bound below which so many of the slots are that were listed between two looks."""
    counts = {bound: after[bound] - before.get(bound, 0) for bound in after}
    bounds = sorted(counts, key=lambda bound: float(bound.replace("+Inf", "inf")))
    total = counts[bounds[-1]] if bounds else 0
    return next((f"{bound} s" for bound in bounds if total and counts[bound] >= share * total), "-")


def start(work):
    path = str(work / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(path)
        notified.settimeout(60)
        packager = Packager(work, 1, notify=path)
        listening = time.monotonic() - packager.started
        while b"READY=1" not in notified.recv(4096):
            pass
        ready = time.monotonic() - packager.started
        playlist = packager.until(lambda: "c0" in packager.get("channels.json", "listening"))
        packager.end()
    print(f"start: listening after {listening:.2f} s, READY after {ready:.2f} s (slots of 2 s); channels listed by {playlist:.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--channels", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--scrapes", type=int, default=300)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        work = pathlib.Path(directory)
        start(work)
        count = arguments.channels
        packager = Packager(work, count)
        others = {f"c{index}" for index in range(count - 1)}
        packager.until(lambda: packager.get("metrics").count("packager_publication_delay_seconds_count") == count)
        time.sleep(10)
        before, used = packager.late(others), packager.cpu()
        time.sleep(arguments.seconds)
        after, used = packager.late(others), packager.cpu() - used
        share = 100 * used / arguments.seconds / count
        print(f"\n{count} channels of the sample: {share:.2f} % of a core a channel; "
              f"slots listed within {quantile(before, after, 0.5)} (half), {quantile(before, after, 0.99)} (99 %)")

        times = {"changed": [], "added": [], "removed": []}
        before = packager.late(others)
        begun, index = time.monotonic(), 0
        while time.monotonic() < begun + arguments.seconds:
            last = f"  - {{name: c{count - 1}, input: {FEED}, window: {60 + index + 1}}}\n"
            extra = f"  - {{name: more, input: {FEED}}}\n"
            steps = [("changed", count - 1, last), ("added", count, extra), ("removed", count, "")]
            for name, channels, more in steps:
                packager.write(channels, more)
                begin = time.monotonic()
                packager.get("reload", method="POST")
                times[name].append(1000 * (time.monotonic() - begin))
                time.sleep(0.1)
            index = (index + 1) % 100
        after = packager.late(others)
        print(f"\n{sum(map(len, times.values()))} reloads in {arguments.seconds} s, ms until they are done:")
        for name, values in times.items():
            print(f"  one channel {name:8} {statistics.median(values):8.1f} (median) {max(values):8.1f} (most)")
        print(f"  meanwhile the others' slots are listed within {quantile(before, after, 0.5)} (half), "
              f"{quantile(before, after, 0.99)} (99 %)")

        begin, used = time.monotonic(), packager.cpu()
        for _ in range(arguments.scrapes):
            size = len(packager.get("metrics"))
        elapsed, used = time.monotonic() - begin, packager.cpu() - used
        one = (used - elapsed * share * count / 100) / arguments.scrapes
        print(f"\nmetrics: {size} bytes, {arguments.scrapes / elapsed:.0f} a second at most, {1000 * one:.2f} ms of CPU each; "
              f"once in 15 s that is {100 * one / 15 / count / (share / 100):.2f} % of a channel's CPU")
        packager.end()


if __name__ == "__main__":
    main()
