#!/usr/bin/python3
"""Plays a stream with GStreamer in its own time, for so many seconds: gstreamer.py URL SECONDS.

Prints how many pictures and frames of audio came, which are not decoded; exits 1 where they did not come in time.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

PATIENCE = 60 * Gst.SECOND


def main():
    url, seconds = sys.argv[1], float(sys.argv[2])
    Gst.init(None)
    pipeline, source = Gst.Pipeline(), Gst.ElementFactory.make("urisourcebin")
    counts = {"video": 0, "audio": 0}

    def append(name, pad, **properties):
        element = Gst.ElementFactory.make(name)
        for key, value in properties.items():
            element.set_property(key.replace("_", "-"), value)
        pipeline.add(element)
        element.sync_state_with_parent()
        pad.link(element.get_static_pad("sink"))
        return element

    def show(_, pad):
        kind = pad.query_caps(None).get_structure(0).get_name().split("/")[0]
        queue = append("queue", pad)
        sink = append("fakesink", queue.get_static_pad("src"), sync=True, signal_handoffs=True)
        sink.connect("handoff", lambda *_: counts.update({kind: counts[kind] + 1}))

    source.set_property("uri", url)
    source.connect("pad-added", lambda _, pad: append("parsebin", pad).connect("pad-added", show))
    pipeline.add(source)
    pipeline.set_state(Gst.State.PLAYING)
    bus, waited, problem = pipeline.get_bus(), 0, None
    while waited < PATIENCE and min(counts.values()) < 25 * seconds and problem is None:
        message = bus.timed_pop_filtered(Gst.SECOND // 4, Gst.MessageType.ERROR | Gst.MessageType.EOS)
        waited += Gst.SECOND // 4
        if message:
            problem = message.parse_error() if message.type == Gst.MessageType.ERROR else "the stream ends"
    pipeline.set_state(Gst.State.NULL)
    print(counts, problem or "")
    return 1 if problem or min(counts.values()) < 25 * seconds else 0


sys.exit(main())
