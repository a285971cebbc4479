"""Packets, sections and PES packets of transport streams (ISO/IEC 13818-1), for the tools beside this file."""

import functools

PACKET = 188
# Of timestamps and program clocks, in 90 kHz.
MODULUS = 1 << 33


def packets(source):
    """The whole packets of a file."""
    while len(packet := source.read(PACKET)) == PACKET:
        yield packet


def pid(packet):
    return (packet[1] & 0x1F) << 8 | packet[2]


def is_start(packet):
    """Whether a section or a PES packet begins in it."""
    return packet[1] & 0x40 != 0


def payload(packet):
    """Where its payload begins, behind its adaptation field."""
    return 4 + (packet[4] + 1 if packet[3] & 0x20 else 0)


def clock(packet):
    """The program clock reference, in 90 kHz; None where there is none."""
    if not packet[3] & 0x20 or packet[4] < 7 or not packet[5] & 0x10:
        return None
    return int.from_bytes(packet[6:11], "big") >> 7


def packetized(pid, counter, data):
    """The packets of a PES packet, the first with a counter; what is missing to the last is an adaptation field."""
    result = []
    for start in range(0, len(data), PACKET - 4):
        chunk = data[start : start + PACKET - 4]
        fill = PACKET - 4 - len(chunk)
        field = (bytes([fill - 1]) + b"\0" + b"\xff" * (fill - 2))[:fill] if fill else b""
        head = [0x47, (0 if start else 0x40) | pid >> 8, pid & 0xFF, (0x30 if fill else 0x10) | counter + len(result) & 15]
        result.append(bytes(head) + field + chunk)
    return result


# --- Sections (§ 2.4.4)


@functools.lru_cache(maxsize=64)
def crc(data):
    """CRC_32 (Annex A)."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def section(packet):
    """The section that begins in a packet, whole, as small ones are."""
    start = payload(packet)
    start += 1 + packet[start]
    return bytes(packet[start : start + 3 + ((packet[start + 1] & 0x0F) << 8 | packet[start + 2])])


def with_section(packet, head, body):
    """A packet with a section in place of its own: the first byte and the flags of `head`, a body, length and checksum."""
    length = len(body) + 4
    whole = bytes([head[0], head[1] & 0xF0 | length >> 8, length & 0xFF]) + body
    result = bytes(packet[: payload(packet)]) + b"\0" + whole + crc(whole)
    assert len(result) <= PACKET, "a section of several packets"
    return result.ljust(PACKET, b"\xff")


class ProgramMap:
    """TS_program_map_section (§ 2.4.4.8)."""

    def __init__(self, section):
        count = (section[10] & 0x0F) << 8 | section[11]
        self.head, self.fields = section[:3], section[3:10]
        self.descriptors = section[12 : 12 + count]
        # Of type, PID and descriptors.
        self.streams = []
        rest = section[12 + count : -4]
        while rest:
            count = (rest[3] & 0x0F) << 8 | rest[4]
            self.streams.append((rest[0], (rest[1] & 0x1F) << 8 | rest[2], rest[5 : 5 + count]))
            rest = rest[5 + count :]

    @property
    def body(self):
        body = self.fields + (0xF000 | len(self.descriptors)).to_bytes(2, "big") + self.descriptors
        for kind, pid, descriptors in self.streams:
            body += bytes([kind]) + (0xE000 | pid).to_bytes(2, "big")
            body += (0xF000 | len(descriptors)).to_bytes(2, "big") + descriptors
        return body


def with_maps(packets, change):
    """The packets, their program maps as `change` has left them, which is told each."""
    pids = set()
    for packet in packets:
        if is_start(packet) and pid(packet) == 0:
            entries = section(packet)[8:-4]
            pids = {(entries[at + 2] & 0x1F) << 8 | entries[at + 3] for at in range(0, len(entries), 4)}
        elif is_start(packet) and pid(packet) in pids:
            program_map = ProgramMap(section(packet))
            change(program_map)
            packet = with_section(packet, program_map.head, program_map.body)
        yield packet


# --- PES packets (§ 2.4.3.6)


def timestamp(data, at):
    """A PTS or DTS, in 90 kHz."""
    value = (data[at] & 0x0E) << 29 | data[at + 1] << 22 | (data[at + 2] & 0xFE) << 14
    return value | data[at + 3] << 7 | data[at + 4] >> 1


def timestamp_bytes(marker, time):
    """A PTS or DTS; the marker is the four bits in front of it, which say which."""
    return bytes([
        marker << 4 | time >> 29 & 0x0E | 1, time >> 22 & 0xFF, time >> 14 & 0xFE | 1, time >> 7 & 0xFF, time << 1 & 0xFE | 1,
    ])


def presentation_time(packet):
    """That of the video that begins in a packet, in 90 kHz; None where none does."""
    pes = packet[payload(packet) :]
    if not is_start(packet) or pes[:3] != b"\0\0\1" or pes[3] & 0xF0 != 0xE0 or not pes[7] & 0x80:
        return None
    return timestamp(pes, 9)


def private_pes(time, data, stuffing=0):
    """A PES packet of private_stream_1 with a PTS, aligned, so many bytes of stuffing in its header."""
    head = bytes([0x84, 0x80, 5 + stuffing]) + timestamp_bytes(2, time) + b"\xff" * stuffing
    return b"\0\0\1\xbd" + (len(head) + len(data)).to_bytes(2, "big") + head + data
