"""Says of the emsg boxes of SCTE-35 in a segment, an argument, what threefive reads in them, each as a line of JSON."""

import json
import struct
import sys

import threefive


def boxes(data):
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + size]
        at += size


def main():
    for kind, box in boxes(open(sys.argv[1], "rb").read()):
        if kind != b"emsg" or box[0] != 1:
            continue
        timescale, time, duration, identifier = struct.unpack(">IQII", box[4:24])
        scheme, _, message = box[24:].split(b"\0", 2)
        if scheme != b"urn:scte:scte35:2013:bin":
            continue
        cue = threefive.Cue(message)
        cue.decode()
        command = cue.get()["command"]
        print(
            json.dumps(
                {
                    "milliseconds": round(time * 1000 / timescale),
                    "duration": None if duration == 0xFFFFFFFF else round(duration * 1000 / timescale),
                    "id": identifier,
                    "event": command["splice_event_id"],
                    "isOut": command["out_of_network_indicator"],
                    "section": message.hex(),
                }
            )
        )


main()
