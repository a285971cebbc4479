import ISOBMFF
import MediaCore
import NIOCore
import SCTE35
import SegmentingSupport
import TestSupport

@testable import Codecs
@testable import Segmenting

/// An encoder whose packets are few and little more than their times: a picture in 0.8 s, a key frame in four, audio, and
/// now and then a subtitle.
///
/// Its timestamps are UTC modulo 2^33, so that a day has a wrap.
struct EngineEncoder {
    let input: InputID
    /// The time that its packets take to arrive.
    var latency: MediaTime
    /// The index of the codec configuration of its pictures, of two.
    var variant = 0
    var hasVideo = true
    var hasAudio = true
    var hasText = false
    /// True if its first video is HEVC, and not H.264.
    var isHEVC = false
    /// True if it has a second audio track, in German.
    var hasGerman = false
    /// Pictures of further videos, which begin with those of the first.
    var rungs: [PictureFormat] = []
    /// The pictures by which its key frames come later than those of others.
    var lag: Int64 = 0
    /// The error of its timestamps.
    var offset: Int64 = 0
    private var nextPicture: Int64 = 0
    private var nextFrame: Int64 = 0
    private var nextCue: Int64 = 0

    static let modulus = Int64(1) << 33
    private static let german: InputTrackIndex = 9
    private static let pictureInterval: Int64 = 72_000
    private static let picturesPerGroup: Int64 = 5
    /// PCM samples.
    private static let frameLength: Int64 = 19_200
    /// Half a minute, so that most slots have no cue.
    private static let cueInterval: Int64 = 2_700_000

    /// Every so many pictures the programme is spliced, which is told so many before.
    static let (picturesPerSplice, warning) = (Int64(97), Int64(8))

    struct Packet {
        var packet: ReadPacket
        var arrival: MediaTime
        /// The splice messages that come with it.
        var splices: [SpliceMessage] = []
        /// The tags that come with it, with their timestamps.
        var tags: [(timestamp: Int64, bytes: ByteBuffer)] = []
    }

    init(_ input: InputID, latency: MediaTime, from start: MediaTime) {
        self.input = input
        self.latency = latency
        nextPicture = start.ticks / Self.pictureInterval
        nextFrame = start.value(timescale: 48_000) / Self.frameLength
        nextCue = start.ticks / Self.cueInterval
    }

    var tracks: [InputTrack] {
        let video = InputTrack(index: 0, kind: .video, codec: isHEVC ? .hevc : .h264, frameRate: Ratio(5, 4))
        let audio = InputTrack(index: 1, kind: .audio, codec: .aac, header: [0x11, 0x90])
        let german = InputTrack(
            index: Self.german,
            kind: .audio,
            codec: .aac,
            header: [0x11, 0x90],
            language: "de"
        )
        let text = InputTrack(index: 2, kind: .text(.imsc1), codec: .text(.imsc1), language: "en")
        let others = rungs.indices.map { place in
            InputTrack(index: InputTrackIndex(3 + place), kind: .video, codec: .h264, frameRate: Ratio(5, 4))
        }
        return (hasVideo ? [video] : []) + (hasAudio ? [audio] : []) + (hasText ? [text] : []) + others
            + (hasGerman ? [german] : [])
    }

    /// Returns the packets that it has made until then and not given yet.
    mutating func packets(until now: MediaTime) -> [Packet] {
        var packets: [Packet] = []
        while nextPicture * Self.pictureInterval <= now.ticks {
            if hasVideo { packets.append(picture(nextPicture)) }
            packets += rungs.enumerated().map { picture(nextPicture, track: 3 + $0, $1) }
            nextPicture += 1
        }
        while MediaTime(nextFrame * Self.frameLength, timescale: 48_000) <= now {
            if hasAudio { packets.append(frame(nextFrame, track: 1)) }
            if hasGerman { packets.append(frame(nextFrame, track: Self.german)) }
            nextFrame += 1
        }
        while nextCue * Self.cueInterval <= now.ticks {
            if hasText { packets.append(cue(nextCue)) }
            nextCue += 1
        }
        return packets.sorted { $0.arrival < $1.arrival }
    }

    private static func isSpliced(_ number: Int64) -> Bool { number % picturesPerSplice == 0 }

    /// Returns true if a splice is at that time, if timestamps are UTC.
    static func isSplice(_ time: MediaTime) -> Bool {
        time.ticks % pictureInterval == 0 && isSpliced(time.ticks / pictureInterval)
    }

