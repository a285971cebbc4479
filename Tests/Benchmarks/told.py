"""Adds SCTE 35 to a transport stream: sections that say of the programme what it is (time_signal)."""

PACKET, PID = 188, 0x1F4


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def with_splices(packet):
    """The program map with a stream of SCTE 35, registered."""
    start = 5 + packet[4]
    old = packet[start : start + 3 + ((packet[start + 1] & 0x0F) << 8 | packet[start + 2])]
    count = (old[10] & 0x0F) << 8 | old[11]
    descriptors = old[12 : 12 + count] + b"\x05\x04CUEI"
    body = old[3:10] + bytes([0xF0 | len(descriptors) >> 8, len(descriptors) & 0xFF]) + descriptors + old[12 + count : -4]
    body += bytes([0x86, 0xE0 | PID >> 8, PID & 0xFF, 0xF0, 0])
    head = bytes([old[0], old[1] & 0xF0 | (len(body) + 4) >> 8, (len(body) + 4) & 0xFF])
    return (packet[:4] + b"\0" + head + body + crc(head + body)).ljust(PACKET, b"\xff")


def section(event, time):
    descriptor = b"CUEI" + event.to_bytes(4, "big") + bytes([0x7F, 0xBF, 0, 0, 0x01, 0, 0])
    command = bytes([0xFE | time >> 32 & 1]) + (time & 0xFFFFFFFF).to_bytes(4, "big")
    loop = bytes([2, len(descriptor)]) + descriptor
    body = bytes([0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, len(command), 6]) + command + len(loop).to_bytes(2, "big") + loop
    whole = bytes([0xFC, 0x30, len(body) + 4]) + body
    return whole + crc(whole)


def write(source, target, count, seconds):
    """So many within the first seconds."""
    counter, event, due = 0, 0, None
    cache = {}
    with open(source, "rb") as data, open(target, "wb") as out:
        while len(packet := data.read(PACKET)) == PACKET:
            pid = (packet[1] & 0x1F) << 8 | packet[2]
            if pid == 0x1000 and packet[1] & 0x40:
                # The same but for its counter.
                if packet[4:] not in cache:
                    cache[packet[4:]] = with_splices(packet)[4:]
                packet = packet[:4] + cache[packet[4:]]
            out.write(packet)
            if not packet[3] & 0x20 or packet[4] < 7 or not packet[5] & 0x10:
                continue
            clock = int.from_bytes(packet[6:11], "big") >> 7
            due = clock if due is None else due
            while event < count and due <= clock:
                payload = b"\0" + section(event, (due + 180_000) % (1 << 33))
                out.write(bytes([0x47, 0x40 | PID >> 8, PID & 0xFF, 0x10 | counter]) + payload.ljust(PACKET - 4, b"\xff"))
                counter, event, due = (counter + 1) & 15, event + 1, due + 90_000 * seconds // count
