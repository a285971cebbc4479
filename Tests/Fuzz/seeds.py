"""Makes what the fuzzers begin with, small and of real media: Tests/Fuzz/Corpus/READER/*. Run it once for a new reader."""
import base64
import json
import struct
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

CORPUS = Path(__file__).parent / "Corpus"
VIDEO = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2"]
AUDIO = ["-f", "lavfi", "-i", "sine=440:r=48000:d=0.12"]


def ffmpeg(*arguments):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments, file.name], check=True)
        return Path(file.name).read_bytes()


def write(reader, name, data):
    directory = CORPUS / reader
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(data)


def chunks(header, *packets):
    """A codec header and packets as the readers of codecs take them: each behind its length."""
    return b"".join(struct.pack(">H", len(chunk)) + chunk for chunk in (header, *packets) if len(chunk) < 65536)


def box(data, *path):
    """The payload of a box."""
    for name in path:
        place = data.index(name)
        size = struct.unpack(">I", data[place - 4 : place])[0]
        data = data[place + 4 : place - 4 + size]
    return data


def codecs():
    x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-flags", "+cgop", "-f", "h264"]
    write("h264", "x264", chunks(b"", ffmpeg(*VIDEO, *x264)))
    interlaced = ["-flags", "+ildct+ilme", "-x264-params", "tff=1:pic-struct=1:nal-hrd=vbr"]
    rate = ["-b:v", "50k", "-maxrate", "50k", "-bufsize", "50k"]
    write("h264", "interlaced", chunks(b"", ffmpeg(*VIDEO, *interlaced, *rate, *x264)))
    x265 = ["-c:v", "libx265", "-preset", "ultrafast",
            "-x265-params", "log-level=error:hrd=1:vbv-maxrate=99:vbv-bufsize=99", "-f", "hevc"]
    write("hevc", "x265", chunks(b"", ffmpeg(*VIDEO, *x265)))
    write("av1", "aom", chunks(b"", ffmpeg(*VIDEO, "-c:v", "libaom-av1", "-cpu-used", "8", "-f", "obu")))
    write("aac", "adts", chunks(b"", ffmpeg(*AUDIO, "-c:a", "aac", "-f", "adts")))
    write("aac", "raw", chunks(bytes.fromhex("1190"), bytes.fromhex("210049900219002380")))
    write("ac3", "ac3", chunks(b"", ffmpeg(*AUDIO, "-c:a", "ac3", "-f", "ac3")))
    write("ac3", "eac3", chunks(b"", ffmpeg(*AUDIO, "-c:a", "eac3", "-f", "eac3")))
    write("mpegAudio", "mp2", chunks(b"", ffmpeg(*AUDIO, "-c:a", "mp2", "-f", "mp2")))
    write("mpegAudio", "mp3", chunks(b"", ffmpeg(*AUDIO, "-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3")))
    flac = ffmpeg(*AUDIO, "-c:a", "flac", "-f", "flac")
    start = flac.index(b"\xff\xf8", 42)
    write("flac", "flac", chunks(flac[8:42], flac[start : start + 4000]))
    alac = ffmpeg(*AUDIO, "-c:a", "alac", "-movflags", "+empty_moov+frag_every_frame", "-f", "mp4")
    place = alac.rindex(b"alac") - 4
    write("alac", "alac", chunks(alac[place : place + 36], box(alac[alac.index(b"mdat") - 4 :], b"mdat")[:4000]))
    opus = ffmpeg(*AUDIO, "-c:a", "libopus", "-f", "ogg")
    head = opus.index(b"OpusHead")
    write("opus", "opus", chunks(opus[head : head + 19], opus[-200:]))


