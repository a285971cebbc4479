"""What happens to feeds: bits flip, fields are extreme, packets are lost, doubled and out of order, clocks jump.

What a feed says of splices is among it: much of that is late, doubled, never ended, or damaged with the rest.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "TransportStreams"))

import told  # noqa: E402
from transport_stream import MODULUS, PACKET  # noqa: E402

EXTREMES = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def flip(random, data):
    for _ in range(random.choice([1, 1, 3, 20, 200])):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return data


def extreme(random, data):
    for _ in range(random.choice([1, 2, 8])):
        size = random.choice([1, 2, 4])
        place = random.randrange(max(len(data) - size, 1))
        value = random.choice(EXTREMES) & (1 << 8 * size) - 1
        data[place : place + size] = value.to_bytes(size, "big")
    return data


def cut(random, data):
    start = random.randrange(len(data))
    del data[start : start + random.choice([1, 100, 188, 5_000, 100_000])]
    return data


def double(random, data):
    start = random.randrange(len(data))
    piece = data[start : start + random.choice([1, 188, 5_000, 100_000])]
    place = random.randrange(len(data))
    return data[:place] + piece + data[place:]


def truncate(random, data):
    return data[: random.randrange(1, len(data))]


def packets(random, data):
    """Packets of a transport stream get lost, come twice, or in another order."""
    units = [data[place : place + 188] for place in range(0, len(data) - 187, 188)]
    for _ in range(random.choice([1, 5, 50])):
        if len(units) < 10:
            break
        index, kind = random.randrange(len(units)), random.randrange(4)
        if kind == 0:
            del units[index : index + random.choice([1, 7, 200])]
        elif kind == 1:
            units.insert(index, units[index])
        elif kind == 2:
            other = min(index + random.randrange(30), len(units) - 1)
            units[index], units[other] = units[other], units[index]
        else:
            units[index][1] |= 0x80
    return bytearray().join(units)


def message(event, lead, is_out, duration):
    """Makes the packet of one splice, so many ticks ahead of the program clock."""
    return lambda counter, now: told.insert(counter, event, (now + lead) % MODULUS, is_out, duration)


def signal(event, lead):
    return lambda counter, now: told.splice(counter, event, (now + lead) % MODULUS)


def splices(random, data):
    """A feed of 12 s tells of ways out of the programme and back, and what is on: in time or late, once or twice, ended or not."""
    plan, second = [], random.uniform(0, 2)
    for event in range(random.choice([1, 3, 10, 40])):
        second += random.choice([0, 0.1, 0.5, 1, 2.5])
        lead = random.choice([-90_000, 0, 45_000, 180_000, 270_000])
        length = random.choice([0, 0.1, 0.5, 1, 2, 30])
        duration = random.choice([None, round(length * 90_000), (1 << 33) - 1])
        number = random.choice([event, 1, (1 << 32) - 1])
        out = (second, message(number, lead, True, duration))
        plan += [out] * random.choice([1, 1, 2])
        if random.random() < 0.6:
            plan.append((second + length, message(number, lead, False, None)))
        if random.random() < 0.3:
            plan.append((second, signal(number, lead)))
    units = (bytes(data[place : place + PACKET]) for place in range(0, len(data) - PACKET + 1, PACKET))
    return bytearray().join(told.with_messages(units, plan))


def timestamps(random, data):
    """Timestamps of PES packets are wrong: one, some, or all from a place on, of one stream or all."""
    start = random.choice([0, 0, random.randrange(len(data) // 188)])
    rest = random.choice([1, 1, 2, 10, 1 << 30])
    only = random.choice([None, 0xC0, 0xE0])
    shifts = [1, 3_000, 90_000, 900_000, 54_000_000, 1 << 31, 1 << 32]
    shift, is_wild = random.choice([-1, 1]) * random.choice(shifts), random.random() < 0.3
    for place in range(start * 188, len(data) - 187, 188):
        if not rest or data[place] != 0x47 or not data[place + 1] & 0x40:
            continue
        body = place + 4 + (1 + data[place + 4] if data[place + 3] & 0x20 else 0)
        if body + 19 > place + 188 or data[body : body + 3] != b"\0\0\1" or only not in (None, data[body + 3]):
            continue
        rest -= 1
        if is_wild:
            shift = random.choice([-1, 1]) * random.choice(shifts)
        for field in range({2: 1, 3: 2}.get(data[body + 7] >> 6, 0)):
            at = body + 9 + 5 * field
            five = data[at : at + 5]
            time = (five[0] >> 1 & 7) << 30 | (five[1] << 7 | five[2] >> 1) << 15 | five[3] << 7 | five[4] >> 1
            time = (time + shift) % (1 << 33)
            data[at : at + 5] = bytes(
                (five[0] & 0xF1 | time >> 30 << 1, time >> 22 & 255, time >> 14 & 254 | 1, time >> 7 & 255, time << 1 & 254 | 1)
            )
    return data


def damaged(random, feeds):
    """A feed, its container, and what was done to it."""
    name = random.choice(sorted(feeds))
    data, done = bytearray(feeds[name]), []
    kinds = [flip, extreme, cut, double, truncate]
    if name.endswith(".ts"):
        kinds += [packets, timestamps] * 3
    if name.endswith(".ts") and random.random() < 0.3:
        data, done = splices(random, data), ["splices"]
    if random.random() < 0.1:
        other = feeds[random.choice(sorted(feeds))]
        data, done = data[: len(data) // 2] + other[len(other) // 3 :], [*done, "joined"]
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        kind = random.choice(kinds)
        data = kind(random, data) or bytearray(b"\0")
        done.append(kind.__name__)
    return name, bytes(data), done
