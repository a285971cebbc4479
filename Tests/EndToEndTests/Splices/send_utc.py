"""Sends a transport stream by UDP in its own time, with timestamps that are UTC: send_utc.py FILE PORT...

All that counts time is moved alike: program clock, PTS, DTS, and pts_adjustment of SCTE 35. Silence follows its end.
"""

import socket
import sys
import time

PACKET, MODULUS, SPLICES = 188, 1 << 33, 500


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def clock(packet):
    """The program clock reference, in 90 kHz; None where there is none."""
    if not packet[3] & 0x20 or packet[4] < 7 or not packet[5] & 0x10:
        return None
    return int.from_bytes(packet[6:11], "big") >> 7


def move_stamp(packet, at, offset):
    value = (packet[at] & 0x0E) << 29 | packet[at + 1] << 22 | (packet[at + 2] & 0xFE) << 14
    value = (value | packet[at + 3] << 7 | packet[at + 4] >> 1) + offset
    packet[at] = packet[at] & 0xF1 | value >> 29 & 0x0E
    packet[at + 1] = value >> 22 & 0xFF
    packet[at + 2] = value >> 14 & 0xFE | 1
    packet[at + 3] = value >> 7 & 0xFF
    packet[at + 4] = value << 1 & 0xFE | 1


def moved(packet, offset):
    packet = bytearray(packet)
    now = clock(packet)
    if now is not None:
        rest = int.from_bytes(packet[6:12], "big") & 0x7FFF
        packet[6:12] = ((now + offset) % MODULUS << 15 | rest).to_bytes(6, "big")
    start = 4 + (packet[4] + 1 if packet[3] & 0x20 else 0)
    if not packet[1] & 0x40 or start >= PACKET:
        return packet
    if (packet[1] & 0x1F) << 8 | packet[2] == SPLICES:
        start += 1 + packet[start]
        end = start + 3 + ((packet[start + 1] & 0x0F) << 8 | packet[start + 2])
        adjustment = (int.from_bytes(packet[start + 4 : start + 9], "big") + offset) % MODULUS
        kept = packet[start + 4] & 0xFE
        packet[start + 4 : start + 9] = adjustment.to_bytes(5, "big")
        packet[start + 4] |= kept
        packet[end - 4 : end] = crc(packet[start : end - 4])
    elif packet[start : start + 3] == b"\0\0\1":
        if packet[start + 7] & 0x80:
            move_stamp(packet, start + 9, offset)
        if packet[start + 7] & 0x40:
            move_stamp(packet, start + 14, offset)
    return packet


def main():
    data = open(sys.argv[1], "rb").read()
    packets = [data[at : at + PACKET] for at in range(0, len(data) - PACKET + 1, PACKET)]
    first = next(now for now in map(clock, packets) if now is not None)
    begin = time.time() + 0.2
    offset = int(begin * 90_000) - first
    to = [("127.0.0.1", int(port)) for port in sys.argv[2:]]
    out, datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), b""
    for packet in packets:
        now = clock(packet)
        if now is not None:
            time.sleep(max(0.0, begin + (now - first) / 90_000 - time.time()))
        datagram += moved(packet, offset)
        if len(datagram) == 7 * PACKET:
            for address in to:
                out.sendto(datagram, address)
            datagram = b""
    time.sleep(3600)


main()
