"""Adds timed ID3 metadata to a transport stream: a tag in each half second, whose text is its time in 90 kHz ticks.

    add_id3.py FILE OUT
"""

import sys

from transport_stream import packetized, packets, presentation_time, private_pes, with_maps

PID = 0x1F0
INTERVAL = 45_000


def announce(program_map):
    """A stream of ID3 (Apple, Timed Metadata for HTTP Live Streaming)."""
    pointer = b"\xff\xffID3 \xffID3 \0\x0f"
    program_map.streams.append((0x15, PID, bytes([0x26, len(pointer)]) + pointer))


def tag(time):
    text = b"\x03\0" + str(time).encode() + b"\0"
    frame = b"TXXX" + bytes([0, 0, 0, len(text), 0, 0]) + text
    return b"ID3" + bytes([4, 0, 0, 0, 0, 0, len(frame)]) + frame


def main():
    due, counter = None, 0
    with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as out:
        for packet in with_maps(packets(source), announce):
            time = presentation_time(packet)
            if time is not None and (due is None or time >= due):
                out.write(b"".join(packetized(PID, counter, private_pes(time, tag(time)))))
                counter += 1
                due = (time if due is None else due) + INTERVAL
            out.write(packet)


main()
