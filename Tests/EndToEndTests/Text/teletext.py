#!/usr/bin/env python3
"""Puts teletext subtitles into a transport stream.

Each page says the second of the presentation timestamps that it is shown in, as a time of day: `14:08:51`. It is sent
twice, as inserters do, and is cleared towards the end of every fifth second. Written by ETSI EN 300 472 (PES packets), EN 300 706
(pages) and EN 300 468 (descriptor); what reads it in the tests is libzvbi.
"""

import argparse
import socket
import subprocess
import sys
import time

PACKET = 188
MODULUS = 1 << 33


def crc32(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def hamming(nibble):
    """Hamming 8/4 (EN 300 706 § 8.2)."""
    d1, d2, d3, d4 = (nibble >> bit & 1 for bit in range(4))
    p1, p2, p3 = 1 ^ d1 ^ d3 ^ d4, 1 ^ d1 ^ d2 ^ d4, 1 ^ d1 ^ d2 ^ d3
    p4 = 1 ^ p1 ^ d1 ^ p2 ^ d2 ^ p3 ^ d3 ^ d4
    return sum(bit << place for place, bit in enumerate((p1, d1, p2, d2, p3, d3, p4, d4)))


def parity(code):
    """Odd parity (§ 8.1)."""
    return code | (0 if bin(code).count("1") % 2 else 0x80)


def reverse(byte):
    return int(f"{byte:08b}"[::-1], 2)


def unit(payload):
    """A data unit of subtitles: bits are sent the other way round (EN 300 472 § 4.4)."""
    return bytes([0x03, 0x2C, 0xC0 | 0x20 | 7, 0xE4]) + bytes(reverse(byte) for byte in payload)


def address(magazine, row):
    return [hamming(magazine & 7 | (row & 1) << 3), hamming(row >> 1)]


def header(page, charset=0, erase=True):
    """A page's header, which ends the page before it in its magazine (§ 9.3.1): C4 erases, C5 and C6 say what it is."""
    magazine, tens, units = page // 100, page // 10 % 10, page % 10
    # S1, S2 with C4, S3, S4 with C5 (newsflash) and C6 (subtitle), C7 to C10, C11 to C14 (serial; national subset).
    digits = [units, tens, 0, 8 if erase else 0, 0, 8, 0, charset << 1]
    return unit(address(magazine, 0) + [hamming(digit) for digit in digits] + [parity(0x20)] * 32)


def row(page, number, codes):
    codes = (codes + [0x20] * 40)[:40]
    return unit(address(page // 100, number) + [parity(code) for code in codes])


def boxed(text, color=None):
    """Text in a box, as subtitles are (§ 12.2): its spacing attributes stand before and behind it."""
    codes = ([color] if color else []) + [0x0D, 0x0B, 0x0B] + [ord(character) for character in text] + [0x0A, 0x0A]
    indent = max((40 - len(codes)) // 2, 0)
    return [0x20] * indent + codes


def shown(page, lines, charset=0):
    """All of a page; the header of another one in its magazine ends it."""
    units = [header(page, charset)]
    for place, (text, color) in enumerate(lines):
        units.append(row(page, 20 + 2 * place, boxed(text, color)))
    return units + [header(page // 100 * 100 + 99, charset)]


def pes(units, pts):
    """A PES packet (EN 300 472 § 4.2), filled to whole packets with stuffing units."""
    count = -(-(len(units) + 1) // 4) * 4 - 1
    units = units + [bytes([0xFF, 0x2C]) + bytes([0xFF] * 44)] * (count - len(units))
    payload = bytes([0x10]) + b"".join(units)
    stamp = bytes([
        0x21 | (pts >> 29 & 0x0E), pts >> 22 & 0xFF, 0x01 | (pts >> 14 & 0xFE), pts >> 7 & 0xFF, 0x01 | (pts << 1 & 0xFE),
    ])
    head = bytes([0x84, 0x80, 0x24]) + stamp + bytes([0xFF] * (0x24 - 5))
    length = len(head) + len(payload)
    return bytes([0, 0, 1, 0xBD]) + length.to_bytes(2, "big") + head + payload


class Datagrams:
    """Sends seven packets at a time."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.address, self.packets = (host, int(port)), b""
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def write(self, data):
        self.packets += data
        while len(self.packets) >= 7 * PACKET:
            self.socket.sendto(self.packets[:7 * PACKET], self.address)
            self.packets = self.packets[7 * PACKET:]

    def flush(self):
        pass


class Multiplexer:
    def __init__(self, pid, pages, is_utc, out):
        self.pid, self.pages, self.is_utc, self.out = pid, pages, is_utc, out
        self.epoch = None
        self.counter = 0
        self.map_pid = None
        self.video_pid = None
        self.second = None

    def descriptor(self):
        body = b""
        for page, language, kind, _ in self.pages:
            tens = page // 10 % 10 << 4 | page % 10
            body += language.encode() + bytes([kind << 3 | page // 100 & 7, tens])
        return bytes([0x56, len(body)]) + body

    def program_map(self, packet):
        """The program map with one more stream."""
        start = 5 + packet[4]
        length = (packet[start + 1] & 0x0F) << 8 | packet[start + 2]
        section = packet[start:start + 3 + length - 4]
        place = 12 + ((section[10] & 0x0F) << 8 | section[11])
        while place < len(section):
            if section[place] in (0x1B, 0x24, 0x02):
                self.video_pid = (section[place + 1] & 0x1F) << 8 | section[place + 2]
            place += 5 + ((section[place + 3] & 0x0F) << 8 | section[place + 4])
        descriptor = self.descriptor()
        section += bytes([0x06, 0xE0 | self.pid >> 8, self.pid & 0xFF, 0xF0, len(descriptor)]) + descriptor
        length = len(section) - 3 + 4
        section = section[:1] + bytes([section[1] & 0xF0 | length >> 8, length & 0xFF]) + section[3:]
        section += crc32(section)
        packet = packet[:4] + b"\0" + section
        return packet + b"\xFF" * (PACKET - len(packet))

    def write(self, units, pts):
        payload = pes(units, pts % MODULUS)
        first = True
        while payload:
            chunk, payload = payload[:184], payload[184:]
            head = bytes([0x47, (0x40 if first else 0) | self.pid >> 8, self.pid & 0xFF])
            if len(chunk) < 184:
                fill = 183 - len(chunk)
                chunk = bytes([fill]) + (b"\0" + b"\xFF" * (fill - 1) if fill else b"") + chunk
                head += bytes([0x30 | self.counter])
            else:
                head += bytes([0x10 | self.counter])
            self.out.write(head + chunk)
            self.counter = self.counter + 1 & 0xF
            first = False

    def picture(self, pts):
        """Shows each second once it has come; it is the second of UTC where timestamps are that."""
        if self.epoch is None:
            # What was lost with the wraps of 33 bits.
            self.epoch = round((time.time() * 90_000 - pts) / MODULUS) * MODULUS if self.is_utc else 0
        second, rest = divmod(pts + self.epoch, 90_000)
        if self.second is None or second != self.second[0]:
            self.second = (second, False)
            label = "%02d:%02d:%02d" % (second // 3600 % 24, second // 60 % 60, second % 60)
            for page, _, _, text in self.pages:
                lines = [(label, None)] if text is None else [(line, 3) for line in text.split("|")]
                for repetition in range(2):
                    self.write(shown(page, lines), second * 90_000 - self.epoch + repetition)
        elif rest >= 72_000 and not self.second[1] and second % 5 == 0:
            self.second = (second, True)
            for page, _, _, _ in self.pages:
                self.write(shown(page, []), second * 90_000 + 72_000 - self.epoch)

    def packet(self, packet):
        pid = (packet[1] & 0x1F) << 8 | packet[2]
        starts = packet[1] & 0x40
        if pid == 0 and starts:
            start = 5 + packet[4]
            self.map_pid = (packet[start + 10] & 0x1F) << 8 | packet[start + 11]
        if pid == self.map_pid and starts:
            self.out.write(self.program_map(packet))
            return
        self.out.write(packet)
        if pid == self.video_pid and starts:
            place = 4 + (1 + packet[4] if packet[3] & 0x20 else 0)
            if packet[place + 7] & 0x80:
                stamp = packet[place + 9:place + 14]
                pts = (stamp[0] >> 1 & 7) << 30 | stamp[1] << 22 | stamp[2] >> 1 << 15 | stamp[3] << 7 | stamp[4] >> 1
                self.picture(pts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pid", type=int, default=0x180)
    parser.add_argument(
        "--page", action="append", default=[], metavar="NUMBER:LANGUAGE[:TYPE[:TEXT]]",
        help="of type 2 for subtitles, 5 for those of who cannot hear; TEXT, with | between its lines, is yellow and always there",
    )
    parser.add_argument("--utc", action="store_true", help="timestamps are UTC modulo 2^33")
    parser.add_argument("--send", metavar="HOST:PORT", help="write UDP datagrams")
    parser.add_argument("command", nargs="*", help="what writes the transport stream; standard input without")
    arguments = parser.parse_args()
    pages = []
    for page in arguments.page or ["888:eng"]:
        number, language, *rest = page.split(":", 3)
        pages.append((int(number), language, int(rest[0]) if rest else 2, rest[1] if len(rest) > 1 else None))
    source = subprocess.Popen(arguments.command, stdout=subprocess.PIPE).stdout if arguments.command else sys.stdin.buffer
    out = Datagrams(arguments.send) if arguments.send else sys.stdout.buffer
    multiplexer = Multiplexer(arguments.pid, pages, arguments.utc, out)
    while packet := source.read(PACKET):
        multiplexer.packet(packet)
        out.flush()


if __name__ == "__main__":
    main()
