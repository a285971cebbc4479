"""Feeds the real program damaged feeds, from files and over UDP, with good and bad disks, and checks what it publishes.

    mutate.py [--minutes N] [--seed S] [--only S] [--packager PATH]

Feeds that broke it once come first, also with `--minutes 0`. Each run after them has a seed; `--only SEED` repeats it. What
breaks a rule is printed with it, and the feed is kept. In some of the live runs splices and date ranges are posted meanwhile.
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import cases
from damage import damaged, packets, splices, timestamps
from rules import History, Playlist, check_siblings, renditions

HERE = Path(__file__).parent
VIDEO = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=12"]
AUDIO = ["-f", "lavfi", "-i", "sine=440:d=12"]
X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2", "-b:v", "150k"]
RECIPES = {
    "avc.ts": [*VIDEO, *AUDIO, *X264, "-c:a", "aac"],
    "avc.flv": [*VIDEO, *AUDIO, *X264, "-c:a", "aac"],
    "avc.mp4": [*VIDEO, *AUDIO, *X264, "-c:a", "aac"],
    "avc.mkv": [*VIDEO, *AUDIO, *X264, "-c:a", "ac3"],
    "hevc.ts": [*VIDEO, *AUDIO, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25", "-c:a", "mp2"],
    "audio.ts": [*AUDIO, "-c:a", "aac"],
    "tracks.ts": [*VIDEO, *AUDIO, *X264, "-map", "0", "-map", "1", "-map", "1", "-c:a", "aac"],
}
MOST_MEMORY = 500 << 20
MOST_SECONDS = 25
SLOT = 1
SLATE = HERE.parent.parent / "Samples" / "slate.ts"


def make_feeds(directory):
    for name, recipe in RECIPES.items():
        subprocess.run(["ffmpeg", "-v", "error", "-y", *recipe, str(directory / name)], check=True)
    return {name: (directory / name).read_bytes() for name in RECIPES}


class Packager:
    """The real program; what it says goes to a file."""

    def __init__(self, executable, directory, arguments, environment=None):
        self.log = directory / "log"
        self.output = open(self.log, "wb")
        arguments = [executable, *arguments, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            arguments, stdout=self.output, stderr=self.output, env={**os.environ, **(environment or {})}
        )
        self.usage = None

    def wait(self, seconds):
        """The exit code, negative for a signal; None where it still runs."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.usage = usage
                self.process.returncode = os.waitstatus_to_exitcode(status)
                self.output.close()
                return self.process.returncode
            time.sleep(0.01)
        return None

    def end(self, problems):
        start = time.monotonic()
        # Popen's own way would reap it, and its memory would not be known.
        os.kill(self.process.pid, signal.SIGTERM)
        code = self.wait(10)
        if code is None:
            self.kill()
            problems.append("SIGTERM was not obeyed in 10 s")
        elif code != 0:
            problems.append(f"ended with {code}")
        # A busy machine takes longer.
        elif time.monotonic() - start > 3 * max(1, os.getloadavg()[0] / os.cpu_count()):
            problems.append(f"SIGTERM took {time.monotonic() - start:.1f} s")

    def memory(self):
        """Bytes that it has now."""
        try:
            return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * resource.getpagesize()
        except OSError:
            return 0

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.wait(10)

    def address(self, listener="listening"):
        """The address of its origin, or of another listener; None where it does not listen."""
        end = time.monotonic() + 15
        while time.monotonic() < end:
            found = re.search(rf"^{listener} (http://\S+)/", self.log.read_text(errors="replace"), re.M)
            if found:
                return found.group(1)
            time.sleep(0.05)
        return None


def check_files(directory, problems, expects_end):
    """Every playlist in a directory keeps the rules, and names what is there."""
    top = directory / "index.m3u8"
    if not top.exists():
        return
    playlists = []
    for name in renditions(top.read_text()):
        for attempt in range(5):
            if not (directory / name).exists():
                problems.append(f"{name} is named and not there")
                break
            text = (directory / name).read_text()
            playlist = Playlist(text, name)
            playlist.check_slots(SLOT)
            paths = {s.uri for s in playlist.segments if not s.gap} | {s.map for s in playlist.segments if s.map}
            missing = [path for path in paths if not (directory / path).exists()]
            # What has expired meanwhile is no longer named.
            if not missing or (directory / name).read_text() == text:
                problems += playlist.problems + [f"{name} names {path}, which is not there" for path in missing]
                playlists.append(playlist)
                if expects_end and not playlist.ended:
                    problems.append(f"{name} has no ENDLIST")
                break
    problems += check_siblings([playlist for playlist in playlists if not playlist.pictures_only])


