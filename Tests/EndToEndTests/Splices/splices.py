#!/usr/bin/python3
"""Makes a transport stream with SCTE-35 sections by GStreamer: splices.py FILE SECONDS EVENT:OUT:IN[:LEAD[:PLANNED]]...

A key frame a second, and one way out of the programme and back for each EVENT, in seconds from the feed's start. Each is
told three seconds before it happens, or LEAD of them. PLANNED is for how many seconds the programme says that it is left,
where that is not until it is back.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstMpegts", "1.0")
from gi.repository import Gst, GstMpegts  # noqa: E402

LEAD_SECONDS = 3


def main():
    path, seconds = sys.argv[1], int(sys.argv[2])
    Gst.init(None)
    GstMpegts.initialize()
    pipeline = Gst.parse_launch(
        f"videotestsrc pattern=smpte num-buffers={25 * seconds} ! video/x-raw,width=320,height=180,framerate=25/1"
        " ! openh264enc gop-size=25 bitrate=300000 ! h264parse name=video ! mpegtsmux name=mux"
        f" scte-35-pid=500 ! filesink location={path}"
        f" audiotestsrc num-buffers={46 * seconds} samplesperbuffer=1024 ! audio/x-raw,rate=48000 ! voaacenc"
        " ! aacparse ! mux."
    )
    mux = pipeline.get_by_name("mux")
    due = []
    for event, out, back, *more in ([float(part) for part in item.split(":")] for item in sys.argv[3:]):
        lead, planned = (more + [LEAD_SECONDS, back - out][len(more) :])[:2]
        out, back, lead, planned = (int(seconds * Gst.SECOND) for seconds in (out, back, lead, planned))
        due.append((out - lead, GstMpegts.scte_splice_out_new(int(event), out, planned)))
        due.append((back - lead, GstMpegts.scte_splice_in_new(int(event), back)))
    due.sort(key=lambda pair: pair[0])

    base = []

    def passed(_, info):
        time = info.get_buffer().pts
        base.append(time)
        while due and time - base[0] >= due[0][0]:
            section = GstMpegts.section_from_scte_sit(due.pop(0)[1], 500)
            mux.send_event(GstMpegts.event_new_mpegts_section(section))
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("video").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, passed)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        sys.exit(f"no feed: {message.parse_error() if message else 'it takes too long'}")


main()
