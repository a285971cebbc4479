"""Says what is in segments of transport streams and packed audio: frames.py [--key KEY --iv IV] FILE...

KEY and IV, in hexadecimal, undo SAMPLE-AES (Apple, "MPEG-2 Stream Encryption Format for HTTP Live Streaming"). For each file a
line of JSON is printed: for each access unit and frame of audio the number of its bytes and their hash, by type of stream.
"""

import argparse
import hashlib
import json
import re

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from transport_stream import ProgramMap, is_start, packets, payload, pid, section

# What a stream of encrypted samples is called in the program map.
CLEAR_TYPES = {0xDB: 0x1B, 0xCF: 0x0F, 0xC1: 0x81, 0xC2: 0x87}


class Clear:
    """Leaves everything as it is."""

    def chain(self):
        return lambda blocks: blocks


class Decryptor:
    def __init__(self, key, iv):
        self.cipher = Cipher(algorithms.AES(key), modes.CBC(iv))

    def chain(self):
        """Decrypts blocks, chained from call to call."""
        return self.cipher.decryptor().update


def nal_unit(coded, keys):
    if coded[0] & 0x1F not in (1, 5) or len(coded) <= 48 or isinstance(keys, Clear):
        return coded
    data, decrypt = re.sub(b"\x00\x00\x03", b"\x00\x00", coded), keys.chain()
    result, rest = data[:32], data[32:]
    while rest:
        if len(rest) > 16:
            result += decrypt(rest[:16])
            rest = rest[16:]
        result += rest[:144]
        rest = rest[144:]
    return result


def access_unit(data, keys):
    pieces = re.split(b"(\x00?\x00\x00\x01)", data)
    return [b"".join(nal_unit(piece, keys) if index % 2 == 0 and piece else piece for index, piece in enumerate(pieces))]


def audio_frame(frame, header, decrypt):
    start = header + 16
    end = start + max(len(frame) - start, 0) // 16 * 16
    return frame[:start] + (decrypt(frame[start:end]) if end > start else b"") + frame[end:]


def adts_frames(data, keys):
    frames = []
    while data:
        assert data[0] == 0xFF and data[1] & 0xF6 == 0xF0, "not a frame of AAC"
        size = (data[3] & 3) << 11 | data[4] << 3 | data[5] >> 5
        frames.append(audio_frame(data[:size], 7 if data[1] & 1 else 9, keys.chain()))
        data = data[size:]
    return frames


# By bit rate and sample rate, in words of 16 bits (ETSI TS 102 366 Table 4.13), for 48 kHz.
AC3_SIZES = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1152, 1280]


def ac3_frames(data, keys):
    frames = []
    while data:
        assert data[:2] == b"\x0b\x77" and data[4] >> 6 == 0, "not a frame of AC-3 of 48 kHz"
        size = 2 * AC3_SIZES[(data[4] & 0x3F) >> 1]
        frames.append(audio_frame(data[:size], 0, keys.chain()))
        data = data[size:]
    return frames


def eac3_frames(data, keys):
    frames = []
    while data:
        assert data[:2] == b"\x0b\x77", "not a frame of E-AC-3"
        # The chain runs through the syncframes of an access unit, which begins with independent substream 0.
        if data[2] >> 3 == 0:
            decrypt = keys.chain()
        size = 2 * (((data[2] & 7) << 8 | data[3]) + 1)
        frames.append(audio_frame(data[:size], 0, decrypt))
        data = data[size:]
    return frames


READERS = {0x1B: access_unit, 0x0F: adts_frames, 0x81: ac3_frames, 0x87: eac3_frames}


def pes_packets(source):
    """Of each PID the type of its stream and what its PES packets carry, in order."""
    map_pid, types, carried = None, {}, {}
    for packet in packets(source):
        number, data = pid(packet), packet[payload(packet) :]
        if number == 0:
            map_pid = int.from_bytes(section(packet)[10:12], "big") & 0x1FFF
        elif number == map_pid:
            types = {pid: CLEAR_TYPES.get(kind, kind) for kind, pid, _ in ProgramMap(section(packet)).streams}
        elif number in types:
            if is_start(packet):
                carried.setdefault(number, []).append(bytearray(data[9 + data[8] :]))
            else:
                carried[number][-1] += data
    return [(types[number], [bytes(pes) for pes in pes]) for number, pes in carried.items()]


def packed_audio(data):
    """Runs of frames between tags of ID3v2 (RFC 8216bis § 3.1.4)."""
    runs = []
    for piece in re.split(b"(?=ID3\x04)", data):
        if piece[:3] == b"ID3":
            size = piece[6] << 21 | piece[7] << 14 | piece[8] << 7 | piece[9]
            piece = piece[10 + size :]
        runs.append(piece)
    kind = 0x0F if runs[-1][:1] == b"\xff" else 0x81 if runs[-1][5] >> 3 <= 10 else 0x87
    return [(kind, runs)]


def frames(path, keys):
    with open(path, "rb") as file:
        is_transport_stream = file.read(1) == b"\x47"
        file.seek(0)
        streams = pes_packets(file) if is_transport_stream else packed_audio(file.read())
    found = {}
    for kind, carried in streams:
        for data in carried:
            for frame in READERS[kind](data, keys):
                found.setdefault(f"{kind:02x}", []).append([len(frame), hashlib.sha256(frame).hexdigest()])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key", type=bytes.fromhex)
    parser.add_argument("--iv", type=bytes.fromhex)
    parser.add_argument("file", nargs="+")
    arguments = parser.parse_args()
    keys = Decryptor(arguments.key, arguments.iv) if arguments.key else Clear()
    for file in arguments.file:
        print(json.dumps(frames(file, keys)))


main()
