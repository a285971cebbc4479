"""CPU a request of the origin beside nginx.

The packager loops the sample feed and one of 5 Mbit/s; nginx serves copies of the same bytes from disk, with its file cache and
compressed copies beside. Each has one thread for its connections, since each has one processor. wrk, and h2load for HTTP/2,
ask both in turn, on a processor of their own; each server is kept to another one. CPU is user and system time of the whole
server process, less what it uses without requests; the median of the runs is printed.
"""

import dataclasses
import functools
import gzip
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import feeds
from ledger import Case
from measuring import FEED, Packager, fetch, free_port, processor_time

PLAYLIST = "application/vnd.apple.mpegurl"
COMPRESSED = "Accept-Encoding: gzip, deflate, br"


@dataclasses.dataclass(frozen=True)
class Row:
    # The playlist of the channel, or its newest segment.
    channel: str = "live/video-360p"
    is_segment: bool = False
    field: str | None = None
    # Of each server there is one that is plain, one with a log, and one with TLS.
    server: str = "plain"
    tool: str = "wrk"


LARGE = "large/video-1080p"
ROWS = {
    "playlist": Row(),
    "gzip playlist": Row(field=COMPRESSED),
    "segment": Row(is_segment=True),
    "large segment": Row(LARGE, is_segment=True),
    "playlist with a log": Row(server="log"),
    "playlist over TLS": Row(server="TLS"),
    "segment over TLS": Row(is_segment=True, server="TLS"),
    "large segment over TLS": Row(LARGE, is_segment=True, server="TLS"),
    "playlist over HTTP/2": Row(server="TLS", tool="h2load"),
    "gzip playlist over HTTP/2": Row(field=COMPRESSED, server="TLS", tool="h2load"),
    "segment over HTTP/2": Row(is_segment=True, server="TLS", tool="h2load"),
    "large segment over HTTP/2": Row(LARGE, is_segment=True, server="TLS", tool="h2load"),
}


