#!/usr/bin/python3
"""Reads service 1 of CEA-708 as GStreamer shows it: a transport stream of black pictures in the Baseline profile of H.264, into
which cc708overlay draws it. What is drawn is read by tesseract.

Prints a line for each text: for how many milliseconds it is there, and what it says.
"""

import subprocess
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

PIPELINE = """filesrc location={} ! tsdemux ! h264parse ! openh264dec ! ccextractor name=captions
  captions.src ! queue ! overlay.video_sink  captions.caption ! queue ! overlay.cc_sink
  cc708overlay name=overlay service-number=1 ! videoconvert ! video/x-raw,format=GRAY8 ! appsink name=sink sync=false"""


def text(picture, width, height):
    """Dark on white, which is what tesseract reads best."""
    grey = b"P5\n%d %d\n255\n" % (width, height) + bytes(255 - value for value in picture)
    answer = subprocess.run(
        ["tesseract", "stdin", "stdout", "--psm", "6"], input=grey, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=True)
    return " ".join(answer.stdout.decode().split())


def main():
    Gst.init(None)
    pipeline = Gst.parse_launch(PIPELINE.format(sys.argv[1]))
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    begin, before = None, None
    while sample := sink.emit("pull-sample"):
        structure, buffer = sample.get_caps().get_structure(0), sample.get_buffer()
        width, height = structure.get_value("width"), structure.get_value("height")
        picture = buffer.extract_dup(0, buffer.get_size())
        seen = picture if max(picture) > 128 else None
        if before is not None and seen != before:
            print((buffer.pts - begin) // Gst.MSECOND, text(before, width, height))
        if seen != before:
            begin, before = buffer.pts, seen
    pipeline.set_state(Gst.State.NULL)


main()