def containers():
    both = [*VIDEO, *AUDIO, "-c:v", "libx264", "-preset", "ultrafast", "-g", "3", "-c:a", "aac"]
    movie = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]
    fragments = ffmpeg(*both, *movie, "-f", "mp4")
    write("boxes", "fragments", fragments)
    protected = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "0" * 32, "-encryption_kid", "1" * 32]
    write("boxes", "protected", ffmpeg(*both, *protected, "-f", "mp4"))
    stream = ffmpeg(*both, "-f", "mpegts")
    write("transportStream", "both", stream)
    write("packedAudio", "id3", b"ID3\4\0\0\0\0\0\x3fPRIV\0\0\0\x35\0\0com.apple.streaming.transportStreamTimestamp\0" + bytes(8))
    for name, kind in ("mpegts", "mpegts"), ("flv", "flv"), ("mp4", "mp4"), ("matroska", "mkv"):
        write("feed", kind, ffmpeg(*both, "-f", name))
    write("feed", "audio.ts", ffmpeg(*AUDIO, "-c:a", "mp2", "-f", "mpegts"))
    write("feed", "hevc.ts", ffmpeg(*VIDEO, *AUDIO, "-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "ac3", "-f", "mpegts"))
    write("feed", "mp3", ffmpeg(*AUDIO, "-c:a", "libmp3lame", "-f", "mp3"))


def texts(state):
    """What the program itself writes; `state` is a state directory that it has left."""
    media = """#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:6
#EXT-X-MEDIA-SEQUENCE:448812000
#EXT-X-DISCONTINUITY-SEQUENCE:1
#EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/1",IV=0x00000000000000000000000000000001,KEYFORMAT="identity"
#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
#EXT-X-PROGRAM-DATE-TIME:2026-11-22T07:38:38.000Z
#EXTINF:4.00000,
a/1.m4s
#EXT-X-DISCONTINUITY
#EXT-X-GAP
#EXT-X-BYTERANGE:100@5
#EXTINF:4,t
a/2.m4s
#EXT-X-ENDLIST
"""
    multivariant = """#EXTM3U
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=900,CODECS="avc1.64001e",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="a"
v.m3u8
"""
    write("playlist", "media", media.encode())
    write("playlist", "multivariant", multivariant.encode())
    defined = '#EXT-X-DEFINE:NAME="a",VALUE="k"\n#EXT-X-DEFINE:IMPORT="b"\n#EXT-X-DEFINE:QUERYPARAM="c"\n'
    defined += '#EXT-X-KEY:METHOD=AES-128,URI="{$a}/{$b}?c={$c}"\n{$a}.m4s\n'
    write("playlist", "variables", media.replace("#EXT-X-GAP\n", defined).encode())
    write("configuration", "all", (CORPUS.parents[2] / "Config/packager.yaml").read_bytes())
    write("request", "get", b"/live/video-1080p/448812000.m4s?a=%20b\nbytes=0-1,5-\ngzip;q=0.5, br, *;q=0\nW/\"0123\", \"x\"\n")
    for file in sorted(Path(state).rglob("journal-*")) if state else []:
        write("journal", file.name, file.read_bytes().rstrip(b"\0"))
    for file in sorted(Path(state).rglob("window.json")) if state else []:
        write("peer", "window", file.read_bytes())


def words_of_feeds():
    def odd(code):
        return code | (0 if bin(code).count("1") % 2 else 0x80)

    line21 = [(0x14, 0x20), (0x14, 0x20), (0x14, 0x74), (0x11, 0x2E), (0x48, 0x69), (0x13, 0x30), (0x14, 0x2F), (0x14, 0x25),
              (0x14, 0x2D), (0x41, 0x42), (0x14, 0x2D), (0x14, 0x29), (0x43, 0x44), (0x17, 0x22), (0x14, 0x21), (0x14, 0x2C)]
    write("captions", "line21", b"".join(bytes([field, odd(one), odd(other)]) for field in (0, 1) for one, other in line21))
    block = bytes([0x98, 0x18, 0xDA, 50, 0x71, 31, 0x11]) + b"Hi\r\x18\x30\x42" + bytes(
        [0x90, 0, 0x80, 0x91, 0x3C, 0, 0, 0x89, 1, 0x8D, 1, 0x8E])
    packet = bytes([0x40 | (len(block) + 2) // 2 + 1, 1 << 5 | len(block)]) + block + b"\0"
    write("captions", "service", b"".join(
        bytes([3 if place == 0 else 2]) + packet[place:place + 2].ljust(2, b"\0") for place in range(0, len(packet), 2)))
    write("cueText", "ass", b"{\\an8}{\\c&H00FFFF&}one\\N{\\i1}two{\\i0}\\h & <three>{\\r}")
    payload = struct.pack(">I", 18) + b"sttgline:0 end" + struct.pack(">I", 10) + b"paylHi"
    write("cueText", "boxes", struct.pack(">I", 8) + b"vtte" + struct.pack(">I", 8 + len(payload)) + b"vttc" + payload)
    lines = "1\n00:00:00,000 --> 00:00:00,100\nHello <i>there</i>\n\n2\n00:00:00,100 --> 00:00:00,200\nand here\n"
    x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "3"]
    with tempfile.NamedTemporaryFile(suffix=".srt") as file:
        Path(file.name).write_text(lines)
        both = [*VIDEO, "-i", file.name, "-map", "0", "-map", "1", *x264]
        write("feed", "text.mkv", ffmpeg(*both, "-c:s", "srt", "-f", "matroska"))
        write("feed", "text.mp4", ffmpeg(*both, "-c:s", "mov_text", "-movflags", "+frag_keyframe+empty_moov", "-f", "mp4"))
    scripts = CORPUS.parents[1] / "EndToEndTests/Text"
    teletext = [sys.executable, scripts / "teletext.py", "--page", "150:ger", "--page", "888:eng"]
    video = ffmpeg(*VIDEO, *x264, "-f", "mpegts")
    write("feed", "teletext.ts", subprocess.run(teletext, input=video, capture_output=True, check=True).stdout)


def advertisements():
    write("vast", "pod", """<VAST version="4.2" xmlns="http://www.iab.com/VAST">
<Ad id="a" sequence="1"><InLine><Creatives><Creative sequence="1"><Linear skipoffset="00:00:05"><Duration>00:00:15.5</Duration>
<MediaFiles><MediaFile type="application/x-mpegURL"><![CDATA[ https://ads.example.com/a.m3u8 ]]></MediaFile></MediaFiles>
</Linear></Creative></Creatives></InLine></Ad>
<Ad sequence="2"><Wrapper><VASTAdTagURI>https://ads.example.com/b</VASTAdTagURI></Wrapper></Ad></VAST>
""".encode())
    assets = [{"URI": "https://ads.example.com/a.m3u8", "DURATION": 15.5}, {"URI": "https://ads.example.com/b.m3u8", "DURATION": 10}]
    write("assetList", "two", json.dumps({"ASSETS": assets, "SKIP-CONTROL": {"OFFSET": 5, "DURATION": 3, "LABEL-ID": "skip"}}).encode())


def subtitles():
    write("schedule", "all", json.dumps({"actions": [
        {"accepted": 1, "effective": 2, "language": "en", "cues": [{"start": 3, "end": 4, "payload": "\na"}]},
        {"accepted": 1, "effective": 2, "range": 'ID="a",CLASS="c",START-DATE="2026-11-23T08:00:00Z",X-A=1.5',
         "announcement": 5},
        {"accepted": 2, "effective": 3, "update": 'ID="a",START-DATE="2026-11-23T08:00:00Z",X-B=0x0A'},
        {"accepted": 3, "effective": 4, "withdrawal": "b", "start": 9},
        {"accepted": 4, "effective": 5, "splice": "/DAgAAAAAAAAAP/wDwUAAAAHf//+AAAAAAAAAAAAAA==", "time": 6},
        {"accepted": 5, "effective": 6, "metadata": "SUQzBAAAAAAAAwECAw==", "time": 7},
    ]}).encode())
    write("webVTT", "all", """WEBVTT - title
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0

STYLE
::cue(.a) { color: red }

REGION
id:r lines:3

NOTE nobody reads this

1
00:01.000 --> 00:02.500 line:0 region:r align:start
<c.yellow.a>One</c> &amp; <i>two</i>
<v Anna>three

00:00:02.000 --> 100:00:03.000
<00:00:02.500>four &#x41;
""".encode())
    write("ttml", "ebu", """<?xml version="1.0" encoding="UTF-8"?>
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="de"
 xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="media" ttp:frameRate="25" ttp:tickRate="10000">
<tt:head><tt:styling><tt:style xml:id="y" tts:color="#FFFF00FF"/><tt:style xml:id="b" style="y" tts:fontWeight="bold"/>
</tt:styling><tt:layout><tt:region xml:id="t" tts:displayAlign="before" tts:textAlign="center"/></tt:layout></tt:head>
<tt:body><tt:div begin="10s"><tt:p region="t" begin="00:00:01.500" end="00:00:03:05"><tt:span style="b">A &amp;
B</tt:span><tt:br/>C</tt:p><tt:p begin="5s" dur="20000t"><tt:span begin="0.5s" end="1s">D</tt:span></tt:p></tt:div></tt:body>
</tt:tt>
""".encode())


def splices():
    """Sections of SCTE-35, and the date ranges that playlists make of them."""
    insert = "FC302F000000000000FFFFF014054800008F7FEFFE7369C02EFE0052CCF500000000000A0008435545490000013562DBA30A"
    segmentation = (
        "FC3034000000000000FFFFF00506FE72BD0050001E021C435545494800008E7FCF0001A599B00808000000002CA0A18A3402009AC9D17E"
    )
    write("splice", "insert", bytes.fromhex(insert))
    write("splice", "segmentation", bytes.fromhex(segmentation))
    start = 'ID="a",START-DATE="2026-11-22T07:38:38.000Z"'
    ranges = f"""#EXTM3U
#EXT-X-TARGETDURATION:6
#EXT-X-DATERANGE:{start},PLANNED-DURATION=60.000,SCTE35-OUT=0x{insert}
#EXT-X-PROGRAM-DATE-TIME:2026-11-22T07:38:38.000Z
#EXTINF:4,
1.ts
#EXT-X-DATERANGE:{start},DURATION=59.5,SCTE35-IN=0x{insert}
#EXT-X-DATERANGE:ID="b",CLASS="c",START-DATE="2026-11-22T07:38:39+01:00",CUE="PRE,ONCE",END-ON-NEXT=YES,X-A=-1.5,X-B=0xAF
"""
    write("playlist", "ranges", ranges.encode())


def requests_for_keys():
    tests = CORPUS.parents[1]
    for version, credentials in (("1", "1024"), ("2", "2048"), ("3", "2048")):
        certificate = tests / f"FairPlaySupport/Credentials/{credentials}.cer"
        command = [sys.executable, tests / "FairPlayTests/device.py", "make", version, certificate]
        command.append(f"provisioning data of {credentials}")
        made = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        write("spc", f"version-{version}", bytes.fromhex(made["spc"]))
        write("spc", f"payload-{version}", bytes.fromhex(made["payload"]))


def licences():
    """Made of the SPCs of `requests_for_keys`."""
    spc = (CORPUS / "spc" / "version-2").read_bytes()
    text = base64.b64encode(spc).decode()
    write("license", "clear-key", b'{"kids":["AAECAwQFBgcICQoLDA0ODw","EBESExQVFhcYGRobHB0eHw"],"type":"temporary"}')
    write("license", "octets", spc)
    write("license", "base64", text.encode())
    write("license", "form", f"assetId=live&spc={urllib.parse.quote(text, safe='')}".encode())
    items = [{"id": 1, "spc": text}, {"id": 2, "spc": "AAAA"}]
    write("license", "list", json.dumps({"fairplay-streaming-request": {"create-ckc": items}}).encode())


def publishers():
    """An encoder that publishes: handshake, commands, chunks of other sizes, tags of FLV in one message."""
    def text(value):
        return b"\2" + struct.pack(">H", len(value)) + value

    def number(value):
        return b"\0" + struct.pack(">d", value)

    def message(kind, payload, stream=0, chunk=3, time=0, size=128):
        parts = [payload[place : place + size] for place in range(0, len(payload), size)]
        head = bytes([chunk]) + time.to_bytes(3, "big") + len(payload).to_bytes(3, "big") + bytes([kind])
        return head + struct.pack("<I", stream) + bytes([0xC0 | chunk]).join(parts)

    application = b"\3\0\3app" + text(b"live") + b"\0\0\x09"
    data = bytes([3]) + bytes(2 * 1536)
    data += message(20, text(b"connect") + number(1) + application)
    data += message(20, text(b"releaseStream") + number(2) + b"\5" + text(b"key"))
    data += message(20, text(b"createStream") + number(3) + b"\5")
    data += message(20, text(b"publish") + number(4) + b"\5" + text(b"key") + text(b"live"), stream=1)
    data += message(1, struct.pack(">I", 64), chunk=2)
    metadata = text(b"@setDataFrame") + text(b"onMetaData") + b"\x08\0\0\0\1\0\x0cvideocodecid" + number(7) + b"\0\0\x09"
    data += message(18, metadata, stream=1, size=64)
    data += message(9, bytes([0x17, 0]) + bytes(150), stream=1, chunk=6, time=0xFFFFFE, size=64)
    data += bytes([0x86, 0, 0, 40]) + bytes(64) + b"\xc6" + bytes(64) + b"\xc6" + bytes(24)
    tag = bytes([8, 0, 0, 2, 0, 0, 100, 0, 0, 0, 0, 0xAF, 1, 0, 0, 0, 13])
    data += message(22, tag + tag, stream=1, chunk=4)
    data += message(20, text(b"deleteStream") + number(5) + b"\5" + number(1))
    write("rtmp", "encoder", data)

    def handshake(kind, extensions=b""):
        fields = struct.pack(">IHHIIIIII", 5, 0, 5, 1, 1500, 8192, kind, 77, 99)
        return struct.pack(">HHIII", 0x8000, 0, 0, 0, 0) + fields + bytes(16) + extensions

    stream = struct.pack(">HH", 5, 1) + b"\0yek"
    write("srt", "caller", chunks(
        handshake(1), handshake(1), handshake(0xFFFFFFFF, struct.pack(">HH", 1, 3) + bytes(12) + stream),
        handshake(0xFFFFFFFF), bytes(64), handshake(1010), struct.pack(">HHIII", 0x8005, 0, 0, 0, 0)
    ))


if __name__ == "__main__":
    codecs()
    containers()
    requests_for_keys()
    licences()
    subtitles()
    words_of_feeds()
    advertisements()
    splices()
    publishers()
    texts(sys.argv[1] if len(sys.argv) > 1 else None)
    print(json.dumps({reader.name: len(list(reader.iterdir())) for reader in sorted(CORPUS.iterdir())}))
