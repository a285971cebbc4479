"""Adds SCTE 35 to a transport stream: sections that say of the programme what it is (time_signal)."""

from transport_stream import MODULUS, clock, packets, with_maps, with_section

PID = 0x1F4


def announce(program_map):
    """A stream of SCTE 35, registered."""
    program_map.descriptors += b"\x05\x04CUEI"
    program_map.streams.append((0x86, PID, b""))


def splice(counter, event, time):
    """A packet with a time_signal (SCTE 35 § 9.7.4) and a segmentation descriptor (§ 10.3.3)."""
    descriptor = b"CUEI" + event.to_bytes(4, "big") + bytes([0x7F, 0xBF, 0, 0, 0x01, 0, 0])
    command = bytes([0xFE | time >> 32 & 1]) + (time & 0xFFFFFFFF).to_bytes(4, "big")
    loop = bytes([2, len(descriptor)]) + descriptor
    body = bytes([0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, len(command), 6]) + command + len(loop).to_bytes(2, "big") + loop
    return with_section(bytes([0x47, 0x40 | PID >> 8, PID & 0xFF, 0x10 | counter & 15]), b"\xfc\x30", body)


def write(source, target, count, seconds):
    """Writes the stream of a file to another one, with so many sections within the first seconds."""
    event, due = 0, None
    with open(source, "rb") as data, open(target, "wb") as out:
        for packet in with_maps(packets(data), announce):
            out.write(packet)
            now = clock(packet)
            if now is None:
                continue
            due = now if due is None else due
            while event < count and due <= now:
                out.write(splice(event, event, (due + 180_000) % MODULUS))
                event, due = event + 1, due + 90_000 * seconds // count
