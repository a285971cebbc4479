"""Takes the registration of SCTE 35 (CUEI) out of a transport stream's program maps: unregister.py FILE OUT"""

import sys

PACKET = 188


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def without_registration(descriptors):
    kept, at = b"", 0
    while at < len(descriptors):
        descriptor = descriptors[at : at + 2 + descriptors[at + 1]]
        if descriptor[0] != 5 or descriptor[2:6] != b"CUEI":
            kept += descriptor
        at += len(descriptor)
    return kept


def section_start(packet):
    start = 4 + (packet[4] + 1 if packet[3] & 0x20 else 0)
    return start + 1 + packet[start]


def unregistered(packet):
    start = section_start(packet)
    length = (packet[start + 1] & 0x0F) << 8 | packet[start + 2]
    section = packet[start : start + 3 + length]
    count = (section[10] & 0x0F) << 8 | section[11]
    kept = without_registration(section[12 : 12 + count])
    body = section[3:10] + bytes([0xF0 | len(kept) >> 8, len(kept) & 0xFF]) + kept + section[12 + count : -4]
    head = bytes([section[0], section[1] & 0xF0 | (len(body) + 4) >> 8, (len(body) + 4) & 0xFF])
    whole = head + body
    return (packet[:start] + whole + crc(whole)).ljust(PACKET, b"\xff"), len(kept) < count


def main():
    data, out, maps, changed = open(sys.argv[1], "rb").read(), bytearray(), set(), 0
    for at in range(0, len(data) - PACKET + 1, PACKET):
        packet = data[at : at + PACKET]
        pid = (packet[1] & 0x1F) << 8 | packet[2]
        if pid == 0 and packet[1] & 0x40:
            start = section_start(packet) + 8
            maps.add((packet[start + 2] & 0x1F) << 8 | packet[start + 3])
        elif pid in maps and packet[1] & 0x40:
            packet, is_changed = unregistered(packet)
            changed += is_changed
        out += packet
    if not changed:
        sys.exit("there is no registration of CUEI in it")
    open(sys.argv[2], "wb").write(out)


main()
