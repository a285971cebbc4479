"""Says of each section, an argument in Base64, what threefive reads in it, as a line of JSON."""

import json
import sys

import threefive

TICKS = 90_000


def ticks(seconds):
    return None if seconds is None else round(seconds * TICKS)


def told(line):
    cue = threefive.Cue(line.strip())
    cue.decode()
    what = cue.get()
    section, command = what["info_section"], what["command"]
    segmentations = [one for one in what["descriptors"] if one["tag"] == 2 and one["identifier"] == "CUEI"]
    return {
        "type": section["splice_command_type"],
        "adjustment": ticks(section["pts_adjustment"]),
        "tier": int(section["tier"], 16),
        "time": ticks(command.get("pts_time")),
        "event": command.get("splice_event_id"),
        "isOut": command.get("out_of_network_indicator"),
        "isImmediate": command.get("splice_immediate_flag"),
        "breakDuration": ticks(command.get("break_duration")),
        "returns": command.get("break_auto_return"),
        "avail": command.get("avail_num"),
        "segmentations": [
            {
                "event": int(one["segmentation_event_id"], 16),
                "type": one.get("segmentation_type_id"),
                "duration": ticks(one.get("segmentation_duration")),
                "number": one.get("segment_num"),
                "expected": one.get("segments_expected"),
                "upid": one.get("segmentation_upid"),
            }
            for one in segmentations
        ],
    }


for line in sys.argv[1:]:
    print(json.dumps(told(line)))