def options(rng):
    formats = rng.choice([[], ["--format", "ts"]])
    methods = ["none", "none", "aes-128", "sample-aes"]
    losses = [["gap"], ["hold"], ["slate", "--slate", str(SLATE)]]
    encryption = ["--encryption", rng.choice(methods), "--key-rotation", rng.choice(["0", "3"])]
    return formats + encryption + ["--on-loss", *rng.choice(losses)]


def run_file(rng, feeds, executable, directory):
    name, data, done = damaged(rng, feeds)
    arguments = ["--window", rng.choice(["12", "60"]), *options(rng), "--clock", rng.choice(["arrival", "pts", "timecode"])]
    outcome, problems = package_file(data, name, arguments, executable, directory)
    return f"{name} {'+'.join(done) or 'whole'} {outcome}", problems


def package_file(data, name, arguments, executable, directory):
    """Packages a stored feed; what became of it, and what is wrong."""
    feed = directory / name
    feed.write_bytes(data)
    arguments = ["--input", str(feed), "--no-realtime", "--segment-duration", "1", "--output", str(directory / "out"), *arguments]
    problems = []
    packager = Packager(executable, directory, arguments)
    start = time.monotonic()
    code = packager.wait(MOST_SECONDS)
    if code is None:
        problems.append(f"has not ended in {MOST_SECONDS} s")
        packager.end(problems)
    elif code not in (0, 1):
        problems.append(f"ended with {code}")
    elif packager.usage.ru_maxrss << 10 > MOST_MEMORY:
        problems.append(f"took {packager.usage.ru_maxrss >> 10} MB")
    if code == 0:
        check_files(directory / "out", problems, True)
    return f"{time.monotonic() - start:.1f} s, exit {code}", problems


