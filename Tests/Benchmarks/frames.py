"""A feed whose pictures are sent one by one, each when it is due, with timestamps that are UTC."""

import socket
import subprocess
import threading
import time

from measuring import ROOT

TICKS = 90_000
WRAP = 1 << 33
PACKET = 188


def feed(seconds=240):
    """The path of pictures alone, of 2 Mbit/s, whose PES packets say how long they are, at a rate that is declared as constant.

    Nobody has to wait for the next one.
    """
    path = ROOT / f".build/bench-{seconds}-cfr.ts"
    if not path.exists():
        partial = path.with_suffix(".partial.ts")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25,noise=alls=40:allf=t", "-t", str(seconds),
             "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "keyint=25:min-keyint=25:scenecut=0:bframes=0:nal-hrd=cbr:force-cfr=1",
             "-b:v", "1900k", "-maxrate", "1900k", "-bufsize", "950k", "-muxdelay", "0", "-muxpreload", "0",
             "-f", "mpegts", "-omit_video_pes_length", "0", partial], check=True)
        partial.rename(path)
    return path


def read(field):
    """33 bits with marker bits between them, as PTS and DTS are written."""
    return (field[0] >> 1 & 7) << 30 | field[1] << 22 | (field[2] >> 1) << 15 | field[3] << 7 | field[4] >> 1


def write(field, value):
    marked = [field[0] & 0xF1 | value >> 29 & 0x0E, value >> 22 & 0xFF, value >> 14 & 0xFE | 1, value >> 7 & 0xFF, value << 1 & 0xFE | 1]
    field[:] = bytes(marked)


class Frame:
    """The packets from the first of a picture to the first of the next one, and where their timestamps are."""

    def __init__(self, data, start, end):
        self.packets = bytearray(data[start:end])
        self.clocks, self.stamps = [], []
        for at in range(0, len(self.packets), PACKET):
            self.look(at)
        self.pts, self.dts = (read(self.packets[slice(*self.stamps[index])]) for index in (0, -1))

    def look(self, at):
        packet = memoryview(self.packets)[at:at + PACKET]
        payload = 4
        if packet[3] & 0x20:
            payload += 1 + packet[4]
            if packet[4] and packet[5] & 0x10:
                self.clocks.append(at + 6)
        if packet[1] & 0x40 and packet[payload:payload + 3] == b"\0\0\1":
            first = at + payload + 9
            self.stamps += [(start, start + 5) for start in (first, first + 5)[:1 + (packet[payload + 7] >> 6 & 1)]]

    def moved(self, ticks):
        """The packets with all timestamps later by so many ticks."""
        packets = bytearray(self.packets)
        for start, end in self.stamps:
            field = packets[start:end]
            write(field, (read(field) + ticks) % WRAP)
            packets[start:end] = field
        for at in self.clocks:
            base = (int.from_bytes(packets[at:at + 5]) >> 7) + ticks
            packets[at:at + 5] = ((base % WRAP) << 7 | packets[at + 4] & 0x7F).to_bytes(5)
        return packets


def frames(path):
    data = path.read_bytes()
    # A picture begins with the first packet of a PES packet of video.
    starts = [at for at in range(0, len(data), PACKET)
              if data[at + 1] & 0x40 and b"\0\0\1\xe0" in data[at:at + PACKET]]
    return [Frame(data, start, end) for start, end in zip([0, *starts[1:]], [*starts[1:], len(data)])]


class FrameSender:
    """Sends the pictures of a feed to a port until the end of a `with` statement, or of the feed."""

    def __init__(self, path, port):
        self.frames, self.port = frames(path), port
        # When the last packet of a picture was sent, on the monotonic clock, by its presentation in ticks of UTC.
        self.sent = {}
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.send)

    def send(self):
        begin, monotonic = int(time.time() * TICKS), time.monotonic()
        first = self.frames[0].dts
        with socket.socket(type=socket.SOCK_DGRAM) as out:
            for frame in self.frames:
                packets = frame.moved(begin - first)
                if self.stop.wait(max(0, monotonic + (frame.dts - first) / TICKS - time.monotonic())):
                    return
                for at in range(0, len(packets), 7 * PACKET):
                    out.sendto(packets[at:at + 7 * PACKET], ("127.0.0.1", self.port))
                self.sent[begin + frame.pts - first] = time.monotonic()

    def completed(self, end):
        """When the last picture before a UTC in seconds was sent."""
        # The other thread adds to them meanwhile.
        return self.sent[max(pts for pts in list(self.sent) if pts < end * TICKS - 2 * TICKS / 1000)]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
