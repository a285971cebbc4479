"""Sends a transport stream by UDP in its own time, with timestamps that are UTC: send_utc.py FILE PORT...

All that counts time is moved alike: program clock, PTS, DTS, and pts_adjustment of SCTE-35. Silence follows its end.
"""

import signal
import socket
import sys
import time

from transport_stream import (
    MODULUS, PACKET, clock, is_start, packets, payload, pid, section, timestamp, timestamp_bytes, with_section,
)

SPLICES = 500


def move_timestamp(packet, at, offset):
    packet[at : at + 5] = timestamp_bytes(packet[at] >> 4, (timestamp(packet, at) + offset) % MODULUS)


def moved(packet, offset):
    packet = bytearray(packet)
    now = clock(packet)
    if now is not None:
        rest = int.from_bytes(packet[6:12], "big") & 0x7FFF
        packet[6:12] = ((now + offset) % MODULUS << 15 | rest).to_bytes(6, "big")
    start = payload(packet)
    if not is_start(packet) or start >= PACKET:
        return packet
    if pid(packet) == SPLICES:
        splice = section(packet)
        # pts_adjustment is the last 33 bits of five bytes (ANSI/SCTE 35 § 9.6).
        fields = int.from_bytes(splice[4:9], "big")
        adjusted = fields >> 33 << 33 | (fields + offset) % MODULUS
        packet = with_section(packet, splice, splice[3:4] + adjusted.to_bytes(5, "big") + splice[9:-4])
    elif packet[start : start + 3] == b"\0\0\1":
        if packet[start + 7] & 0x80:
            move_timestamp(packet, start + 9, offset)
        if packet[start + 7] & 0x40:
            move_timestamp(packet, start + 14, offset)
    return packet


def main():
    with open(sys.argv[1], "rb") as source:
        feed = list(packets(source))
    first = next(now for now in map(clock, feed) if now is not None)
    begin = time.time() + 0.2
    offset = int(begin * 90_000) - first
    to = [("127.0.0.1", int(port)) for port in sys.argv[2:]]
    out, datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), b""
    for packet in feed:
        now = clock(packet)
        if now is not None:
            # A feed comes in its own time.
            time.sleep(max(0.0, begin + (now - first) / 90_000 - time.time()))
        datagram += moved(packet, offset)
        if len(datagram) == 7 * PACKET:
            for address in to:
                out.sendto(datagram, address)
            datagram = b""
    signal.pause()


main()