def send(data, port, seconds, stop):
    """A transport stream at its own rate."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    size, start = 7 * 188, time.monotonic()
    count = max(len(data) // size, 1)
    for index in range(count):
        wait = start + seconds * index / count - time.monotonic()
        if wait > 0 and stop.wait(wait) or stop.is_set():
            return
        sender.sendto(data[index * size : (index + 1) * size], ("127.0.0.1", port))


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def fetch(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.read().decode()
    except (urllib.error.HTTPError, OSError):
        return None


def post(control, rng, stop, problems):
    """Posts splices and date ranges until it shall stop, sound ones and nonsense: each is taken or refused, and nothing fails."""

    def moment():
        late = rng.choice([None, -5, 0, 0.3, 1, 3.05, 600, 100_000])
        return "now" if late is None else time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + late)) + ".250Z"

    number = 0
    while not stop.wait(rng.choice([0.02, 0.2, 1])):
        number += 1
        event = rng.choice([number, 7, -1, 1 << 32])
        length = rng.choice([0.1, 1, 2.5, 30, 0, -1, 1e9])
        splice = {"event": event, "out": rng.random() < 0.6, "at": moment()}
        if rng.random() < 0.5:
            splice["duration"] = length
        signal = {"event": event, "type": rng.choice([16, 52, 53, 300]), "at": moment()}
        title = rng.choice(["title", "title", '"'])
        span = {"ID": f"range-{number}", "CLASS": "com.example.show", "START-DATE": moment(), "X-COM-EXAMPLE": title}
        if rng.random() < 0.7:
            span["DURATION"] = length
        earlier = f"dateranges/range-{rng.randint(1, number)}"
        method, path, body = rng.choice([
            ("POST", "splices", splice), ("POST", "splices", splice), ("POST", "splices", signal),
            ("POST", "splices", {"section": rng.randbytes(40).hex()}), ("POST", "dateranges", span), ("POST", "dateranges", span),
            ("POST", "dateranges", {"dateranges": [span, span]}), ("PATCH", earlier, {"END-DATE": moment()}), ("DELETE", earlier, None),
        ])
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{control}/channels/live/{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=5):
                pass
        except urllib.error.HTTPError as answer:
            # A channel that has not begun cannot say when.
            if answer.code >= 500 and answer.code != 503:
                problems.append(f"{method} {path} {body} is answered {answer.code}: {answer.read()[:200]}")
        except OSError as error:
            if not stop.is_set():
                problems.append(f"{method} {path} {body} is not answered: {error}")


def observe(origin, history, problems, is_arrival):
    top = fetch(f"{origin}/live/index.m3u8")
    if top is None:
        return
    playlists = []
    for name in renditions(top):
        text = fetch(f"{origin}/live/{name}")
        if text is None:
            continue
        playlist = Playlist(text, name)
        playlist.check_slots(SLOT)
        problems += [problem for problem in history.observe(playlist) if problem not in problems]
        playlists.append(playlist)
        newest = playlist.segments[-1] if playlist.segments else None
        if newest and newest.time is not None and is_arrival:
            ahead = newest.time + newest.duration - time.time()
            if not -8 < ahead < 2.5:
                problems.append(f"{name}: the live edge is {ahead:+.1f} s from now")
    problems += check_siblings([playlist for playlist in playlists if not playlist.pictures_only])


def run_live(rng, feeds, executable, directory, disk=None):
    name = rng.choice([name for name in sorted(feeds) if name.endswith(".ts")])
    data, done = bytearray(feeds[name]), []
    if rng.random() < 0.5:
        data = splices(rng, data)
        done.append("splices")
    is_whole = True
    for _ in range(rng.choice([0, 1, 2])):
        kind = rng.choice([packets, timestamps])
        data, is_whole = kind(rng, data), False
        done.append(kind.__name__)
    if not is_whole and rng.random() < 0.3:
        data += data[len(data) // 188 // 3 * 188 :]
        done.append("joined")
    clock = rng.choice(["arrival", "arrival", "pts", "timecode"])
    arguments = [*options(rng), "--clock", clock]
    poster = random.Random(rng.random()) if rng.random() < 0.5 else None
    if poster:
        done.append("posts")
    outcome, problems = package_live(
        bytes(data), name, arguments, executable, directory, rng=rng, disk=disk, poster=poster,
        is_arrival=clock == "arrival", must_publish=is_whole and not disk and clock == "arrival")
    return f"live {name} {'+'.join(done) or 'whole'} disk {disk or 'good'}{outcome}", problems


def package_live(
    data, name, arguments, executable, directory, rng=None, disk=None, poster=None, is_arrival=True, must_publish=False, seconds=12
):
    """Packages what comes by UDP for so many seconds, and looks on; what became of it, and what is wrong.

    A poster is a source of random numbers, of which posts are made meanwhile.
    """
    (directory / name).write_bytes(data)
    port, stop, environment = free_port(), threading.Event(), None
    arguments = ["--input", f"udp://127.0.0.1:{port}", "--segment-duration", "1", "--window", "12", *arguments]
    disk_path = directory / "disk"
    state, output = disk_path / "state", disk_path / "out"
    arguments += ["--state", str(state), "--output", str(output)]
    mounts = []
    if disk == "tmpfs":
        for path in (state, output):
            path.mkdir(parents=True)
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(path)], capture_output=True).returncode:
                return ", no tmpfs here", []
            mounts.append(path)
    elif disk:
        shim = HERE / "__pycache__" / "disk.so"
        shim.parent.mkdir(exist_ok=True)
        if not shim.exists():
            subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", str(shim), str(HERE / "disk.c"), "-ldl"], check=True)
        environment = {"LD_PRELOAD": str(shim), "DISK_PATH": str(disk_path), "DISK_KIND": disk}
        environment["DISK_SEED"] = str(rng.randrange(1 << 20))
    problems = []
    packager = Packager(executable, directory, arguments, environment)
    try:
        origin = packager.address()
        if origin is None:
            # Where the disk lets nothing begin, that is said, and is the operator's to mend.
            code, log = packager.wait(5), packager.log.read_text(errors="replace")
            is_said = disk and code == 2 and any(line.startswith("packager: ") for line in log.splitlines())
            return f", exit {code}", [] if is_said else ["does not listen: " + log[-300:]]
        helpers = [threading.Thread(target=send, args=(data, port, seconds, stop))]
        if poster:
            helpers.append(threading.Thread(target=post, args=(packager.address("control"), poster, stop, problems)))
        for helper in helpers:
            helper.start()
        history, end = History(), time.monotonic() + seconds + 2
        while time.monotonic() < end and packager.process.returncode is None:
            observe(origin, history, problems, is_arrival)
            if packager.memory() > MOST_MEMORY:
                problems.append(f"takes {packager.memory() >> 20} MB")
                break
            time.sleep(0.2)
        stop.set()
        for helper in helpers:
            helper.join()
        if must_publish and not history.lines:
            problems.append("nothing was published of a whole feed")
        if packager.wait(0.02) is not None:
            problems.append(f"ended with {packager.process.returncode}")
        else:
            packager.end(problems)
        if packager.usage and packager.usage.ru_maxrss << 10 > MOST_MEMORY:
            problems.append(f"took {packager.usage.ru_maxrss >> 10} MB")
        check_files(output, problems, False)
    finally:
        stop.set()
        if packager.process.returncode is None:
            packager.kill()
        for path in mounts:
            subprocess.run(["umount", str(path)], check=False)
    return "", problems


def run(seed, feeds, executable, kept):
    rng = random.Random(seed)
    kind = rng.choice(["file"] * 12 + ["live"] * 2 + ["tmpfs", "full", "slow", "lying"])
    disk = None if kind in ("file", "live") else kind

    def action(directory):
        return run_file(rng, feeds, executable, directory) if kind == "file" else run_live(rng, feeds, executable, directory, disk)

    return kind, *kept_if_broken(f"seed {seed}", str(seed), kept, action)


def kept_if_broken(title, name, kept, action):
    """Does something in a directory of its own, which is kept if a rule was broken."""
    directory = Path(tempfile.mkdtemp(prefix=f"mutate-{name}-"))
    try:
        what, problems = action(directory)
        if problems:
            kept.mkdir(exist_ok=True, parents=True)
            shutil.copytree(directory, kept / name, dirs_exist_ok=True)
            print(f"{title}: {what}; kept in {kept / name}", flush=True)
            for problem in list(dict.fromkeys(problems))[:8]:
                print(f"  {problem}", flush=True)
        return what, problems
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def run_cases(executable, kept):
    """Replays the feeds that broke the program once; the names of those that break a rule."""
    with tempfile.TemporaryDirectory() as directory:
        fast = cases.filling_memory(Path(directory))
        back = cases.going_back(Path(directory))
        spliced = cases.going_back(Path(directory), cases.BREAK)
    actions = {}
    for loss in (["slate", "--slate", str(SLATE)], ["hold"]):
        arguments = ["--on-loss", *loss]
        actions[f"filling-memory-{loss[0]}"] = lambda path, arguments=arguments: package_live(
            fast, "fast.ts", arguments, executable, path, seconds=10)
    for name, data in {"going-back": back, "going-back-spliced": spliced}.items():
        arguments = ["--window", "12", "--format", "ts", "--clock", "pts", "--on-loss", "gap"]
        actions[name] = lambda path, data=data: package_file(data, "back.ts", arguments, executable, path)
    return [name for name, action in actions.items() if kept_if_broken(name, name, kept, action)[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int)
    parser.add_argument("--packager", default=".build/debug/packager")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "mutated")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as directory:
        feeds = make_feeds(Path(directory))
    if arguments.only is not None:
        kind, what, problems = run(arguments.only, feeds, arguments.packager, arguments.keep)
        print(what)
        sys.exit(1 if problems else 0)
    broken_cases = run_cases(arguments.packager, arguments.keep)
    counts, broken, seed, end = Counter(), [], arguments.seed, time.monotonic() + arguments.minutes * 60
    while time.monotonic() < end:
        kind, _, problems = run(seed, feeds, arguments.packager, arguments.keep)
        counts[kind] += 1
        if problems:
            broken.append(seed)
        seed += 1
    runs = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{sum(counts.values())} runs from seed {arguments.seed} on ({runs}); {len(broken)} broke a rule: {broken}")
    print(f"feeds that broke it once: {', '.join(broken_cases) or 'none'} broke a rule")
    sys.exit(1 if broken or broken_cases else 0)


if __name__ == "__main__":
    main()