class Nginx:
    def __init__(self, work, core, log="off", tls=""):
        port, self.www = free_port(), work / "www"
        path = work / f"nginx-{port}.conf"
        path.write_text(f"""
daemon off; master_process off; worker_processes 1; pid {work}/{port}.pid; error_log {work}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log {log}; sendfile on; tcp_nopush on; keepalive_requests 100000000; gzip_static on; gzip_vary on;
    open_file_cache max=1000 inactive=600s; open_file_cache_valid 600s;
    types {{ {PLAYLIST} m3u8; video/mp4 m4s; }}
    server {{ listen 127.0.0.1:{port} {'ssl http2' if tls else ''}; {tls} root {self.www}; add_header Access-Control-Allow-Origin *; }}
}}
""")
        self.process = subprocess.Popen(["taskset", "-c", core, "nginx", "-p", work, "-c", path],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid, self.url = self.process.pid, f"{'https' if tls else 'http'}://127.0.0.1:{port}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Servers:
    """The servers of both kinds, from the first question on until the stack is left."""

    def __init__(self, arguments, work, stack):
        self.arguments, self.work, self.stack = arguments, work / "origin", stack
        self.cores = [str(core) for core in sorted(os.sched_getaffinity(0))[:2]]
        if len(self.cores) < 2:
            sys.exit("two processors are needed: one for the server, one for the client")

    @functools.cached_property
    def pairs(self):
        """nginx and the packager, by what they have."""
        work, core = self.work, self.cores[0]
        (work / "www").mkdir(parents=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-keyout", work / "key.pem", "-out", work / "chain.pem"], check=True, capture_output=True)
        channels = [f"name: live, input: {FEED}", f"name: large, input: {feeds.feed('h264.ts', self.arguments.minutes)}"]

        def packager(*settings):
            return Packager(work, ["log-level: warning", "loop: true", *settings], channels, core, {"NIO_SINGLETON_GROUP_LOOP_COUNT": "1"})

        tls = f"ssl_certificate {work}/chain.pem; ssl_certificate_key {work}/key.pem;"
        pairs = {
            "plain": (Nginx(work, core), packager()),
            "log": (Nginx(work, core, log=work / "nginx.access"), packager(f"access-log: {work / 'packager.access'}")),
            "TLS": (Nginx(work, core, tls=tls), packager(f"tls-certificate: {work}/chain.pem", f"tls-private-key: {work}/key.pem")),
        }
        for pair in pairs.values():
            for server in pair:
                self.stack.enter_context(server)
        print("\nwaiting for a full window", flush=True)
        # Until then the playlists grow.
        time.sleep(68)
        print(f"{'':36}{'nginx':>24}{'packager':>24}{'CPU':>8}\n{'':36}" + f"{'us/req':>8}{'req/s':>8}{'p99 ms':>8}" * 2)
        return pairs

    def compare(self, title):
        row, samples = ROWS[title], {}
        nginx, packager = self.pairs[row.server]
        for run in range(self.arguments.runs):
            source = packager.addresses["listening"] + f"{row.channel}.m3u8"
            if row.is_segment:
                # A segment is found where it is now; the playlist's bytes change every four seconds, their number does not.
                newest = [line for line in fetch(source).decode().splitlines() if line and not line.startswith("#")][-1]
                source = f"{source.rsplit('/', 1)[0]}/{newest}"
            # A file of its own each time: nginx keeps what it knows of one that it has opened.
            copy = nginx.www / f"{title.replace(' ', '-').replace('/', '')}-{time.monotonic_ns()}{pathlib.Path(source).suffix}"
            copy.write_bytes(fetch(source))
            if not row.is_segment:
                pathlib.Path(f"{copy}.gz").write_bytes(gzip.compress(copy.read_bytes(), mtime=0))
                os.utime(f"{copy}.gz", (copy.stat().st_atime, copy.stat().st_mtime))
            for server, url in [(nginx, nginx.url + copy.name), (packager, source)]:
                samples.setdefault(server, []).append(self.measure(server, url, row))
        size = len(fetch(source, row.field))
        theirs, mine = ([statistics.median(column) for column in zip(*samples[server])] for server in (nginx, packager))
        text = "".join(f"{cpu:8.1f}{rate:8.0f}{slow:8.1f}" for cpu, rate, slow in (theirs, mine))
        print(f"{f'{title}, {size / 1000:.1f} kB':36}{text}{mine[0] / theirs[0]:7.2f}x", flush=True)
        return {"CPU of nginx": mine[0] / theirs[0]}

    def measure(self, server, url, row):
        """Microseconds of CPU a request, requests a second, ms of the 99th percentile."""
        begin = processor_time([server.pid])
        time.sleep(1)
        rest = processor_time([server.pid]) - begin
        before, start = processor_time([server.pid]), time.monotonic()
        requests, slow = {"wrk": wrk, "h2load": h2load}[row.tool](url, row.field, self.arguments, self.cores[1])
        seconds = time.monotonic() - start
        if requests == 0:
            sys.exit(f"{url}: no answer")
        used = processor_time([server.pid]) - before - rest * seconds
        return used / requests * 1e6, requests / seconds, slow


def milliseconds(text):
    """What wrk says a time is; not a number where it says none, which costs no other row."""
    time = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text)
    return float(time[1]) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}[time[2]] if time else float("nan")


def client(command, url, field, core):
    command = ["taskset", "-c", core, *command, *(["-H", field] if field else []), url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wrk(url, field, arguments, core):
    """Asks for so long: requests, and the slowest but one in a hundred, in ms."""
    output = client(["wrk", "-t1", f"-c{arguments.connections}", f"-d{arguments.request_seconds}s", "--latency"], url, field, core)
    if "Non-2xx" in output:
        sys.exit(f"{url}: {output}")
    return int(re.search(r"(\d+) requests in", output)[1]), milliseconds(re.search(r"99%\s+(\S+)", output)[1])


def h2load(url, field, arguments, core):
    """The same over HTTP/2, on a quarter of the connections, with eight requests at a time on each; and the slowest of all."""
    command = ["h2load", "-t1", f"-c{arguments.connections // 4}", "-m8", f"-D{arguments.request_seconds}"]
    output = client(command, url, field, core)
    counts = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", output)
    if not counts or any(int(count) for count in counts.groups()[1:]):
        sys.exit(f"{url}: {output}")
    return int(counts[1]), milliseconds(re.search(r"time for request:\s+\S+\s+(\S+)", output)[1])


def cases(arguments, work, stack):
    servers = Servers(arguments, work, stack)
    return [
        Case(title, lambda title=title: servers.compare(title), ("nginx", "openssl", "taskset", "ffmpeg", row.tool))
        for title, row in ROWS.items()
    ]
