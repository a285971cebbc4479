"""Feeds for the benchmarks, in .build: made once, and sent as encoders send them."""

import mmap
import socket
import subprocess
import threading
import time

from measuring import ROOT

# Pictures, kbit/s, and an encoder with a key frame every two seconds. Shaka Packager cannot read FFmpeg's HEVC from a transport stream.
X264 = ["-c:v", "libx264", "-x264-params", "keyint=50:min-keyint=50:scenecut=0:nal-hrd=cbr:bframes=2"]
X265 = ["-c:v", "libx265", "-x265-params", "keyint=50:min-keyint=50:scenecut=0:open-gop=0:log-level=error"]
KINDS = {
    "h264.ts": ("1920x1080", 5000, X264),
    "hevc.mp4": ("1920x1080", 5000, X265),
    "2000.ts": ("1280x720", 1900, X264),
    "500.ts": ("640x360", 350, X264),
}
CONTAINERS = {".ts": ["-f", "mpegts"], ".mp4": ["-tag:v", "hvc1", "-bsf:a", "aac_adtstoasc", "-f", "mp4"]}


def feed(kind, minutes):
    """The path of a minute of pictures and sound, repeated without a seam."""
    path = ROOT / f".build/bench-{minutes}-{kind}"
    if path.exists():
        return path
    size, rate, encoder = KINDS[kind]
    minute, partial = path.with_suffix(".minute.ts"), path.with_suffix(f".partial{path.suffix}")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25,noise=alls=40:allf=t",
         "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "61.44", *encoder,
         "-b:v", f"{rate}k", "-maxrate", f"{rate}k", "-bufsize", f"{rate}k", "-preset", "ultrafast",
         "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-f", "mpegts", minute], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-stream_loop", str(minutes), "-i", minute, "-t", str(minutes * 60),
         "-map", "0", "-c", "copy", *CONTAINERS[path.suffix], partial], check=True)
    minute.unlink()
    return partial.rename(path)


def day():
    """The path of a day of tiny pictures, of which a minute takes 80 kB."""
    path = ROOT / ".build/bench-day.mp4"
    if path.exists():
        return path
    minute, partial = path.with_suffix(".minute.mp4"), path.with_suffix(".partial.mp4")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=5", "-t", "60", "-c:v", "libx264",
         "-x264-params", "keyint=10:min-keyint=10:scenecut=0:bframes=0", "-b:v", "10k", minute], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-stream_loop", "1439", "-i", minute, "-c", "copy", partial], check=True)
    minute.unlink()
    return partial.rename(path)


class Sender:
    """Sends a transport stream to ports of this machine, at the speed it plays, until the end of a `with` statement."""

    def __init__(self, path, ports):
        self.ports = ports
        self.path = path
        length = subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], check=True, capture_output=True)
        # In bits a second.
        self.rate = 8 * path.stat().st_size / float(length.stdout)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.send)

    def send(self):
        with open(self.path, "rb") as file, socket.socket(type=socket.SOCK_DGRAM) as out:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            due, start = time.monotonic(), 0
            while not self.stop.is_set():
                datagram = data[start:start + 1316]
                for port in self.ports:
                    out.sendto(datagram, ("127.0.0.1", port))
                start = (start + 1316) % (len(data) // 1316 * 1316)
                due += 1316 * 8 / self.rate
                if (rest := due - time.monotonic()) > 0:
                    time.sleep(rest)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
