"""Adds SCTE-35 to a transport stream: what the programme is (time_signal), and ways out of it and back (splice_insert)."""

from transport_stream import MODULUS, clock, packets, with_maps, with_section

PID = 0x1F4


def announce(program_map):
    """A stream of SCTE-35, registered."""
    program_map.descriptors += b"\x05\x04CUEI"
    program_map.streams.append((0x86, PID, b""))


def message(counter, kind, command, descriptors=b""):
    """A packet with a splice_info_section (§ 9.6)."""
    body = bytes([0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, len(command), kind]) + command + len(descriptors).to_bytes(2, "big") + descriptors
    return with_section(bytes([0x47, 0x40 | PID >> 8, PID & 0xFF, 0x10 | counter & 15]), b"\xfc\x30", body)


def splice_time(time):
    return bytes([0xFE | time >> 32 & 1]) + (time & 0xFFFFFFFF).to_bytes(4, "big")


def splice(counter, event, time):
    """A packet with a time_signal (ANSI/SCTE 35 § 9.7.4) and a segmentation descriptor (§ 10.3.3)."""
    descriptor = b"CUEI" + event.to_bytes(4, "big") + bytes([0x7F, 0xBF, 0, 0, 0x01, 0, 0])
    return message(counter, 6, splice_time(time), bytes([2, len(descriptor)]) + descriptor)


def insert(counter, event, time, is_out, duration=None):
    """A packet with a splice_insert (§ 9.7.3): out of the programme, perhaps with its return after so many ticks, or back into it."""
    flags = 0x4F | (0x80 if is_out else 0) | (0 if duration is None else 0x20)
    length = b"" if duration is None else splice_time(duration)
    return message(counter, 5, event.to_bytes(4, "big") + bytes([0x7F, flags]) + splice_time(time) + length + bytes([0, 1, 0, 0]))


def with_messages(packets, plan):
    """The packets, with a stream of SCTE-35 among them.

    The plan has pairs: the second of the feed in which something is told, and what makes its packet of a counter and the
    program clock.
    """
    plan, first, counter = sorted(plan, key=lambda pair: pair[0]), None, 0
    for packet in with_maps(packets, announce):
        yield packet
        now = clock(packet)
        if now is None:
            continue
        first = now if first is None else first
        while counter < len(plan) and plan[counter][0] * 90_000 <= (now - first) % MODULUS:
            yield plan[counter][1](counter, now)
            counter += 1


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
