#!/usr/bin/env python3
"""Runs the whole program for hours, with all that it can do switched on, and watches what becomes of it.

Usage: soak.py [--minutes 120] [--sanitize none|address|thread] [--packager PATH] [--directory DIR] [--fault-every 60]

Two packagers run, A over plain HTTP with its keys over TLS, B over TLS; ffmpeg feeds them:
  pushed     A alone: RTMP, with a backup over SRT
  datagrams  both, as a pair: UDP with timestamps that are UTC, with a backup over UDP
Meanwhile viewers follow every playlist, fetch all that is listed, and ask for licences; clients break off TLS connections in the
middle; cues, splices, date ranges and ID3 are posted; webhooks are taken; and the control APIs are asked for all they have.
Every so many seconds something fails: a primary is killed, all is lost for ten seconds, the window changes by a reload. Once an
hour, and at least once, both packagers are upgraded.

A row a minute says what each process has. The end has the table, growth of memory in the second half, descriptors, and log
lines an hour. It ends with 1 on anything that broke a rule, on descriptors that grow, on memory that grows by more than 20 MB an
hour in a run of an hour or more, and on any report of a sanitizer.
"""

import argparse
import collections
import ctypes
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import statistics
import struct
import subprocess
import sys
import threading
import time
import traceback
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests/Benchmarks"), str(ROOT / "Tests/Fuzz")]

import sanitizer  # noqa: E402
from keys import SECRET, base64url, token  # noqa: E402
from measuring import free_port  # noqa: E402
from mutate import free_port as free_datagram_port  # noqa: E402
from rules import History, Playlist, check_siblings, renditions  # noqa: E402

SLOT = 2
WINDOWS = [24, 36]
FEED = ROOT / "Samples/feed.ts"
SUBTITLES = "[{language: en, name: English, default: true}]"
MOST_GROWTH = 20
# Connections of viewers come and go; what leaks does so with each.
MOST_DESCRIPTORS = 12
PR_SET_CHILD_SUBREAPER = 36


class Violations:
    """Notes what broke a rule, each once, as it happens."""

    def __init__(self, path):
        self.lock, self.seen, self.file, self.start = threading.Lock(), set(), open(path, "w"), time.monotonic()

    def add(self, text):
        with self.lock:
            if text in self.seen:
                return
            self.seen.add(text)
            line = f"{(time.monotonic() - self.start) / 60:7.2f} min  {text}"
            self.file.write(line + "\n")
            self.file.flush()
            if len(self.seen) <= 100:
                print(f"broken: {line}", flush=True)

    def __len__(self):
        return len(self.seen)


# MARK: Processes


def process_figures(pid):
    """Resident and anonymous megabytes, descriptors and threads of a process; None where it has gone."""
    base = pathlib.Path(f"/proc/{pid}")
    try:
        status, rollup = (base / "status").read_text(), (base / "smaps_rollup").read_text()
        resident, threads = re.search(r"VmRSS:\s+(\d+)", status), re.search(r"Threads:\s+(\d+)", status)
        heap = re.search(r"Pss_Anon:\s+(\d+)", rollup) or re.search(r"Anonymous:\s+(\d+)", rollup)
        descriptors = len(os.listdir(base / "fd"))
    except OSError:
        return None
    if not (resident and heap and threads):
        return None
    return int(resident[1]) / 1024, int(heap[1]) / 1024, descriptors, int(threads[1])


