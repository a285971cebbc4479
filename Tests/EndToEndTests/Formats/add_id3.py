#!/usr/bin/env python3
"""Adds timed ID3 metadata to a transport stream: a tag in each half second, whose text is its time in 90 kHz ticks."""

import argparse
import pathlib

PACKET = 188
METADATA_PID = 0x1F0
INTERVAL = 45_000


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def pid(packet):
    return (packet[1] & 0x1F) << 8 | packet[2]


def section(packet):
    """The section that a packet begins with."""
    start = 5 + packet[4]
    return packet[start : start + 3 + ((packet[start + 1] & 0x0F) << 8 | packet[start + 2])]


def with_metadata(packet):
    """The program map with a stream of ID3 (Apple, Timed Metadata for HTTP Live Streaming)."""
    old = section(packet)
    value = b"\xff\xffID3 \xffID3 \0\x0f"
    pointer = bytes([0x26, len(value)]) + value
    stream = bytes([0x15, 0xE0 | METADATA_PID >> 8, METADATA_PID & 0xFF, 0xF0, len(pointer)]) + pointer
    body = old[3:-4] + stream
    head = bytes([old[0], old[1] & 0xF0 | (len(body) + 4) >> 8, (len(body) + 4) & 0xFF])
    whole = head + body
    return (packet[:4] + b"\0" + whole + crc(whole)).ljust(PACKET, b"\xff")


def presentation_time(packet):
    """Of the PES packet that begins here; None where none does."""
    if not packet[1] & 0x40:
        return None
    start = 4 + (packet[4] + 1 if packet[3] & 0x20 else 0)
    pes = packet[start:]
    if pes[:4] != b"\0\0\x01\xe0" or not pes[7] & 0x80:
        return None
    return (pes[9] & 0x0E) << 29 | pes[10] << 22 | (pes[11] & 0xFE) << 14 | pes[12] << 7 | pes[13] >> 1


def tag(time, counter):
    text = b"\x03\0" + str(time).encode() + b"\0"
    frame = b"TXXX" + bytes([0, 0, 0, len(text), 0, 0]) + text
    id3 = b"ID3" + bytes([4, 0, 0, 0, 0, 0, len(frame)]) + frame
    stamp = bytes([0x21 | time >> 29 & 0x0E, time >> 22 & 0xFF, time >> 14 & 0xFE | 1, time >> 7 & 0xFF, time << 1 & 0xFE | 1])
    pes = b"\0\0\x01\xbd" + (3 + 5 + len(id3)).to_bytes(2, "big") + bytes([0x84, 0x80, 5]) + stamp + id3
    stuffing = PACKET - 4 - len(pes)
    field = bytes([stuffing - 1, 0]) + b"\xff" * (stuffing - 2)
    return bytes([0x47, 0x40 | METADATA_PID >> 8, METADATA_PID & 0xFF, 0x30 | counter & 0x0F]) + field + pes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    arguments = parser.parse_args()
    data = arguments.source.read_bytes()
    map_pid, next_time, counter, packets = None, None, 0, []
    for start in range(0, len(data), PACKET):
        packet = data[start : start + PACKET]
        if pid(packet) == 0:
            entries = section(packet)[8:-4]
            map_pid = (entries[2] & 0x1F) << 8 | entries[3]
        elif pid(packet) == map_pid:
            packet = with_metadata(packet)
        time = presentation_time(packet)
        if time is not None and (next_time is None or time >= next_time):
            packets.append(tag(time, counter))
            counter += 1
            next_time = (time if next_time is None else next_time) + INTERVAL
        packets.append(packet)
    arguments.target.write_bytes(b"".join(packets))


if __name__ == "__main__":
    main()
