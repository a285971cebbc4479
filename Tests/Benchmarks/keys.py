#!/usr/bin/env python3
"""What a change of keys costs the key server: all viewers at once beside each at a random moment of its own.

Usage: keys.py [--viewers 20000] [--rotation 60 120] [--segment-duration 4] [--processes 2] [--seconds 5]

The packager loops the sample feed, and gives keys on an address of their own to those who have a token. Each viewer has one,
opens a connection, and gets the key of the picture and that of the audio.
  spread   each asks for the keys of the next crypto period at a random moment between fetchFrom and fetchUntil of keys.json,
           as the player page does
  at once  each asks when a playlist names them: players look into it once in a segment, at moments of their own
Crypto periods of several lengths may be given. What is spread is spread over a period less ten seconds: its first segment,
three seconds after that and three before the change. By chance its fullest second has more than the others, and what is
asked for at once waits for the server: both keep the ratio of the peaks below that of the two lengths.
Playlists are not asked for, since those come from caches. The packager has one processor, the viewers have the others: processes of
asyncio, whose own CPU and lateness are printed, too, since latency contains what they add. CPU of the packager is user
and system time of the whole process, less what it uses without viewers. Last comes how many requests of FairPlay
devices one processor answers in a second, with the provider of the tests.
"""

import argparse
import asyncio
import base64
import datetime
import hashlib
import hmac
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from measuring import ROOT, fetch, free_port, processor_time

SECRET = hashlib.sha256(b"a login service").digest()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(number, channel="live"):
    """A JSON Web Token of one viewer."""
    claims = {"sub": f"viewer-{number}", "channel": channel, "exp": int(time.time()) + 3600}
    parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT", "kid": "login"}, claims)]
    signed = ".".join(parts)
    return f"{signed}.{base64url(hmac.digest(SECRET, signed.encode(), 'sha256'))}"


# MARK: Viewers


async def get(port, path, authorization, streams):
    """A key, by a connection that is opened anew where there is none, or the server closes it."""
    while True:
        try:
            if not streams:
                streams[:] = await asyncio.open_connection("127.0.0.1", port)
            reader, writer = streams
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{authorization}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)[1])
            body = await reader.readexactly(length)
        except (ConnectionError, asyncio.IncompleteReadError):
            streams.clear()
            continue
        if not head.startswith(b"HTTP/1.1 200 ") or len(body) != 16:
            sys.exit(f"{path}: {head + body}")
        return


async def view(number, moment, port, paths, seen):
    """Asks for keys at a moment of the monotonic clock, and notes when, how long each took, and how late it was asked for."""
    authorization = f"Authorization: Bearer {token(number)}"
    await asyncio.sleep(moment - time.monotonic())
    begin = time.monotonic()
    late, streams = begin - moment, []
    for path in paths:
        await get(port, path, authorization, streams)
        end = time.monotonic()
        seen.append((begin, end - begin, late))
        begin = end
    streams[1].close()


async def view_all(numbers, moments, port, paths):
    seen = []
    await asyncio.gather(*(view(number, moment, port, paths, seen) for number, moment in zip(numbers, moments)))
    return seen


def run_viewers(numbers, first, last, port, paths, core, results):
    """A process of viewers, each at a random moment from the first to the last."""
    os.sched_setaffinity(0, {core})
    moments = [random.uniform(first, last) for _ in numbers]
    seen = asyncio.run(view_all(numbers, moments, port, paths))
    results.put((seen, time.process_time()))


def load(arguments, server, seconds, paths, cores):
    """Has all viewers ask within so many seconds.

    Returns what they noted, their CPU, and that of the server; seconds.
    """
    process, port, rest = server
    before, started = processor_time([process.pid]), time.monotonic()
    # They need a while to start.
    first = started + 2
    context, results = multiprocessing.get_context("fork"), multiprocessing.Queue()
    shares = [range(share, arguments.viewers, arguments.processes) for share in range(arguments.processes)]
    processes = [
        context.Process(
            target=run_viewers, args=(share, first, first + seconds, port, paths, cores[1 + index % (len(cores) - 1)], results))
        for index, share in enumerate(shares)
    ]
    for viewers in processes:
        viewers.start()
    seen, own = [], 0
    for _ in processes:
        noted, used = results.get()
        seen += noted
        own += used
    for viewers in processes:
        viewers.join()
    return seen, own, processor_time([process.pid]) - before - rest * (time.monotonic() - started)


# MARK: The packager