class Packager:
    """A packager, and the processes that take its place."""

    def __init__(self, name, executable, configuration, directory, environment):
        self.name, self.configuration = name, configuration
        self.output, self.log = directory / f"{name}.out", directory / f"{name}.log"
        with open(self.output, "wb") as output, open(self.log, "wb") as log:
            process = subprocess.Popen(
                [str(executable), "--config", str(configuration)], stdin=subprocess.DEVNULL, stdout=output, stderr=log,
                env={**os.environ, **environment}, start_new_session=True)
        # Popen's own way to reap it would not see those after it.
        process.returncode = 0
        self.pids, self.codes, self.lines, self.place = [process.pid], {}, 0, 0

    @property
    def pid(self):
        return self.pids[-1]

    def look(self):
        """Learns of processes that have ended, and of those that have taken over."""
        for pid in self.pids:
            if pid in self.codes:
                continue
            try:
                ended, status = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                # It is the child of the one before, which has yet to end.
                continue
            if ended:
                self.codes[pid] = os.waitstatus_to_exitcode(status)
        # Read last: a process names the one after it before it ends.
        for found in re.findall(r"^successor (\d+)\n", self.output.read_text(errors="replace"), re.M):
            if int(found) not in self.pids:
                self.pids.append(int(found))

    def is_running(self):
        self.look()
        return self.pid not in self.codes

    def address(self, listener="listening", seconds=60):
        """The address of a listener, without a slash at its end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.is_running():
            found = re.search(rf"^{listener} (https?://\S+)/", self.output.read_text(errors="replace"), re.M)
            if found:
                return found[1]
            time.sleep(0.05)
        sys.exit(f"{self.name} does not listen: {self.log.read_text(errors='replace')[-2000:]}")

    def new_lines(self):
        """Counts the lines that the log has got since the last look."""
        with open(self.log, "rb") as log:
            log.seek(self.place)
            data = log.read()
        self.place += len(data)
        self.lines += data.count(b"\n")
        return data.count(b"\n")

    def signal(self, number):
        # A process that has ended keeps its number until it is reaped here.
        if self.is_running():
            os.kill(self.pid, number)

    def end(self, seconds):
        """Asks it to end, and makes it where it does not obey; says whether it did."""
        self.signal(signal.SIGTERM)
        end = time.monotonic() + seconds
        while self.is_running() and time.monotonic() < end:
            time.sleep(0.05)
        obeyed = not self.is_running()
        self.signal(signal.SIGKILL)
        while self.is_running():
            time.sleep(0.05)
        # The one before has ended long ago, or never does.
        for pid in self.pids:
            if pid not in self.codes:
                os.kill(pid, signal.SIGKILL)
        return obeyed


class Encoder:
    """A real ffmpeg that sends the sample in a loop, and is started anew where it breaks off, as encoders are."""

    def __init__(self, name, list_path, directory, *outputs, is_utc=False):
        self.name, self.list_path, self.outputs, self.is_utc = name, list_path, outputs, is_utc
        self.log = open(directory / f"encoder-{name}.log", "ab")
        self.lock, self.process, self.is_wanted = threading.Lock(), None, False

    def command(self):
        words = ["ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "concat", "-safe", "0", "-i", str(self.list_path)]
        moved = []
        if self.is_utc:
            # ffmpeg adds 1.4 s to all timestamps of a transport stream.
            moved = ["-output_ts_offset", str(int(time.time()) % ((1 << 33) / 90_000) - 1.4)]
        for output in self.outputs:
            words += ["-map", "0:v", "-map", "0:a:0", "-c", "copy", *moved, *output]
        return words

    def start(self):
        with self.lock:
            self.is_wanted = True
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(
                    self.command(), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)

    def stop(self):
        with self.lock:
            self.is_wanted = False
            if self.process is not None:
                self.process.kill()
                self.process.wait()

    def revive(self):
        if self.is_wanted and self.process.poll() is not None:
            self.start()


# MARK: Clients


class Client:
    """Requests to one listener by a connection that is kept, and opened anew where it was closed between two of them."""

    def __init__(self, base, context, patience):
        self.url, self.context, self.patience, self.connection = urllib.parse.urlsplit(base), context, patience, None

    def open(self):
        if self.url.scheme == "https":
            return http.client.HTTPSConnection(self.url.hostname, self.url.port, timeout=self.patience, context=self.context)
        return http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=self.patience)

    def ask(self, path, method="GET", body=None, fields=None):
        """Status and body of an answer; 0 and the reason where there is none."""
        if method != "GET":
            # It may have been taken where the connection breaks off, and is not sent twice.
            self.close()
        while True:
            is_new, answer = self.connection is None, None
            try:
                if is_new:
                    self.connection = self.open()
                self.connection.request(method, path, body, fields or {})
                answer = self.connection.getresponse()
                data = answer.read()
                if answer.will_close:
                    self.close()
                return answer.status, data
            except (OSError, http.client.HTTPException) as error:
                self.close()
                was_closed_before = not is_new and answer is None and isinstance(error, (ConnectionError, ssl.SSLError))
                if not was_closed_before:
                    return 0, f"{type(error).__name__}: {error}".encode()

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Follower:
    """A viewer of all renditions of a channel, who fetches whatever is listed and forgives nothing."""

    def __init__(self, title, channel, base, keys, violations, context, patience):
        self.title, self.channel, self.violations = f"{title}/{channel}", channel, violations
        self.client, self.key_client = Client(base, context, patience), Client(keys, context, patience)
        self.history, self.patience, self.bodies, self.asked, self.licensed = History(), patience, {}, set(), set()
        self.segments = self.licenses = 0

    def problem(self, text):
        self.violations.add(f"{self.title}: {text}")

    def get(self, path):
        status, data = self.client.ask(path)
        if status != 200:
            self.problem(f"{path} is answered {status} {data[:200].decode(errors='replace')}")
            return None
        return data

    def step(self):
        names = set()
        for top in ("index.m3u8", "index-imsc1.m3u8"):
            text = self.get(f"/{self.channel}/{top}")
            names |= set(renditions(text.decode())) if text else set()
        playlists, listed = [], set()
        for name in sorted(names):
            text = self.get(f"/{self.channel}/{name}")
            if text is None:
                continue
            playlist = Playlist(text.decode(), name)
            playlist.check_slots(SLOT)
            for problem in self.history.observe(playlist):
                self.problem(problem)
            playlists.append(playlist)
            listed |= self.fetch(playlist)
            newest = playlist.segments[-1] if playlist.segments else None
            if newest and newest.time is not None:
                behind = time.time() - newest.time - newest.duration
                if behind > 6 * SLOT * self.patience / 20:
                    self.problem(f"{name}: the live edge {playlist.sequence + len(playlist.segments) - 1} is late by {behind:.0f} s")
        for problem in check_siblings([playlist for playlist in playlists if not playlist.pictures_only]):
            self.problem(problem)
        self.bodies = {path: body for path, body in self.bodies.items() if path in listed}
        self.license()

    def fetch(self, playlist):
        """Fetches what is new in a playlist, and something that is not; says what is listed."""
        base = f"/{self.channel}/{playlist.name}"
        paths = {path for segment in playlist.segments if not segment.gap for path in (segment.uri, segment.map) if path}
        paths = {urllib.parse.urljoin(base, path) for path in paths}
        known = sorted(paths & self.bodies.keys())
        for path in [*sorted(paths - self.bodies.keys()), *([random.choice(known)] if known else [])]:
            data = self.get(path)
            if data is not None:
                self.segments += 1
                digest = hashlib.sha256(data).digest()
                if self.bodies.setdefault(path, digest) != digest:
                    self.problem(f"{path} has other bytes than before")
        for said in playlist.ranges.values():
            address = said.get("X-ASSET-LIST", "").strip('"')
            if address and address not in self.asked:
                self.asked.add(address)
                self.get(urllib.parse.urljoin(base, address))
        return paths

    def license(self):
        """Asks for a Clear Key licence of the keys of each crypto period."""
        status, data = self.key_client.ask(f"/{self.channel}/keys.json")
        if status != 200:
            return self.problem(f"keys.json is answered {status} {data[:200].decode(errors='replace')}")
        identifiers = {entry["keyID"] for entry in json.loads(data)}
        if identifiers <= self.licensed:
            return
        body = json.dumps({"kids": [base64url(bytes.fromhex(one)) for one in sorted(identifiers)], "type": "temporary"})
        fields = {"Authorization": f"Bearer {token(1, self.channel)}", "Content-Type": "application/json"}
        status, data = self.key_client.ask(f"/{self.channel}/clearkey", "POST", body, fields)
        if status != 200 or len(json.loads(data)["keys"]) != len(identifiers):
            self.problem(f"a licence is answered {status} {data[:200].decode(errors='replace')}")
        else:
            self.licensed = identifiers
            self.licenses += 1


class Operator:
    """Asks a control API for all it has, and posts what operators do."""

    def __init__(self, title, base, channels, violations, context, patience):
        self.title, self.base, self.channels, self.violations = title, base, channels, violations
        self.context, self.patience = context, patience
        self.client, self.event, self.refused = Client(base, context, patience), 0, collections.Counter()

    def problem(self, text):
        self.violations.add(f"{self.title}: {text}")

    def watch(self):
        paths = ["/metrics", "/events?limit=100", "/channels", "/origin", "/webhooks", "/healthz", "/readyz"]
        for channel in self.channels:
            paths += [f"/channels/{channel}{rest}" for rest in ("", "/on-air", "/dateranges", "/configuration", "/thumbnail.jpg")]
        for path in paths:
            status, data = self.client.ask(path)
            # There may be no picture, as while a feed is away.
            if status != 200 and not (path.endswith(".jpg") and status in (404, 503)):
                self.problem(f"{path} is answered {status} {data[:200].decode(errors='replace')}")

    def post(self, path, body, method="POST"):
        status, data = self.client.ask(path, method, json.dumps(body), {"Content-Type": "application/json"})
        if not status or status >= 500:
            self.problem(f"{method} {path} {body} is answered {status} {data[:200].decode(errors='replace')}")
        elif status >= 300:
            kind = re.sub(r"\d+", "N", f"{method} {path} {status} {data[:160].decode(errors='replace')}")
            self.refused[kind] += 1

    def act(self):
        """Posts a cue and ID3 each time, and splices and date ranges now and then."""
        self.event += 1
        for channel in self.channels:
            base = f"/channels/{channel}"
            self.post(f"{base}/cues", {"language": "en", "text": f"This is {self.event}.", "start": "now", "duration": 3})
            self.post(f"{base}/metadata", {"at": "now", "frames": [{"id": "TXXX", "description": "soak", "value": str(self.event)}]})
            if self.event % 6 == 1:
                soon = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 8)) + ".000Z"
                self.post(f"{base}/splices", {"event": self.event, "out": True, "at": soon, "duration": 6})
            if self.event % 5 == 2:
                span = {"ID": f"show-{self.event}", "CLASS": "com.example.show", "START-DATE": "now", "X-COM-EXAMPLE": "News"}
                self.post(f"{base}/dateranges", span)
            if self.event % 5 == 3 and self.event > 5:
                self.post(f"{base}/dateranges/show-{self.event - 1}", {"END-DATE": "now"}, "PATCH")

    def listen(self, stop):
        """Follows the stream of events, from where it was where that breaks off."""
        last = None
        while not stop.is_set():
            connection = Client(self.base, self.context, 60).open()
            try:
                fields = {"Accept": "text/event-stream"} | ({} if last is None else {"Last-Event-ID": str(last)})
                connection.request("GET", "/events", headers=fields)
                answer = connection.getresponse()
                if answer.status != 200 and not stop.is_set():
                    self.problem(f"the stream of events is answered {answer.status}")
                while not stop.is_set() and (line := answer.readline()):
                    if line.startswith(b"id:"):
                        number = int(line[3:])
                        if last is not None and number <= last:
                            self.problem(f"event {number} comes after event {last}")
                        last = number
            except (ConnectionResetError, http.client.IncompleteRead, ssl.SSLError):
                # An upgrade closes it.
                pass
            except (OSError, http.client.HTTPException) as error:
                if not stop.is_set():
                    self.problem(f"the stream of events: {type(error).__name__}: {error}")
            finally:
                connection.close()
            stop.wait(0.5)


class Cutter:
    """A client that breaks off TLS connections: in the middle of the handshake, or of an answer."""

    def __init__(self, bases, paths, violations, context):
        self.urls, self.paths, self.violations, self.context = [urllib.parse.urlsplit(base) for base in bases], paths, violations, context
        self.count = 0

    def step(self):
        index = random.randrange(len(self.urls))
        url = self.urls[index]
        try:
            connection = socket.create_connection((url.hostname, url.port), timeout=30)
        except OSError as error:
            return self.violations.add(f"{url.netloc} takes no connection: {error}")
        self.count += 1
        with connection:
            connection.settimeout(5)
            if random.random() < 0.5:
                # Closed with a reset.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            try:
                if random.random() < 0.5:
                    self.shake_hands_half(connection, url.hostname)
                else:
                    self.read_half(connection, url, self.paths[index])
            except (OSError, ssl.SSLError):
                # An upgrade closes connections, too.
                pass

    def shake_hands_half(self, connection, host):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        side = self.context.wrap_bio(incoming, outgoing, server_hostname=host)
        for _ in range(random.choice([1, 1, 2])):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                pass
            hello = outgoing.read()
            if random.random() < 0.5:
                hello = hello[: random.randrange(len(hello) + 1)]
                connection.sendall(hello)
                return
            connection.sendall(hello)
            incoming.write(connection.recv(random.choice([1, 500, 65536])))

    def read_half(self, connection, url, path):
        encrypted = self.context.wrap_socket(connection, server_hostname=url.hostname)
        try:
            encrypted.sendall(f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode()[: random.choice([10, 10_000, 10_000])])
            if random.random() < 0.7:
                encrypted.settimeout(2)
                encrypted.recv(random.choice([1, 100, 1000]))
        finally:
            # Without close_notify; wrapping has taken the descriptor over.
            encrypted.close()


# MARK: The stage


def certificate(directory):
    """Has an authority sign a certificate; paths of the authority, the certificate and its key."""
    subprocess.run([str(ROOT / "Config/system/local-certificate.sh"), str(directory), "0"], check=True, stdout=subprocess.DEVNULL)
    return directory / "authority.pem", directory / "server.pem", directory / "server.key"


def private(path, text):
    path.write_text(text)
    path.chmod(0o600)
    return path


class Stage:
    """Both packagers, what feeds them, and who watches."""

    def __init__(self, arguments, directory, violations):
        self.arguments, self.directory, self.violations = arguments, directory, violations
        self.patience = 20 if arguments.sanitize == "none" else 60
        self.stop, self.threads, self.packagers, self.encoders, self.receiver = threading.Event(), [], [], {}, None
        self.upgrades_until = time.monotonic() + arguments.minutes * 60 - 180
        self.window = WINDOWS[0]
        self.fault, self.faults = 0, collections.Counter()
        self.ports = {name: free_port() for name in ("a", "a-control", "a-keys", "b", "b-control", "rtmp")}
        self.ports |= {name: free_datagram_port() for name in ("srt", "a-primary", "a-backup", "b-primary", "b-backup")}
        self.reports = directory / "reports"
        self.reports.mkdir()

    # Configuration

    def write_configuration(self):
        for name in ("a", "b"):
            (self.directory / f"{name}.yaml").write_text(self.configuration(name))

    def configuration(self, name):
        directory, ports, of_pair = self.directory, self.ports, {"a": "b", "b": "a"}[name]
        authority, signed, key = self.certificate
        # The control API takes the certificate of the origin.
        own = {
            "a": [f"keys-listen: 127.0.0.1:{ports['a-keys']}", f"keys-certificate: {signed}", f"keys-private-key: {key}"],
            "b": [f"tls-certificate: {signed}", f"tls-private-key: {key}"],
        }[name]
        peer = {"a": f"http://127.0.0.1:{ports['a']}", "b": f"https://127.0.0.1:{ports['b']}"}[of_pair]
        lines = [
            f"listen: 127.0.0.1:{ports[name]}", f"control: 127.0.0.1:{ports[name + '-control']}", *own,
            f"access-log: {directory / name}.access.log",
            f"webhooks: [{{url: \"{self.hooks}/{name}\", secret-file: {directory / 'hook.key'}}}]",
            f"token-keys: {directory / 'tokens.json'}", f"state: {directory / name}.state", f"key-secret: {directory / 'master.key'}",
            f"segment-duration: {SLOT}", f"window: {self.window if name == 'a' else WINDOWS[0]}",
            "encryption: sample-aes", "drm: [clearkey]", "key-rotation: 20", "subtitle-formats: [webvtt, imsc1]", "thumbnails: on-demand",
            "scte35-cue-out: duration", "scte35-emsg: true", f"ads: \"files:{directory / 'ads'}\"", "interstitials: [{restrict: [skip]}]",
            "frozen-after: 3", "silent-after: 5", "failback: 10", "session-data: [{id: com.example.title, value: Soak}]", "channels:",
        ]
        if name == "a":
            lines += [
                "  - name: pushed", f"    input: \"rtmp://127.0.0.1:{ports['rtmp']}/live/primary\"",
                f"    backup: \"srt://127.0.0.1:{ports['srt']}?mode=listener\"", "    on-loss: hold",
                "    audio: [{language: en, name: English, default: true}]", f"    subtitles: {SUBTITLES}",
                f"    output: {directory / 'pushed'}",
            ]
        lines += [
            "  - name: datagrams", f"    input: \"udp://127.0.0.1:{ports[name + '-primary']}\"",
            f"    backup: \"udp://127.0.0.1:{ports[name + '-backup']}\"", "    clock: pts", "    on-loss: slate",
            f"    slate: {ROOT / 'Samples/slate.ts'}", f"    subtitles: {SUBTITLES}", f"    output: {directory / name}.datagrams",
            f"    peer: \"{peer}\"", *([f"    peer-authority: {authority}"] if peer.startswith("https") else []),
        ]
        return "\n".join(lines) + "\n"

    def prepare(self):
        self.certificate = certificate(self.directory / "tls")
        # The receiver of the tests checks signatures by this secret.
        private(self.directory / "hook.key", "a secret\n")
        private(self.directory / "master.key", "5a" * 32)
        (self.directory / "tokens.json").write_text(
            json.dumps({"keys": [{"kty": "oct", "kid": "login", "alg": "HS256", "k": base64url(SECRET)}]}))
        (self.directory / "ads").mkdir()
        (self.directory / "ads/one.json").write_text(json.dumps({"URI": "https://ads.example.com/one.m3u8", "DURATION": 6}))
        rounds = int(self.arguments.minutes * 60 / 8) + 100
        (self.directory / "feed.txt").write_text(f"file '{FEED}'\nduration 8.0\n" * rounds)

    # Processes

    def start(self):
        self.prepare()
        told = self.directory / "webhooks.jsonl"
        with open(told, "wb") as output:
            self.receiver = subprocess.Popen(
                [sys.executable, str(ROOT / "Tests/EventDeliveryTests/Webhooks/receiver.py"), "/a=200", "/b=503,503,200"],
                stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.DEVNULL, start_new_session=True)
        self.told = told
        port = self.until(20, "the receiver of webhooks listens", lambda: re.match(r'\{"port": (\d+)\}\n', told.read_text()))
        self.hooks = f"http://127.0.0.1:{port[1]}"
        self.write_configuration()
        environment = {} if self.arguments.sanitize == "none" else sanitizer.environment(self.arguments.sanitize, self.reports)
        for name in ("a", "b"):
            packager = Packager(name, self.arguments.packager, self.directory / f"{name}.yaml", self.directory, environment)
            self.packagers.append(packager)
            packager.address()
        ports = self.ports
        mpegts = ["-f", "mpegts"]
        outputs = {
            "pushed-primary": ([["-f", "flv", f"rtmp://127.0.0.1:{ports['rtmp']}/live/primary"]], False),
            "pushed-backup": ([[*mpegts, f"srt://127.0.0.1:{ports['srt']}?pkt_size=1316"]], False),
        }
        for kind in ("primary", "backup"):
            urls = [f"udp://127.0.0.1:{ports[f'{name}-{kind}']}?pkt_size=1316" for name in ("a", "b")]
            outputs[f"datagrams-{kind}"] = ([[*mpegts, url] for url in urls], True)
        for name, (targets, is_utc) in outputs.items():
            self.encoders[name] = Encoder(name, self.directory / "feed.txt", self.directory, *targets, is_utc=is_utc)
            self.encoders[name].start()

    def until(self, seconds, what, condition):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.1)
        sys.exit(f"not within {seconds} s: {what}")

    # Clients

    def watch(self):
        context = ssl.create_default_context(cafile=str(self.certificate[0]))
        a, b = self.packagers
        keys, patience = {"a": a.address("keys"), "b": b.address()}, self.patience
        self.followers, self.operators = [], []
        for packager, channels in ((a, ["pushed", "datagrams"]), (b, ["datagrams"])):
            base = packager.address()
            for channel in channels:
                self.until(3 * patience, f"{packager.name} publishes {channel}", lambda: self.is_published(base, channel, context))
                self.followers.append(
                    Follower(packager.name, channel, base, keys[packager.name], self.violations, context, patience))
            self.operators.append(
                Operator(packager.name, packager.address("control"), channels, self.violations, context, patience))
        self.cutter = Cutter(
            [keys["a"], b.address()], ["/datagrams/keys.json", "/datagrams/index.m3u8"], self.violations, context)
        for follower in self.followers:
            self.spawn(1, follower.step)
        for operator in self.operators:
            self.spawn(5, operator.watch)
            # It waits for the next event, and nobody waits for it.
            threading.Thread(target=operator.listen, args=(self.stop,), daemon=True).start()
        # A connection is one thread's. What is posted to one of a pair, the other has, too.
        self.poster = Operator(a.name, a.address("control"), ["pushed", "datagrams"], self.violations, context, patience)
        self.spawn(7, self.poster.act)
        self.spawn(0.25, self.cutter.step)
        self.spawn(1, lambda: [encoder.revive() for encoder in self.encoders.values()])
        self.spawn(self.arguments.fault_every, self.fail, begins_at_once=False)
        self.threads.append(threading.Thread(target=self.upgrade_in_time, daemon=True))
        self.threads[-1].start()

    def is_published(self, base, channel, context):
        status, text = Client(base, context, self.patience).ask(f"/{channel}/index.m3u8")
        return status == 200 and len(renditions(text.decode())) > 2

    def spawn(self, every, step, begins_at_once=True):
        """A thread that does something again and again, until all is over."""

        def run():
            if not begins_at_once:
                self.stop.wait(every)
            while not self.stop.is_set():
                begin = time.monotonic()
                try:
                    step()
                except Exception:
                    self.violations.add(f"a client failed: {traceback.format_exc(limit=4)}")
                self.stop.wait(max(0.01, begin + every - time.monotonic()))

        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()

    # Faults

    def fail(self):
        """The next fault of the round."""
        faults = [
            lambda: self.lose("pushed-primary", seconds=15), self.reload,
            lambda: self.lose("datagrams-primary", seconds=15), lambda: self.lose("pushed-primary", "pushed-backup", seconds=10),
            lambda: self.lose("datagrams-primary", "datagrams-backup", seconds=10), lambda: self.lose("pushed-backup", seconds=15),
        ]
        faults[self.fault % len(faults)]()
        self.fault += 1

    def lose(self, *names, seconds):
        self.faults[" and ".join(names) + " lost"] += 1
        for name in names:
            self.encoders[name].stop()
        self.stop.wait(seconds)
        if not self.stop.is_set():
            for name in names:
                self.encoders[name].start()

    def reload(self):
        self.faults["window changed"] += 1
        self.window = WINDOWS[1] if self.window == WINDOWS[0] else WINDOWS[0]
        self.write_configuration()
        status, data = Client(self.operators[0].base, None, 2 * self.patience).ask("/reload", "POST")
        if status != 200:
            self.violations.add(f"a reload is answered {status} {data[:300].decode(errors='replace')}")

    def upgrade_in_time(self):
        every = min(60, self.arguments.minutes / 2) * 60
        while not self.stop.wait(every) and time.monotonic() < self.upgrades_until:
            for packager in self.packagers:
                self.upgrade(packager)
                self.stop.wait(30)

    def upgrade(self, packager):
        before = packager.pid
        os.kill(before, signal.SIGUSR2)
        end = time.monotonic() + 120 + self.patience
        while not self.stop.is_set() and time.monotonic() < end:
            if packager.pid != before:
                self.faults[f"{packager.name} upgraded"] += 1
                return
            self.stop.wait(0.2)
        if not self.stop.is_set():
            self.violations.add(f"{packager.name}: nothing has taken the place of process {before}")

    # The end

    def end(self):
        self.stop.set()
        end = time.monotonic() + 3 * self.patience
        for thread in self.threads:
            thread.join(max(0, end - time.monotonic()))
        for packager in self.packagers:
            if not packager.is_running():
                self.violations.add(f"{packager.name} has ended by itself with {packager.codes[packager.pid]}")
            elif not packager.end(self.patience):
                self.violations.add(f"{packager.name} did not obey SIGTERM in {self.patience} s")
            for pid, code in packager.codes.items():
                if code != 0:
                    self.violations.add(f"{packager.name}: process {pid} ended with {code}")
        for encoder in self.encoders.values():
            encoder.stop()
        if self.receiver is not None:
            self.receiver.kill()
            self.receiver.wait()


# MARK: Results

HEAD = ["minute", "of", "pid", "RSS MB", "heap MB", "descriptors", "threads", "log lines", "broken"]


def formatted(row):
    return f"{row[0]:8.1f}{row[1]:>4}{row[2]:>9}{row[3]:10.1f}{row[4]:10.1f}{row[5]:>13}{row[6]:>9}{row[7]:>11}{row[8]:>8}"


def slope(rows, minutes):
    """Growth of resident memory in the second half, in MB an hour; None where too little is known.

    Each process has a line of its own, all of one slope: what an upgrade leaves behind is no decline. The first minutes of a
    process are left out, in which its windows and caches fill.
    """
    warm = min(10, minutes / 10)
    begins, groups = {}, collections.defaultdict(list)
    for row in rows:
        begins.setdefault(row[2], row[0])
        if row[0] >= minutes / 2 and (row[0] - begins[row[2]] >= warm):
            groups[row[2]].append((row[0] / 60, row[3]))
    above = below = 0.0
    for points in groups.values():
        if len(points) < 3:
            continue
        hour, size = (statistics.fmean(column) for column in zip(*points))
        above += sum((x - hour) * (y - size) for x, y in points)
        below += sum((x - hour) ** 2 for x, y in points)
    return above / below if below else None


def descriptors(rows):
    """Descriptors at first and at last: medians of a few rows, since connections come and go."""
    counts = [row[5] for row in rows]
    few = max(1, min(5, len(counts) // 3))
    # The first row comes before all clients have connected.
    return statistics.median(counts[min(1, len(counts) - 1) :][:few]), statistics.median(counts[-few:])


def judge(stage, rows, minutes, violations):
    """Prints what was measured, and says whether all is well."""
    print("\n" + "".join(f"{name:>{width}}" for name, width in zip(HEAD, (8, 4, 9, 10, 10, 13, 9, 11, 8))))
    for row in rows:
        print(formatted(row))
    is_well = True
    for packager in stage.packagers:
        own = [row for row in rows if row[1] == packager.name]
        if not own:
            continue
        growth, (first, last) = slope(own, minutes), descriptors(own)
        said = "too short to say" if growth is None else f"{growth:+.1f} MB an hour in the second half"
        print(f"\n{packager.name}: RSS {said}; descriptors {first:.0f} at first, {last:.0f} at last; "
              f"{sum(row[7] for row in own) / minutes * 60:.0f} log lines an hour; {len(packager.pids)} processes")
        if growth is not None and minutes >= 60 and growth > MOST_GROWTH:
            print(f"{packager.name}: memory grows by more than {MOST_GROWTH} MB an hour")
            is_well = False
        if last > first + MOST_DESCRIPTORS:
            print(f"{packager.name}: descriptors grow")
            is_well = False
    segments = sum(follower.segments for follower in stage.followers)
    licenses = sum(follower.licenses for follower in stage.followers)
    print(f"\n{segments} segments and {licenses} licences fetched, {stage.cutter.count} TLS connections broken off, "
          f"{stage.told.read_bytes().count(b'signed')} webhooks taken")
    print("faults: " + (", ".join(f"{count} × {name}" for name, count in stage.faults.items()) or "none"))
    for what, count in stage.poster.refused.most_common(10):
        print(f"refused {count} times: {what}")
    if b'"signed": false' in stage.told.read_bytes():
        violations.add("a webhook was not signed as it should be")
    if stage.arguments.sanitize != "none" and sanitizer.show(stage.reports):
        is_well = False
    print(f"{len(violations)} rules broken" + (f", in {violations.file.name}" if len(violations) else ""))
    return is_well and not len(violations)


def measure(stage, rows, begin):
    for packager in stage.packagers:
        packager.look()
        figures = process_figures(packager.pid)
        if figures:
            minute = (time.monotonic() - begin) / 60
            rows.append([minute, packager.name, packager.pid, *figures, packager.new_lines(), len(stage.violations)])
            print(formatted(rows[-1]), flush=True)
    with open(stage.directory / "rows.tsv", "w") as table:
        table.writelines("\t".join(map(str, row)) + "\n" for row in [HEAD, *rows])


def interrupt(number, frame):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--sanitize", choices=["none", "address", "thread"], default="none", help="what the packager was built with")
    parser.add_argument("--packager", type=pathlib.Path, default=ROOT / ".build/release/packager")
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / ".build/soak-program", help="for logs and all that is written")
    parser.add_argument("--fault-every", type=float, default=60, help="seconds")
    arguments = parser.parse_args()
    directory = arguments.directory.resolve()
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    # A process that takes over from another becomes a child of this one, which learns how it ends.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, interrupt)
    violations = Violations(directory / "violations.txt")
    stage, rows, is_interrupted, begin = Stage(arguments, directory, violations), [], False, time.monotonic()
    try:
        stage.start()
        stage.watch()
        begin = violations.start = time.monotonic()
        print("".join(f"{name:>{width}}" for name, width in zip(HEAD, (8, 4, 9, 10, 10, 13, 9, 11, 8))), flush=True)
        end, due = begin + arguments.minutes * 60, begin + 60
        while time.monotonic() < end and all(packager.is_running() for packager in stage.packagers):
            time.sleep(max(0, min(1, end - time.monotonic())))
            if time.monotonic() >= due:
                measure(stage, rows, begin)
                due += 60
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        stage.end()
    minutes = (time.monotonic() - begin) / 60
    is_well = judge(stage, rows, minutes, violations) if rows else not len(violations)
    if is_interrupted:
        print(f"interrupted after {minutes:.1f} minutes")
        sys.exit(130)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
