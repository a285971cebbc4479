"""The rules of RFC 8216bis that this project claims to keep, read from playlists without any of its own code."""
import math
import re
from datetime import datetime


class Segment:
    def __init__(self):
        self.uri = self.duration = self.time = self.key = self.map = None
        self.gap = self.discontinuity = False

    @property
    def line(self):
        return (self.uri, self.duration, self.time, self.gap, self.discontinuity, self.key, self.map)


def attributes(text):
    """The attributes of a tag (§ 4.2), as they are written."""
    return dict(re.findall(r'([A-Z0-9-]+)=("[^"]*"|[^",]+)', text))


class Playlist:
    def __init__(self, text, name=""):
        self.name, self.problems, self.segments, self.ranges = name, [], [], {}
        self.target = self.sequence = self.version = None
        self.discontinuities, self.ended = 0, False
        self.pictures_only = "#EXT-X-I-FRAMES-ONLY" in text
        lines = text.split("\n")
        if lines[0] != "#EXTM3U":
            self.problem("does not begin with #EXTM3U (§ 4.4.1.1)")
        segment, key, section = Segment(), None, None
        for line in lines:
            tag, _, value = line.partition(":")
            if tag == "#EXT-X-TARGETDURATION":
                self.target = int(value)
            elif tag == "#EXT-X-MEDIA-SEQUENCE":
                self.sequence = int(value)
            elif tag == "#EXT-X-VERSION":
                self.version = int(value)
            elif tag == "#EXT-X-DISCONTINUITY-SEQUENCE":
                self.discontinuities = int(value)
            elif tag == "#EXT-X-ENDLIST":
                self.ended = True
            elif tag == "#EXT-X-KEY":
                key = value
            elif tag == "#EXT-X-MAP":
                section = re.search(r'URI="([^"]*)"', value).group(1)
            elif tag == "#EXT-X-GAP":
                segment.gap = True
            elif tag == "#EXT-X-DISCONTINUITY":
                segment.discontinuity = True
            elif tag == "#EXT-X-DATERANGE":
                self.read_range(attributes(value))
            elif tag == "#EXT-X-PROGRAM-DATE-TIME":
                segment.time = datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
            elif tag == "#EXTINF":
                segment.duration = float(value.split(",")[0])
            elif line and not line.startswith("#"):
                segment.uri, segment.key, segment.map = line, key, section
                self.segments.append(segment)
                segment = Segment()
        self.check()

    def problem(self, text):
        self.problems.append(f"{self.name}: {text}")

    def read_range(self, said):
        """Tags of one date range say nothing twice in different words (§ 4.4.5.1)."""
        if "ID" not in said or "START-DATE" not in said:
            return self.problem(f"EXT-X-DATERANGE without ID or START-DATE: {said} (§ 4.4.5.1)")
        known = self.ranges.setdefault(said["ID"], {})
        for name, value in said.items():
            if known.setdefault(name, value) != value:
                self.problem(f"date range {said['ID']} has {name} {known[name]} and {value} (§ 4.4.5.1)")

    def check(self):
        if self.target is None or self.sequence is None:
            return self.problem("has no TARGETDURATION or no MEDIA-SEQUENCE")
        needed = 3
        for index, segment in enumerate(self.segments):
            number = self.sequence + index
            # Less than that no picture lasts.
            if segment.duration is None or segment.duration < 0.005:
                self.problem(f"{segment.uri} lasts {segment.duration}")
                continue
            if math.floor(segment.duration + 0.5) > self.target:
                self.problem(f"{segment.uri} lasts {segment.duration}, TARGETDURATION is {self.target} (§ 4.4.3.1)")
            if str(number) != segment.uri.rsplit("/")[-1].split(".")[0]:
                self.problem(f"{segment.uri} has media sequence number {number}")
            if segment.time is None:
                self.problem(f"{segment.uri} has no PROGRAM-DATE-TIME")
            if segment.uri.endswith(".m4s") and segment.map is None and not segment.gap:
                self.problem(f"{segment.uri} has no EXT-X-MAP (§ 3.1.2)")
            needed = max(needed, (5 if self.pictures_only else 6) if segment.map else 3)
            if index and segment.time is not None and self.segments[index - 1].time is not None:
                before = self.segments[index - 1]
                distance = segment.time - before.time - before.duration
                if abs(distance) > 0.05:
                    self.problem(f"{segment.uri} begins {distance:+.3f} s from where the one before ends")
        if self.segments and (self.version or 1) < needed:
            self.problem(f"VERSION is {self.version}, and {needed} is needed (§ 8)")

    def check_slots(self, slot_duration):
        """A number is a time: a segment begins at most a slot from its slot's edge."""
        for index, segment in enumerate(self.segments):
            edge = (self.sequence + index) * slot_duration
            if segment.time is not None and abs(segment.time - edge) > 1.1 * slot_duration:
                self.problem(f"{segment.uri} begins {segment.time - edge:+.3f} s from the edge of its slot")

    def lines(self):
        """What is said of each number: its line, and its discontinuity sequence number."""
        count, lines = self.discontinuities, {}
        for index, segment in enumerate(self.segments):
            count += segment.discontinuity
            lines[self.sequence + index] = (segment.line, count)
        return lines


def renditions(multivariant):
    """The media playlists that a multivariant playlist names."""
    names = re.findall(r'^#EXT-X-(?:MEDIA|I-FRAME-STREAM-INF):.*URI="([^"]*)"', multivariant, re.M)
    names += [line for line in multivariant.split("\n") if line and not line.startswith("#")]
    return sorted(set(names))


def check_siblings(playlists):
    """Renditions agree: one number is one time, and one discontinuity sequence number (§ 6.2.4)."""
    problems, known = [], {}
    for playlist in playlists:
        for number, (line, count) in playlist.lines().items():
            other = known.setdefault(number, (playlist.name, line[2], count))
            if other[2] != count:
                problems.append(f"{number} is discontinuity {count} in {playlist.name}, {other[2]} in {other[0]}")
            if None not in (line[2], other[1]) and abs(line[2] - other[1]) > 2 * playlist.target:
                problems.append(f"{number} begins at {line[2]} in {playlist.name}, at {other[1]} in {other[0]}")
    return problems


class History:
    """What was listed once stays as it was listed."""

    def __init__(self):
        self.lines, self.heads, self.ranges = {}, {}, {}

    def observe(self, playlist):
        problems = list(playlist.problems)
        head = self.heads.get(playlist.name)
        if head and playlist.sequence is not None and playlist.sequence < head[0]:
            problems.append(f"{playlist.name}: media sequence goes back from {head[0]} to {playlist.sequence} (§ 6.2.2)")
        if head and playlist.target != head[1]:
            problems.append(f"{playlist.name}: TARGETDURATION was {head[1]}, and is {playlist.target} (§ 4.4.3.1)")
        self.heads[playlist.name] = (playlist.sequence, playlist.target)
        for number, line in playlist.lines().items():
            before = self.lines.setdefault((playlist.name, number), line)
            if before != line:
                problems.append(f"{playlist.name}: {number} was {before}, and is {line} (§ 6.2.1)")
        # One that is not listed any more may come again as another one.
        before, now = self.ranges.get(playlist.name, {}), playlist.ranges
        for identifier in before.keys() & now.keys():
            both = before[identifier].keys() & now[identifier].keys()
            if any(before[identifier][name] != now[identifier][name] for name in both):
                problems.append(f"{playlist.name}: date range {identifier} said {before[identifier]}, "
                                f"and says {now[identifier]} (§ 4.4.5.1)")
        self.ranges[playlist.name] = now
        return problems
