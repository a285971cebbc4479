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

from transport_stream import MODULUS, PACKET, packetized, packets, presentation_time, private_pes, with_maps


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
    # S1, S2 with C4, S3, S4 with C5 (newsflash) and C6 (subtitle), C7 (the header is not shown) to C10, C11 to C14
    # (serial; national subset).
    digits = [units, tens, 0, 8 if erase else 0, 0, 8, 1, charset << 1]
    return unit(address(magazine, 0) + [hamming(digit) for digit in digits] + [parity(0x20)] * 32)


def row(page, number, codes, is_whole=True):
    """A row of text; where it is not whole, a character has the wrong parity."""
    codes = [parity(code) for code in (codes + [0x20] * 40)[:40]]
    if not is_whole:
        codes[20] ^= 0x80
    return unit(address(page // 100, number) + codes)


def boxed(text, color=None):
    """Text in a box, as subtitles are (§ 12.2): its spacing attributes stand before and behind it."""
    codes = ([color] if color else []) + [0x0D, 0x0B, 0x0B] + [ord(character) for character in text] + [0x0A, 0x0A]
    indent = max((40 - len(codes)) // 2, 0)
    return [0x20] * indent + codes


def shown(page, lines, charset=0, is_whole=True):
    """All of a page; the header of another one in its magazine ends it."""
    units = [header(page, charset)]
    for place, (text, color) in enumerate(lines):
        units.append(row(page, 20 + 2 * place, boxed(text, color), is_whole))
    return units + [header(page // 100 * 100 + 99, charset)]


def pes(units, pts):
    """A PES packet (EN 300 472 § 4.2), filled to whole packets with stuffing units."""
    count = -(-(len(units) + 1) // 4) * 4 - 1
    units = units + [bytes([0xFF, 0x2C]) + bytes([0xFF] * 44)] * (count - len(units))
    # PES_header_data_length is 0x24.
    return private_pes(pts, bytes([0x10]) + b"".join(units), stuffing=0x24 - 5)


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
    def __init__(self, pid, pages, is_utc, out, damaged):
        self.pid, self.pages, self.is_utc, self.out = pid, pages, is_utc, out
        self.damaged = damaged
        self.epoch = None
        self.counter = 0
        self.second = None

    def announce(self, program_map):
        body = b""
        for page, language, kind, _ in self.pages:
            tens = page // 10 % 10 << 4 | page % 10
            body += language.encode() + bytes([kind << 3 | page // 100 & 7, tens])
        program_map.streams.append((0x06, self.pid, bytes([0x56, len(body)]) + body))

    def write(self, units, pts):
        for packet in packetized(self.pid, self.counter, pes(units, pts % MODULUS)):
            self.out.write(packet)
            self.counter += 1

    def picture(self, pts):
        """Shows each second once it has come; it is the second of UTC where timestamps are that."""
        if self.epoch is None:
            # What was lost with the wraps of 33 bits.
            self.epoch = round((time.time() * 90_000 - pts) / MODULUS) * MODULUS if self.is_utc else 0
        second, rest = divmod(pts + self.epoch, 90_000)
        if self.second is None or second != self.second[0]:
            self.second = (second, False)
            label = "%02d:%02d:%02d" % (second // 3600 % 24, second // 60 % 60, second % 60)
            is_whole = second not in self.damaged
            for page, _, _, text in self.pages:
                lines = [(label, None)] if text is None else [(line, 3) for line in text.split("|")]
                for repetition in range(2):
                    self.write(shown(page, lines, is_whole=is_whole), second * 90_000 - self.epoch + repetition)
        elif rest >= 72_000 and not self.second[1] and second % 5 == 0:
            self.second = (second, True)
            for page, _, _, _ in self.pages:
                self.write(shown(page, []), second * 90_000 + 72_000 - self.epoch)

    def run(self, source):
        for packet in with_maps(packets(source), self.announce):
            self.out.write(packet)
            pts = presentation_time(packet)
            if pts is not None:
                self.picture(pts)
            self.out.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pid", type=int, default=0x180)
    parser.add_argument(
        "--page", action="append", default=[], metavar="NUMBER:LANGUAGE[:TYPE[:TEXT]]",
        help="of type 2 for subtitles, 5 for those of who cannot hear; TEXT, with | between its lines, is yellow and always there",
    )
    parser.add_argument("--utc", action="store_true", help="timestamps are UTC modulo 2^33")
    parser.add_argument(
        "--damage", nargs=2, type=int, default=[0, 0], metavar=("FROM", "TO"), help="no row of these seconds can be read"
    )
    parser.add_argument("--send", metavar="HOST:PORT", help="write UDP datagrams")
    parser.add_argument("command", nargs="*", help="what writes the transport stream; standard input without")
    arguments = parser.parse_args()
    pages = []
    for page in arguments.page or ["888:eng"]:
        number, language, *rest = page.split(":", 3)
        pages.append((int(number), language, int(rest[0]) if rest else 2, rest[1] if len(rest) > 1 else None))
    source = subprocess.Popen(arguments.command, stdout=subprocess.PIPE).stdout if arguments.command else sys.stdin.buffer
    out = Datagrams(arguments.send) if arguments.send else sys.stdout.buffer
    Multiplexer(arguments.pid, pages, arguments.utc, out, range(*arguments.damage)).run(source)


main()
