#!/usr/bin/env python3
"""CPU a request of the origin beside nginx, in one run on one machine.

Usage: origin.py [--seconds 4] [--runs 3] [--connections 64] [--packager PATH]

The packager loops the sample feed; nginx serves copies of the same bytes from disk, with its file cache and compressed copies
beside. Each has one thread for its connections, since each has one processor. wrk asks both in turn, on a processor of its
own; each server is kept to another one. In the last row both write a line for each request to a file. CPU is user and system
time of the whole server process, less what it uses without requests; the median of the runs is printed.
"""

import argparse
import gzip
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
PLAYLIST = "application/vnd.apple.mpegurl"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processor_time(pids):
    """User and system seconds of processes."""
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids]
    return sum(int(field[11]) + int(field[12]) for field in fields) / TICKS


def fetch(url, field=None):
    fields = dict([field.split(": ", 1)]) if field else {}
    with urllib.request.urlopen(urllib.request.Request(url, headers=fields)) as answer:
        return answer.read()


def start_packager(program, work, core, level):
    port = free_port()
    log = open(work / f"packager-{level}.log", "w")
    process = subprocess.Popen(
        ["taskset", "-c", core, program, "--input", ROOT / "Samples/feed.ts", "--loop", "--segment-duration", "4", "--window", "60",
         "--listen", f"127.0.0.1:{port}", "--control", "127.0.0.1:0", "--log-level", level],
        stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, "NIO_SINGLETON_GROUP_LOOP_COUNT": "1"})
    return process, f"http://127.0.0.1:{port}/live/"


def start_nginx(work, core, log):
    port = free_port()
    config = work / f"nginx-{port}.conf"
    config.write_text(f"""
daemon off; master_process off; worker_processes 1; pid {work}/{port}.pid; error_log {work}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log {log}; sendfile on; tcp_nopush on; keepalive_requests 100000000; gzip_static on; gzip_vary on;
    open_file_cache max=1000 inactive=600s; open_file_cache_valid 600s;
    types {{ {PLAYLIST} m3u8; video/mp4 m4s; }}
    server {{ listen 127.0.0.1:{port}; root {work}/www; add_header Access-Control-Allow-Origin *; }}
}}
""")
    process = subprocess.Popen(["taskset", "-c", core, "nginx", "-p", str(work), "-c", str(config)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return process, f"http://127.0.0.1:{port}/"


def load(url, field, arguments, core):
    """Asks for so long: requests, and the slowest but one in a hundred, in ms."""
    output = subprocess.run(
        ["taskset", "-c", core, "wrk", "-t1", f"-c{arguments.connections}", f"-d{arguments.seconds}s", "--latency",
         *(["-H", field] if field else []), url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output:
        sys.exit(f"{url}: {output}")
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if requests == 0:
        sys.exit(f"{url}: no answer in {arguments.seconds} s: {output}")
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()
    return requests, float(value) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def measure(url, process, field, arguments, cores):
    """Microseconds of CPU a request, requests a second, ms of the 99th percentile."""
    begin = processor_time([process.pid])
    time.sleep(1)
    rest = processor_time([process.pid]) - begin
    before, start = processor_time([process.pid]), time.monotonic()
    requests, slow = load(url, field, arguments, cores[1])
    seconds = time.monotonic() - start
    used = processor_time([process.pid]) - before - rest * seconds
    return used / requests * 1e6, requests / seconds, slow


def newest_segment(playlist):
    lines = playlist.decode().splitlines()
    return next(line for line in reversed(lines) if line and not line.startswith("#"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--packager", default=ROOT / ".build/release/packager")
    arguments = parser.parse_args()
    cores = [str(core) for core in sorted(os.sched_getaffinity(0))[:2]]
    if len(cores) < 2:
        sys.exit("two processors are needed: one for the server, one for wrk")
    work = pathlib.Path(tempfile.mkdtemp(prefix="origin-"))
    (work / "www").mkdir()
    servers = {}
    try:
        servers["packager"] = start_packager(str(arguments.packager), work, cores[0], "warning")
        servers["nginx"] = start_nginx(work, cores[0], "off")
        # It logs requests for those who look for faults only.
        servers["packager, log"] = start_packager(str(arguments.packager), work, cores[0], "debug")
        servers["nginx, log"] = start_nginx(work, cores[0], work / "access.log")
        # Until the window is full the playlist grows.
        print("waiting for a full window", flush=True)
        time.sleep(68)
        print(f"{'':22}{'nginx':>24}{'packager':>24}{'CPU':>8}\n{'':22}" + f"{'us/req':>8}{'req/s':>8}{'p99 ms':>8}" * 2)
        compressed = "Accept-Encoding: gzip, deflate, br"
        rows = [("playlist", None, ""), ("playlist, gzip", compressed, ""), ("segment", None, ""), ("playlist, log", None, ", log")]
        for name, field, kind in rows:
            samples = {"nginx": [], "packager": []}
            source = servers["packager" + kind][1]
            for run in range(arguments.runs):
                # A segment is found where it is now; the playlist's bytes change every four seconds, their number does not.
                path = newest_segment(fetch(source + "video-360p.m3u8")) if name == "segment" else "video-360p.m3u8"
                # A file of its own each time: nginx keeps what it knows of one that it has opened.
                copy = work / "www" / f"{run}-{rows.index((name, field, kind))}-{pathlib.Path(path).name}"
                copy.write_bytes(fetch(source + path))
                if name != "segment":
                    pathlib.Path(f"{copy}.gz").write_bytes(gzip.compress(copy.read_bytes(), mtime=0))
                    stamp = copy.stat()
                    os.utime(f"{copy}.gz", (stamp.st_atime, stamp.st_mtime))
                for server, url in [("nginx", servers["nginx" + kind][1] + copy.name), ("packager", source + path)]:
                    samples[server].append(measure(url, servers[server + kind][0], field, arguments, cores))
            size = len(fetch(source + path, field))
            medians = {server: [statistics.median(column) for column in zip(*rows)] for server, rows in samples.items()}
            title = f"{name}, {size / 1000:.1f} kB"
            row = "".join(f"{cpu:8.1f}{rate:8.0f}{slow:8.1f}" for cpu, rate, slow in (medians["nginx"], medians["packager"]))
            print(f"{title:22}{row}{medians['packager'][0] / medians['nginx'][0]:7.2f}x", flush=True)
    finally:
        for process, _ in servers.values():
            process.send_signal(signal.SIGTERM)
            process.wait()
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
