"""Live channels beside FFmpeg and beside themselves, and how late a slot is listed."""

import shutil
import socket
import statistics
import subprocess
import sys
import time

import feeds
from files import Place
from ledger import Case
from measuring import FEED, ROOT, Packager, free_port, usage

sys.path.append(str(ROOT / "Tests/TransportStreams"))

import told  # noqa: E402

PUBLICATION = ROOT / ".build/release/publication"
SETTINGS = ["log-level: error", "encryption: sample-aes"]


def sample(groups, seconds, runs):
    """CPU, switches and threads of groups of processes while some seconds pass: the medians of the runs, by group."""
    samples = []
    for _ in range(runs):
        before = [usage(pids) for pids in groups]
        time.sleep(seconds)
        after = [usage(pids) for pids in groups]
        samples.append([(b[0] - a[0], b[1] - a[1], b[2]) for a, b in zip(before, after)])
    return [[statistics.median(column) for column in zip(*group)] for group in zip(*samples)]


def datagrams(work, minutes, channels, seconds, runs):
    """Channels of 5 Mbit/s by UDP: one packager (cbcs) beside one FFmpeg a channel (clear), which get the same datagrams."""
    feed = feeds.feed("h264.ts", minutes)
    ports = [free_port(socket.SOCK_DGRAM) for _ in range(2 * channels)]
    inputs = [f"name: c{index}, input: 'udp://127.0.0.1:{port}'" for index, port in enumerate(ports[:channels])]
    with Packager(work, SETTINGS, inputs) as packager:
        theirs = []
        try:
            for port in ports[channels:]:
                place = Place(f"udp://127.0.0.1:{port}", work / str(port))
                place.out.mkdir(parents=True)
                command = place.ffmpeg(*place.fmp4, "-bsf:a", "aac_adtstoasc")
                theirs.append(subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            with feeds.Sender(feed, ports) as sender:
                time.sleep(20)
                results = sample([[packager.pid], [process.pid for process in theirs]], seconds, runs)
        finally:
            # FFmpeg does not hear of SIGTERM while nothing comes.
            for process in theirs:
                process.kill()
                process.wait()
            for port in ports[channels:]:
                shutil.rmtree(work / str(port), ignore_errors=True)
    title = f"{channels} channels of {sender.rate / 1e6:.2f} Mbit/s by UDP"
    print(f"\n{title:42}{'CPU a channel':>16}{'switches/s':>12}{'threads':>9}")
    for name, (cpu, switches, threads) in zip(["packager, cbcs", "FFmpeg, clear"], results):
        print(f"  {name:40}{100 * cpu / seconds / channels:14.2f} %{switches / seconds / channels:12.0f}{threads / channels:9.1f}")
    mine, others = results
    print(f"  our CPU: {mine[0] / others[0]:.2f}x", flush=True)
    return {"CPU of FFmpeg, clear": mine[0] / others[0], "switches of FFmpeg, clear": mine[1] / others[1]}


def ranges(work, minutes, count, channels, seconds, runs):
    """Channels whose feeds tell so many things in their first minute, all of which the playlists of a window of 150 s list as date
    ranges, and that have subtitles, beside the same channels without, at the same time."""
    feed, busy, captions = feeds.feed("h264.ts", minutes), work / "told.ts", work / "captions.vtt"
    told.write(feed, busy, count, 60)
    # In times of day: somebody speaks every four seconds of the next ten minutes.
    starts = [time.strftime("%H:%M:%S", time.gmtime(time.time() + second)) for second in range(0, 600, 4)]
    captions.write_text("WEBVTT\n\n" + "\n".join(f"{start}.000 --> {start}.990\nIt is {start}.\n" for start in starts))
    settings = [*SETTINGS, "loop: true", "window: 150"]
    plain = [f"name: c{index}, input: {feed}" for index in range(channels)]
    busier = [f"name: c{index}, input: {busy}, subtitles: [{{language: en, source: {captions}}}]" for index in range(channels)]
    with Packager(work, settings, plain) as one, Packager(work, settings, busier) as other:
        # All is told by then, and nothing has left the window when the measurement ends.
        time.sleep(80)
        (before, _, _), (after, _, _) = sample([[one.pid], [other.pid]], seconds, runs)
        listed = other.get("c0/video-1080p.m3u8", "listening").count("#EXT-X-DATERANGE")
    print(f"\n{channels} live channels of 5 Mbit/s, cbcs, window 150 s: without, and with {listed} date ranges and subtitles\n"
          f"CPU {100 * before / seconds / channels:.2f} and {100 * after / seconds / channels:.2f} % a channel, "
          f"{after / before:.2f} times as much", flush=True)
    return {"CPU of channels without": after / before}


def publication(slots):
    """How long after its last sample a slot is listed: nothing that could be compared with another's."""
    # Standard error is a pipe that nobody reads: what is logged fills it.
    process = subprocess.Popen([PUBLICATION, FEED, str(slots)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output = process.stdout.read()
    if process.wait() != 0:
        sys.exit(process.stderr.read())
    titles = {"disk": "healthy disk", "log": "log that nobody reads", "slow-disk": "1 s a write"}
    print(f"\n{'last sample in to listed':24}{'slots':>8}{'p50 ms':>10}{'p99 ms':>10}{'most ms':>10}")
    for line in output.splitlines():
        name, count, *figures = line.split()
        print(f"  {titles[name]:22}{count:>8}" + "".join(f"{float(figure):10.1f}" for figure in figures), flush=True)
    return {}


def cases(arguments, work):
    minutes, runs, seconds = arguments.minutes, arguments.runs, arguments.seconds
    return [
        Case("publication", lambda: publication(arguments.slots)),
        Case("channels by UDP", lambda: datagrams(work, minutes, arguments.channels, seconds, runs), ("ffmpeg",)),
        Case("date ranges and subtitles", lambda: ranges(work, minutes, arguments.ranges, 8, seconds, runs), ("ffmpeg",)),
    ]