    private func picture(_ number: Int64, track: Int = 0, _ format: PictureFormat? = nil) -> Packet {
        let time = MediaTime(ticks: number * Self.pictureInterval)
        var configuration = SyntheticTracks.video
        configuration.level = variant == 0 ? 30 : 31
        if let format { configuration.picture = format }
        let isSync = number % Self.picturesPerGroup == lag || Self.isSpliced(number)
        let coded = track == 0 && isHEVC ? CodecConfiguration.hevc(Self.hevc) : .avc(configuration)
        var made = packet(
            InputTrackIndex(track),
            time,
            isSync: isSync,
            payload: number,
            configuration: coded
        )
        if track == 0, let timestamp = made.packet.info.presentationTimestamp {
            // Each is told twice.
            for ahead in [Self.warning, Self.warning - 2] where Self.isSpliced(number + ahead) {
                let splice = (timestamp + ahead * Self.pictureInterval) % Self.modulus
                let message = Self.message((number + ahead) / Self.picturesPerSplice, at: UInt64(splice))
                if let message { made.splices.append(message) }
            }
            // Every third has a tag, which comes up to two pictures later.
            let (tagged, lateness) = (number - number % 3, number % 3)
            if tagged % 9 == lateness * 3 {
                let tag = timestamp - lateness * Self.pictureInterval + Self.modulus
                made.tags.append((tag % Self.modulus, ByteBuffer(integer: tagged)))
            }
        }
        return made
    }

    /// Ways out and back in turn; the numbers of events come again, and some breaks end by themselves.
    private static func message(_ index: Int64, at time: UInt64) -> SpliceMessage? {
        let (event, isOut) = (UInt32(index / 2 % 5), index.isMultiple(of: 2))
        let length = UInt64(picturesPerSplice * pictureInterval)
        let section: SpliceInfoSection
        switch event {
        case 0:
            let type: SegmentationType = isOut ? .providerPlacementOpportunityStart : .providerPlacementOpportunityEnd
            let details = SegmentationDescriptor.Details(type: type, duration: isOut ? length : nil)
            let descriptor = SegmentationDescriptor(eventID: event, details: details)
            section = SpliceInfoSection(.timeSignal(time), [.segmentation(descriptor)])
        case 1 where !isOut: return nil
        default:
            let duration = BreakDuration(ticks: length, returnsByItself: event == 1)
            let details = SpliceInsert.Details(isOut: isOut, place: .program(time), duration: isOut ? duration : nil)
            section = SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
        }
        guard let bytes = try? section.bytes() else { return nil }
        return try? SpliceMessage(reading: bytes.span.bytes)
    }

    private static let hevc = HEVCConfiguration(
        videoParameterSets: [],
        sequenceParameterSets: [],
        pictureParameterSets: [],
        profileTierLevel: .init(profile: 1, compatibilityFlags: 0x6000_0000, constraintFlags: 0, level: 90),
        picture: SyntheticTracks.video.picture
    )

    private func frame(_ number: Int64, track: InputTrackIndex) -> Packet {
        let time = MediaTime(number * Self.frameLength, timescale: 48_000)
        let configuration = CodecConfiguration.aac(SyntheticTracks.audio)
        return packet(
            track,
            time,
            isSync: true,
            payload: number,
            length: Int(Self.frameLength),
            configuration: configuration
        )
    }

    /// Twelve seconds long: some span three slots.
    private func cue(_ number: Int64) -> Packet {
        let time = MediaTime(ticks: number * Self.cueInterval)
        return packet(
            2,
            time,
            isSync: true,
            payload: number,
            cueDuration: MediaTime(seconds: 12),
            configuration: .text(.imsc1)
        )
    }

    private func packet(
        _ track: InputTrackIndex,
        _ time: MediaTime,
        isSync: Bool,
        payload: Int64,
        length: Int = 0,
        cueDuration: MediaTime? = nil,
        configuration: CodecConfiguration
    ) -> Packet {
        let timestamp = (time.ticks + offset) % Self.modulus
        let unit = TrackReader.Unit(
            payload: ByteBuffer(integer: payload),
            isSync: isSync,
            audioLength: length,
            cueDuration: cueDuration,
            configuration: configuration
        )
        let info = PacketInfo(
            trackIndex: track,
            presentationTimestamp: timestamp,
            decodeTimestamp: timestamp
        )
        return Packet(packet: ReadPacket(info: info, content: .units([unit])), arrival: time + latency)
    }
}