def start_packager(arguments, rotation, work, core):
    (work / "jwks.json").write_text(json.dumps({"keys": [{"kty": "oct", "kid": "login", "alg": "HS256", "k": base64url(SECRET)}]}))
    origin, keys = free_port(), free_port()
    log = open(work / "packager.log", "w")
    process = subprocess.Popen(
        ["taskset", "-c", str(core), arguments.packager, "--input", ROOT / "Samples/feed.ts", "--loop",
         "--segment-duration", str(arguments.segment_duration), "--encryption", "aes-128",
         "--key-rotation", str(rotation), "--token-keys", work / "jwks.json",
         "--keys-listen", f"127.0.0.1:{keys}", "--listen", f"127.0.0.1:{origin}", "--control", "127.0.0.1:0"],
        stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, "NIO_SINGLETON_GROUP_LOOP_COUNT": "1"})
    return process, keys, f"http://127.0.0.1:{origin}/live/", f"http://127.0.0.1:{keys}/live/"


def schedule(url):
    """Entries of `keys.json` by the time at which their period begins, in seconds since 1970."""
    periods = {}
    for entry in json.loads(fetch(url + "keys.json")):
        entry |= {name: datetime.datetime.fromisoformat(entry[name]).timestamp() for name in ("start", "fetchFrom", "fetchUntil")}
        periods.setdefault(entry["start"], []).append(entry)
    return periods


def patiently(seconds, condition):
    """What a condition returns at last."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if result := condition():
                return result
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit("the packager does not get on")


def next_window(url):
    """The entries of the coming period, once its keys may be fetched."""
    for start, entries in schedule(url).items():
        if start > time.time() and entries[0]["fetchFrom"] <= time.time() < entries[0]["fetchFrom"] + 3:
            return entries


# MARK: Results


def peak(moments, width):
    """Requests a second in the fullest interval of so many seconds."""
    bins = {}
    for moment in moments:
        bins[int(moment / width)] = bins.get(int(moment / width), 0) + 1
    return max(bins.values()) / width


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def figures(seen, own, used):
    begins, latencies, late = zip(*seen)
    return {
        "keys": len(seen),
        "peak in 1 s, requests/s": peak(begins, 1),
        "peak in 100 ms, requests/s": peak(begins, 0.1),
        "latency p50, ms": percentile(latencies, 0.5) * 1e3,
        "latency p99, ms": percentile(latencies, 0.99) * 1e3,
        "latency max, ms": max(latencies) * 1e3,
        "CPU s per 1,000 keys": used / len(seen) * 1e3,
        "viewers: late p99, ms": percentile(late, 0.99) * 1e3,
        "viewers: CPU s per 1,000 keys": own / len(seen) * 1e3,
    }


def measure(arguments, rotation, cores):
    """Figures of viewers who ask at once, and of those whom `keys.json` has spread."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="keys-"))
    process, port, origin, keys = start_packager(arguments, rotation, work, cores[0])
    try:
        print("waiting for a crypto period to begin", flush=True)
        patiently(60, lambda: fetch(origin + "video-360p.m3u8"))
        before = processor_time([process.pid])
        time.sleep(5)
        server = process, port, (processor_time([process.pid]) - before) / 5
        entries = patiently(2 * rotation + 20, lambda: next_window(keys))
        paths = ["/live/" + entry["uri"] for entry in entries]
        # The last may start two seconds after the window has been seen.
        spread = load(arguments, server, entries[0]["fetchUntil"] - time.time() - 2, paths, cores)
        uri = entries[0]["uri"].encode()
        patiently(rotation, lambda: b"EXT-X-KEY:METHOD=AES-128,URI=\"" + uri in fetch(origin + "video-360p.m3u8"))
        at_once = load(arguments, server, arguments.segment_duration, paths, cores)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        shutil.rmtree(work)
    return figures(*at_once), figures(*spread)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=20_000)
    parser.add_argument("--rotation", type=int, nargs="+", default=[60, 120], help="seconds of a crypto period")
    parser.add_argument("--segment-duration", type=int, default=4)
    parser.add_argument("--processes", type=int, default=2, help="that simulate viewers")
    parser.add_argument("--seconds", type=float, default=5, help="how long FairPlay is measured")
    parser.add_argument("--packager", default=ROOT / ".build/release/packager")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("two processors are needed: one for the packager, one for the viewers")
    # All viewers may have a connection, which are of one address.
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    for rotation in arguments.rotation:
        columns = measure(arguments, rotation, cores)
        print(f"{arguments.viewers} viewers, new keys every {rotation} s\n{'':32}{'at once':>12}{'spread':>12}{'ratio':>8}")
        for name, value in columns[0].items():
            other = columns[1][name]
            print(f"{name:32}{value:12.2f}{other:12.2f}{value / other:7.1f}x")
    print("FairPlay, one processor:", flush=True)
    subprocess.run(["taskset", "-c", str(cores[0]), ROOT / ".build/release/keys", str(arguments.seconds)], check=True)


if __name__ == "__main__":
    main()
