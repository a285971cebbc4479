#!/usr/bin/env python3
"""Writes subtitles that are pictures, as a file of the Presentation Graphic Stream (`.sup`), of which FFmpeg makes DVB subtitles.

Each argument is SECONDS:TEXT; it is shown for two seconds. FFmpeg draws the text, white with a black edge.
"""

import struct
import subprocess
import sys

WIDTH, HEIGHT = 720, 576
LEFT, TOP, BOX_WIDTH, BOX_HEIGHT = 60, 480, 600, 64


def draw(text):
    """Brightness of the pixels of the box: 0 is transparent, 1 black, 2 white."""
    escaped = text.replace("\\", "\\\\").replace(":", "\\:").replace("'", "’")
    drawing = f"drawtext=text='{escaped}':fontsize=40:fontcolor=white:borderw=3:bordercolor=black:x=(w-tw)/2:y=(h-th)/2"
    command = [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=0x808080:size={BOX_WIDTH}x{BOX_HEIGHT}", "-vf",
        f"format=gray,{drawing}", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-",
    ]
    pixels = subprocess.run(command, check=True, capture_output=True).stdout
    return [2 if pixel > 170 else 1 if pixel < 90 else 0 for pixel in pixels]


def runs(pixels):
    """Run lengths, a line at a time."""
    data = bytearray()
    for start in range(0, len(pixels), BOX_WIDTH):
        line, place = pixels[start:start + BOX_WIDTH], 0
        while place < BOX_WIDTH:
            end = place
            while end < BOX_WIDTH and line[end] == line[place]:
                end += 1
            count, color = end - place, line[place]
            if color == 0:
                data += bytes([0, count]) if count < 64 else bytes([0, 0x40 | count >> 8, count & 0xFF])
            else:
                data += bytes([0, 0x80 | count, color]) if count < 64 else bytes([0, 0xC0 | count >> 8, count & 0xFF, color])
            place = end
        data += b"\0\0"
    return bytes(data)


def segment(kind, pts, body):
    return b"PG" + struct.pack(">IIBH", pts, pts, kind, len(body)) + body


def shown(number, pts, text):
    window = struct.pack(">BBHHHH", 1, 0, LEFT, TOP, BOX_WIDTH, BOX_HEIGHT)
    composition = struct.pack(">HHBHBBBB", WIDTH, HEIGHT, 0x10, number, 0x80, 0, 0, 1 if text else 0)
    data = b""
    if text:
        composition += struct.pack(">HBBHH", 0, 0, 0, LEFT, TOP)
        picture = runs(draw(text))
        # Y, Cr, Cb and opacity.
        palette = bytes([0, 0, 0, 16, 128, 128, 0, 1, 16, 128, 128, 255, 2, 235, 128, 128, 255])
        data = segment(0x14, pts, palette[:2] + palette[2:])
        head = struct.pack(">HBB", 0, 0, 0xC0) + (len(picture) + 4).to_bytes(3, "big") + struct.pack(">HH", BOX_WIDTH, BOX_HEIGHT)
        data += segment(0x15, pts, head + picture)
    return segment(0x16, pts, composition) + segment(0x17, pts, window) + data + segment(0x80, pts, b"")


def main():
    number = 0
    for argument in sys.argv[1:]:
        start, text = argument.split(":", 1)
        pts = int(float(start) * 90_000)
        sys.stdout.buffer.write(shown(number, pts, text) + shown(number + 1, pts + 180_000, None))
        number += 2


if __name__ == "__main__":
    main()
