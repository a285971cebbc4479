#!/usr/bin/env python3
"""Puts captions into video: reads h264 or hevc with start codes, or OBUs of av1, on standard input, of 25 pictures a second that
are not reordered, and writes it on standard output.

CC1 of CEA-608 has a pop-on caption for each four seconds, from the first second of them to the third; CC3 rolls up two rows, a
row each second. Service 1 of CEA-708 shows a window in the same seconds as CC1. By ATSC A/53 Part 4, CTA-608 and CTA-708.
"""

import sys

RATE = 25


def parity(code):
    return code | (0 if bin(code).count("1") % 2 else 0x80)


def pairs(codes):
    """Two bytes a picture; control codes are sent twice."""
    result = []
    for code in codes:
        if isinstance(code, str):
            text = code.encode() + b"\0" * (len(code) % 2)
            result += [tuple(text[place:place + 2]) for place in range(0, len(text), 2)]
        else:
            result += [code, code]
    return result


def spread(schedule, count):
    """What is sent with each picture, given what is sent from a picture on."""
    pictures = [(0, 0)] * count
    for start, codes in schedule:
        for place, pair in enumerate(pairs(codes)):
            if start + place < count:
                pictures[start + place] = pair
    return pictures


def line21(count):
    pop_on, roll_up = [], []
    for caption in range(count // (4 * RATE) + 1):
        start = caption * 4 * RATE
        # Resume caption loading, erase, row 14 from column 8 on, row 15; later end of caption, erase what is shown.
        text = [(0x14, 0x20), (0x14, 0x2E), (0x14, 0x54), f"POP ON {caption:02}", (0x14, 0x74), (0x11, 0x2E), "CAPTIONS"]
        pop_on += [(start, text), (start + RATE, [(0x14, 0x2F)]), (start + 3 * RATE, [(0x14, 0x2C)])]
    for second in range(count // RATE):
        # Roll up two rows, carriage return, row 15.
        roll_up.append((second * RATE, [(0x15, 0x25), (0x15, 0x2D), (0x14, 0x70), f"ROW {second:02}"]))
    return spread(pop_on, count), spread(roll_up, count)


def service(count):
    """Caption channel packets by picture."""
    packets = {}
    sequence = 0
    for caption in range(count // (4 * RATE) + 1):
        start = caption * 4 * RATE
        window = [0x98, 0x18, 0x80 | 90, 50, 0x71, 31, 0x11]
        for picture, codes in [
            (start, window + [0x8C - 4, 1] + list(f"WINDOW {caption:02}".encode()) + [0x03]),
            (start + RATE, [0x89, 1]),
            (start + 3 * RATE, [0x8A, 1]),
        ]:
            packet = [1 << 5 | len(codes)] + codes
            packet += [0] * (1 - len(packet) % 2)
            packets[picture] = [sequence << 6 | (len(packet) + 1) // 2] + packet
            sequence = sequence + 1 & 3
    return packets


def user_data(field1, field2, packet):
    triplets = [(0xFC, *map(parity, field1)), (0xFD, *map(parity, field2))]
    for place in range(0, len(packet), 2):
        triplets.append((0xFF if place == 0 else 0xFE, packet[place], packet[place + 1]))
    data = b"\xB5\x00\x31GA94\x03" + bytes([0xC0 | len(triplets), 0xFF])
    return data + b"".join(bytes(triplet) for triplet in triplets) + b"\xFF"


def message(header, data):
    """An SEI NAL unit."""
    payload = bytes([4, len(data)]) + data + b"\x80"
    escaped, zeros = bytearray(header), 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            escaped.append(3)
            zeros = 0
        escaped.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return b"\0\0\0\1" + bytes(escaped)


def nal_units(stream, is_picture, header):
    """Each NAL unit; ahead of the pictures what puts captions into them."""
    for unit in stream.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")[1:]:
        yield b"\0\0\0\1" + unit, (lambda data: message(header, data)) if is_picture(unit[0]) else None


def obus(stream):
    """The same of AV1, whose pictures are one to a temporal unit."""
    place, is_open = 0, True
    while place < len(stream):
        end, size, shift = place + 1, 0, 0
        while True:
            size |= (stream[end] & 0x7F) << shift
            shift += 7
            end += 1
            if stream[end - 1] < 0x80:
                break
        kind = stream[place] >> 3 & 15
        is_open = is_open or kind == 2
        is_picture = is_open and kind in (3, 6)
        yield stream[place:end + size], (lambda data: bytes([5 << 3 | 2, len(data) + 2, 4]) + data + b"\x80") if is_picture else None
        is_open = is_open and not is_picture
        place = end + size


CODECS = {
    "h264": lambda stream: nal_units(stream, lambda first: first & 0x1F in (1, 5), b"\x06"),
    "hevc": lambda stream: nal_units(stream, lambda first: first >> 1 & 0x3F < 32, b"\x4E\x01"),
    "av1": obus,
}


def main():
    units = list(CODECS[sys.argv[1]](sys.stdin.buffer.read()))
    count = sum(carrying is not None for _, carrying in units)
    (field1, field2), packets = line21(count), service(count)
    picture = 0
    for unit, carrying in units:
        if carrying:
            sys.stdout.buffer.write(carrying(user_data(field1[picture], field2[picture], packets.get(picture, []))))
            picture += 1
        sys.stdout.buffer.write(unit)


if __name__ == "__main__":
    main()
