"""What the benchmarks share: the packager as a process, what processes use, HTTP, and tables of the guide."""

import contextlib
import os
import pathlib
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGER = ROOT / ".build/release/packager"
FEED = ROOT / "Samples/feed.ts"
PAGE = ROOT / "docs/performance.md"
TICKS = os.sysconf("SC_CLK_TCK")


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(type=kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processor_time(pids):
    """User and system seconds of processes."""
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids]
    return sum(int(field[11]) + int(field[12]) for field in fields) / TICKS


def resident(pid):
    """Resident MB of a process."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def usage(pids):
    """CPU seconds, switches that were asked for, and threads of processes."""
    switches = []
    for task in [task for pid in pids for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]:
        # A thread may end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            switches.append(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1]))
    return processor_time(pids), sum(switches), len(switches)


def fetch(url, field=None, method="GET", body=None):
    fields = dict([field.split(": ", 1)]) if field else {}
    request = urllib.request.Request(url, body, fields, method=method)
    # The certificates are our own.
    context = ssl._create_unverified_context() if url.startswith("https:") else None
    with urllib.request.urlopen(request, timeout=60, context=context) as answer:
        return answer.read()


def machine():
    """The processor, and how many of it there are: clouds give several generations the same name, which their numbers tell apart."""
    found = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M))
    name = found.get("model name", os.uname().machine).strip()
    numbers = f" (family {found['cpu family']}, model {found['model']})" if "cpu family" in found and "model" in found else ""
    return f"{name}{numbers}, {os.cpu_count()} cores"


def write_table(heading, lines):
    """Puts a table in the place of the one below a heading of the guide's page."""
    before, after = PAGE.read_text().split(f"\n## {heading}\n", 1)
    text, _, rest = re.split(r"((?:^\|.*\n)+)", after, maxsplit=1, flags=re.M)
    PAGE.write_text(f"{before}\n## {heading}\n{text}" + "".join(f"{line}\n" for line in lines) + rest)


class Packager:
    """A packager that runs until the end of a `with` statement.

    The settings are lines of YAML; those of each channel stand in a line of their own.
    """

    def __init__(self, work, settings, channels, core=None, environment={}):
        self.path = work / f"{time.monotonic_ns()}.yaml"
        self.settings = settings
        self.write(channels)
        self.log = self.path.with_suffix(".log")
        self.started = time.monotonic()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*(["taskset", "-c", core] if core else []), str(PACKAGER), "--config", str(self.path)],
                stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment})
        self.pid, self.successor = self.process.pid, None
        self.addresses = {}
        while "listening" not in self.addresses:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(self.log.read_text())
            self.addresses.update([line.split()[:2]])

    def write(self, channels):
        lines = ["listen: 127.0.0.1:0", "control: 127.0.0.1:0", *self.settings, "channels:"]
        self.path.write_text("\n".join(lines + [f"  - {{{channel}}}" for channel in channels]) + "\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.successor is not None:
            signal.pidfd_send_signal(self.successor, signal.SIGTERM)
            if not select.select([self.successor], [], [], 60)[0]:
                signal.pidfd_send_signal(self.successor, signal.SIGKILL)
            os.close(self.successor)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)

    def upgrade(self):
        """Has another process of the program take the place of this one, once, and waits until it has."""
        self.process.send_signal(signal.SIGUSR2)
        output, said = self.process.stdout.fileno(), ""
        while not (found := re.search(r"^successor (\d+)\n", said, re.M)):
            more = os.read(output, 4096).decode() if select.select([output], [], [], 60)[0] else ""
            if not more:
                sys.exit(f"no process has taken the place of {self.pid}\n{self.log.read_text()[-2000:]}")
            said += more
        self.pid = int(found[1])
        self.successor = os.pidfd_open(self.pid)

    def get(self, path, listener="control", method="GET"):
        return fetch(self.addresses[listener] + path, method=method).decode()

    def until(self, condition, seconds=60):
        """Waits, and returns the seconds since the start."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return time.monotonic() - self.started
            except OSError:
                pass
            time.sleep(0.01)
        sys.exit(f"not within {seconds} s\n{self.log.read_text()[-2000:]}")

    def metric(self, name):
        """The values of a metric, by its labels."""
        return {labels: float(value) for labels, value in re.findall(rf"^{name}\{{(.*)\}} (\S+)", self.get("metrics"), re.M)}


@contextlib.contextmanager
def announced(work, settings, channels):
    """A packager, and the seconds from its start until it listens, and until it is READY as systemd is told it."""
    path = str(work / f"notify-{time.monotonic_ns()}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(path)
        notified.settimeout(60)
        with Packager(work, settings, channels, environment={"NOTIFY_SOCKET": path}) as packager:
            listening = time.monotonic() - packager.started
            while b"READY=1" not in notified.recv(4096):
                pass
            yield packager, listening, time.monotonic() - packager.started
