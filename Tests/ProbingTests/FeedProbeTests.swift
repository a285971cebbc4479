import Foundation
import MediaCore
import Operations
import TestSupport
import Testing

@testable import Probing

/// Reports on feeds that FFmpeg and GStreamer make, beside those of ffprobe.
@Suite(.timeLimit(.minutes(5))) struct FeedProbeTests {
    @Test func theSampleIsWhatFFprobeSays() async throws {
        let report = try await probe(Repository.feed)
        let pictures = try await ProbedPictures(Repository.feed)
        #expect(report.tracks.map(\.codec) == ["h264", "aac", "aac"])
        #expect(report.tracks.map(\.codecs) == ["avc1.64001e", "mp4a.40.2", "mp4a.40.2"])
        #expect(report.tracks.map(\.language) == [nil, "en", "de"])
        #expect(report.tracks.map(\.rendition) == ["video-360p", "audio-en", "audio-de"])
        let picture = try #require(report.tracks[0].picture)
        #expect((picture.width, picture.height, picture.frameRate) == (640, 360, 25))
        #expect(picture.bPictures == pictures.bPictures)
        #expect(picture.groups.count == pictures.distances.count)
        #expect(picture.groups.isRegular && !picture.groups.isOpen && picture.groups.pictures == 25)
        #expect(report.tracks[1].sound == .init(sampleRate: 48_000, channels: 2, isDescription: false))
        // The bytes of the file are those of its tracks, and some for the container.
        let rates = report.tracks.compactMap(\.rates).map(\.mean).reduce(0, +)
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: Repository.feed)[.size] as? Int
        )
        let share = Double(rates) / (Double(size) * 8 / 8)
        #expect(0.85..<1 ~= share)
        #expect(
            report.verdict
                == "It would be published as video-360p, audio-en and audio-de, and nothing is wrong with it."
        )
        #expect(report.timing.jitter == nil, "a file does not arrive")
    }

    /// The report agrees with ffprobe: `field_order`, `sample_aspect_ratio`, `pix_fmt`, `profile`, `level`.
    @Test(arguments: [
        (["-c:v", "libx264", "-x264-params", "tff=1"], "interlaced", "1:1", 8, "High", "2.1"),
        (["-vf", "setsar=16/11", "-c:v", "libx264"], "progressive", "16:11", 8, "High", "1.2"),
        (["-pix_fmt", "yuv420p10le", "-c:v", "libx264"], "progressive", "1:1", 10, "High 10", "1.2"),
        (
            ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:interlace=tff:keyint=50"],
            "interlaced", "1:1", 8,
            "Main", "2.0"
        ),
        (
            [
                "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:keyint=50",
            ], "progressive",
            "1:1", 10, "Main 10", "2.0"
        ),
    ])
    func howPicturesAreCodedIsSaid(
        encoder: [String],
        scan: String,
        aspect: String,
        bits: Int,
        profile: String,
        level: String
    ) async throws {
        try await withFeed(encoder + ["-g", "50"], seconds: 4) { path in
            let report = try await probe(path)
            let picture = try #require(report.tracks[0].picture)
            #expect(picture.scan == scan && picture.sampleAspectRatio == aspect && picture.bitDepth == bits)
            #expect(picture.profile == profile && picture.level == level)
            let line = "\(profile) level \(level), \(scan), SAR \(aspect), \(bits) bits"
            #expect(report.description.contains(line))
            #expect(
                report.advice.contains { $0.isFault && $0.text.hasPrefix("The video is coded as interlaced") }
                    == (scan == "interlaced")
            )
        }
    }

    /// The headers state the unit of the timestamps only.
    @Test func ofVariableFrameRateTheMeanIsSaid() async throws {
        let encoder = ["-c:v", "libx264", "-g", "50", "-enc_time_base", "1/90000", "-x264-params", "vfr-input=1"]
        try await withFeed(encoder, seconds: 4) { path in
            let report = try await probe(path)
            #expect(report.tracks[0].picture?.frameRate == 25)
            #expect(report.description.contains("320x180 at 25 a second"))
        }
    }

    @Test func audioInLATMIsSaidToBeLeftOut() async throws {
        let sound = ["-f", "lavfi", "-i", "sine=r=48000:d=4", "-c:a", "aac", "-mpegts_flags", "latm"]
        try await withFeed(sound + ["-c:v", "libx264", "-g", "50"], seconds: 4) { path in
            let report = try await probe(path)
            #expect(report.tracks.map(\.rendition) == ["video-180p", nil])
            let advice = "Track 1 (aac_latm) is left out: codec aac_latm is not supported."
            #expect(report.advice.contains { $0.isFault && $0.text == advice })
        }
    }

    @Test func irregularKeyFramesAreSeen() async throws {
        let encoder = [
            "-c:v", "libx264", "-bf", "0", "-force_key_frames", "0,0.6,2,3.12,6", "-g", "999", "-sc_threshold", "0",
        ]
        try await withFeed(encoder) { path in
            let distances = try await ProbedPictures(path).distances
            let report = try await probe(path)
            let picture = try #require(report.tracks[0].picture)
            #expect(picture.groups.count == distances.count)
            #expect(abs((picture.groups.shortest ?? 0) - (distances.min() ?? 9)) < 0.002)
            #expect(abs((picture.groups.longest ?? 0) - (distances.max() ?? 9)) < 0.002)
            #expect(!picture.groups.isRegular && picture.groups.pictures == nil && picture.bPictures == 0)
            #expect(report.advice.contains { $0.isFault && $0.text.hasPrefix("Key frames come irregularly") })
        }
    }

    @Test(arguments: [
        (["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=50:min-keyint=50:scenecut=0:bframes=3"], true),
        (["-c:v", "libx264", "-x264-params", "open-gop=0:keyint=50:min-keyint=50:scenecut=0:bframes=3"], false),
        (
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:open-gop=1:keyint=50:min-keyint=50:scenecut=0",
            ], true
        ),
        (
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:open-gop=0:keyint=50:min-keyint=50:scenecut=0",
            ], false
        ),
    ])
    func openGroupsAreToldFromClosedOnes(encoder: [String], isOpen: Bool) async throws {
        try await withFeed(encoder, seconds: 6) { path in
            let report = try await probe(path)
            let picture = try #require(report.tracks[0].picture)
            #expect(picture.groups.isOpen == isOpen)
            #expect(picture.groups.mean == 2 && picture.groups.isRegular)
            #expect(picture.bPictures == (try await ProbedPictures(path).bPictures))
            #expect(report.advice.contains { $0.text.hasPrefix("Groups of pictures are open") } == isOpen)
        }
    }

    @Test func aSegmentDurationThatFitsIsSaid() async throws {
        try await withFeed(["-c:v", "libx264", "-x264-params", "keyint=48:min-keyint=48:scenecut=0"]) { path in
            let advice = try await probe(path).advice
            #expect(advice.compactMap(\.setting) == ["segment-duration: 3.84", "part-duration: 0.96"])
        }
    }

    /// Parts of whole pictures that go into the distance of key frames, about a second long.
    @Test(arguments: [
        (50, "25", "1", "3"), (25, "25", "1", "3"), (30, "30", "1.2", "3.6"), (10, "30", "1.2", "3.6"),
        (1, "25", "1", "3"),
    ])
    func aPartDurationThatFitsIsSaid(group: Int, pictures: String, part: String, latency: String) async throws {
        let encoder = ["-c:v", "libx264", "-x264-params", "keyint=\(group):min-keyint=\(group):scenecut=0"]
        try await withFeed(encoder, seconds: 8) { path in
            let advice = try #require(try await probe(path).advice.first { $0.text.contains("LL-HLS") })
            #expect(advice.setting == "part-duration: \(part)" && !advice.isFault)
            #expect(
                advice.text.hasPrefix("Players could be about \(latency) s behind instead of 18: parts of \(pictures) ")
            )
        }
    }

    /// A tick more than the pictures last, so that as many fit in.
    @Test func aPartOfPicturesThatAreNoMillisecondsIsRoundedUp() async throws {
        let encoder = [
            "-vf", "fps=30000/1001", "-c:v", "libx264", "-x264-params", "keyint=60:min-keyint=60:scenecut=0",
        ]
        try await withFeed(encoder, seconds: 8) { path in
            let advice = try await probe(path).advice
            #expect(advice.compactMap(\.setting).contains("part-duration: 1.001"))
        }
    }

    @Test func keyFramesTooFarApartForLowLatencyAreSaid() async throws {
        try await withFeed(["-c:v", "libx264", "-x264-params", "keyint=100:min-keyint=100:scenecut=0"], seconds: 16) {
            path in
            let advice = try await probe(path).advice
            #expect(advice.compactMap(\.setting) == [])
            #expect(advice.contains { $0.text.hasSuffix("since players begin with one: these are 4 s apart.") })
        }
    }

    /// Longer segments would make players wait for what the encoder can change.
    @Test(arguments: [(125, "5"), (200, "8")])
    func keyFramesLaterThanSegmentsAreTheEncodersToChange(pictures: Int, distance: String) async throws {
        let groups = "keyint=\(pictures):min-keyint=\(pictures):scenecut=0"
        try await withFeed(["-c:v", "libx264", "-x264-params", groups], seconds: 18) { path in
            let advice = try await probe(path).advice
            #expect(advice.compactMap(\.setting) == [])
            #expect(
                advice.filter(\.isFault).map(\.text) == [
                    "Key frames are up to \(distance) s apart, but every segment of 4 s must begin with one: "
                        + "set the encoder to a key frame at least every 4 s, best every 2 s."
                ]
            )
        }
    }

    @Test func timestampsThatLeapAreCounted() async throws {
        let leap = ["-c:v", "libx264", "-g", "50", "-bf", "0", "-bsf:v", #"setts=ts=if(gt(N\,100)\,TS+900000\,TS)"#]
        try await withFeed(leap) { path in
            let report = try await probe(path)
            #expect(report.timing.discontinuities == 1)
            #expect(report.verdict.hasSuffix("but it arrives damaged."))
        }
    }

    @Test func whatCannotBePublishedIsSaid() async throws {
        try await withFeed(["-c:v", "mpeg2video"]) { path in
            let report = try await probe(path)
            #expect(!report.publication.isPossible)
            let reason = "MPEG-2 video is not an HLS codec; have the encoder send H.264 or HEVC"
            #expect(report.verdict == "It would not be published: \(reason).")
        }
        let report = try await probe("/nowhere.ts")
        #expect(report.verdict == "It would not be published: open: No such file or directory.")
    }

    /// The probe ends with the error, not with a report of what came meanwhile.
    @Test(arguments: ["udp://127.0.0.1:", "srt://127.0.0.1:?mode=listener", "rtmp://127.0.0.1:/live/key"])
    func aPortInUseEndsTheProbe(url: String) async throws {
        let port = Ports.free(datagram: !url.hasPrefix("rtmp"))
        let other = try HeldPort(port, isDatagram: !url.hasPrefix("rtmp"))
        let location = FeedLocation(url.replacing("127.0.0.1:", with: "127.0.0.1:\(port)"))
        await #expect(throws: ProbeError.addressInUse(port: "\(port)")) {
            try await FeedProbe(location, length: MediaTime(seconds: 60)).run(patience: MediaTime(seconds: 60))
        }
        #expect("\(ProbeError.addressInUse(port: "5000"))" == "port 5000 is in use by another program")
        other.close()
    }

    /// Sound without its pictures is nothing that anybody wants to hear of as published.
    @Test func videoThatIsLeftOutIsAFault() async throws {
        let sound = ["-f", "lavfi", "-i", "sine=440:r=48000:d=10"]
        try await withFeed(sound + ["-c:v", "mpeg2video", "-c:a", "aac"]) { path in
            let report = try await probe(path)
            #expect(report.publication.renditions == ["audio"])
            let reason = "MPEG-2 video is not an HLS codec; have the encoder send H.264 or HEVC"
            #expect(report.advice.filter(\.isFault).map(\.text) == ["Track 0 (mpeg2video) is left out: \(reason)."])
            #expect(report.verdict == "It would be published as audio, without its video.")
            #expect(!report.description.contains("nothing is wrong"))
        }
    }

    /// MP2 is encoded anew by default.
    @Test func mp2BecomesAAC() async throws {
        let sound = ["-f", "lavfi", "-i", "sine=440:r=48000:d=10"]
        try await withFeed(sound + ["-c:v", "libx264", "-g", "50", "-c:a", "mp2"]) { path in
            let report = try await probe(path)
            #expect(report.publication.renditions == ["video-180p", "audio"])
            #expect(report.tracks.last?.transcodedFrom == 1)
            #expect(report.advice.allSatisfy { !$0.isFault })
        }
    }

    @Test func whatGivesATrackALanguageIsSaid() async throws {
        let sounds = ["330", "440"].flatMap { ["-f", "lavfi", "-i", "sine=\($0):r=48000:d=10"] }
        let maps = ["-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0", "language=ger"]
        try await withFeed(sounds + maps + ["-c:v", "libx264", "-g", "50", "-c:a", "aac"]) { path in
            let report = try await probe(path)
            #expect(report.tracks.map(\.language) == [nil, "de", nil])
            let advice = try #require(report.advice.first { $0.setting?.hasPrefix("audio") == true })
            #expect(advice.setting == "audio: [{ language: de }, { language: en }]")
            #expect(advice.text == "Track 2 (audio) has no language, so playlists say und; this sets English.")
            #expect(!advice.isFault && report.verdict.hasSuffix("and nothing is wrong with it."))
        }
    }

    /// A page has its rendition also while nobody speaks.
    @Test(arguments: ["888:eng", "888:eng:2:"]) func teletextIsPublishedByDefault(page: String) async throws {
        try await withFeed(["-c:v", "libx264", "-g", "50"]) { path in
            let report = try await probe(Self.addTeletext("--page \(page)", to: path))
            #expect(report.publication.renditions == ["video-180p", "text-en"])
            let track = try #require(report.tracks.last)
            #expect(track.service == "teletext page 888" && track.rendition == "text-en" && track.leftOut == nil)
            #expect(report.description.contains("teletext page 888, en, becomes text-en"), "\(report)")
            #expect(report.advice.allSatisfy { !$0.isFault })
        }
    }

    @Test func teletextThatCannotBeReadIsSaid() async throws {
        try await withFeed(["-c:v", "libx264", "-g", "50", "-vf", "setpts=2*PTS", "-r", "25"]) { path in
            let report = try await probe(Self.addTeletext("--page 888:eng --damage 0 60", to: path))
            let advice = try #require(report.advice.first { $0.text.hasPrefix("Teletext") })
            #expect(
                advice.isFault
                    && advice.text
                        == "Teletext page 888 is there, but nothing readable has arrived: \(TeletextFault.damaged.reason)."
            )
        }
    }

    /// A feed beside another one, with pages of teletext.
    private static func addTeletext(_ arguments: String, to path: String) async throws -> String {
        let script = Repository.script("TransportStreams/teletext.py")
        try await Program.run("/bin/sh", ["-c", "python3 \(script) \(arguments) < \(path) > \(path).teletext.ts"])
        return "\(path).teletext.ts"
    }

    @Test func gstreamersSplicesAreCounted() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("splices.ts")
        let script = Repository.script("EndToEndTests/Splices/splices.py")
        try await Program.run("/usr/bin/python3", [script, path, "10", "1:4:7"])
        let report = try await probe(path)
        let splices = try #require(report.splices)
        #expect(splices.sections >= 2 && splices.unreadable == 0 && splices.unregisteredPIDs.isEmpty)
    }
}
