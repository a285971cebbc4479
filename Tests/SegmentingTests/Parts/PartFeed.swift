import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import Timeline

@testable import Segmenting

/// A channel that is told in parts of a second: a video with a standby, and audio with one; times are milliseconds after
/// an edge.
struct PartFeed {
    var segmenter: Segmenter
    private(set) var slots: [Slot] = []
    /// Each with when it was told.
    private(set) var parts: [(part: SlotPart, at: Int64)] = []
    private(set) var now: Int64 = 0
    /// The times without a source's pictures and audio.
    var holes: [(source: Int, range: Range<Int64>)] = []
    /// True if holes are those of pictures alone.
    var keepsAudio = false
    /// True if holes are those of audio alone.
    var keepsPictures = false
    /// From when on a source's pictures are coded otherwise.
    var changes: [Int: Int64] = [:]
    /// Milliseconds from key frame to key frame.
    var group: Int64 = 2_000
    /// The first key frame of a source and the distance of its key frames, where these differ from the others.
    var groups: [Int: (first: Int64, length: Int64)] = [:]
    /// True if all but one key frame are recovery points.
    var hasRecoveryPoints = false
    /// The time of that key frame.
    var onlyKeyFrame: Int64 = 0
    /// The places where a key frame is missing.
    var missingKeyFrames: Set<Int64> = []
    /// True if headers say that all pictures last 40 ms.
    var declaresDurations = false
    /// The sample rate of audio, whose frames have 1024 samples.
    var sampleRate: Int64 = 48_000
    /// UTC minus media time.
    var utcOffset = MediaTime.zero
    /// The time that media takes to arrive.
    var latency: Int64 = 100
    /// The time that it takes in addition, by source.
    var delays: [Int64] = [0, 0]
    /// A sequence parameter set with 25 frames a second and fixed_frame_rate_flag.
    private static let fixedFrameRate: [UInt8] = [
        0x67, 0x42, 0xC0, 0x0C, 0xD9, 0x01, 0x41, 0x9F, 0x9F, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00,
        0x03, 0x03, 0x28, 0xF1, 0x42, 0xA4, 0x80,
    ]
    private var sentPictures: [Int64] = [0, 0]
    private var sentFrames: [Int64] = [0, 0]

    /// False for radio: then audio is its only track.
    private let hasVideo: Bool

    init(filler: LossFiller = .gap, duration: Int64 = 1_000, hasVideo: Bool = true) {
        self.hasVideo = hasVideo
        segmenter = Segmenter(
            grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
            failback: MediaTime(seconds: 8),
            filler: filler,
            horizon: .part(duration: MediaTime(milliseconds: duration))
        )
        if hasVideo { segmenter.addTrack(.video, sourceCount: 2) }
        segmenter.addTrack(.audio, sourceCount: 2)
    }

    /// Makes another run, which continues after a slot of an earlier one that told parts of the next.
    ///
    /// - Parameters:
    ///   - before: The earlier run.
    ///   - slot: The newest slot that it has published.
    ///   - now: The time at which this one begins.
    ///   - first: The first media that it hears: if it lies before `now`, that comes at once.
    init(resuming before: PartFeed, after slot: Int64, at now: Int64, hearing first: Int64) {
        self.init()
        let last = before.slot(slot)
        segmenter.resume(
            after: MediaSequenceNumber(Epoch.slot.value + slot),
            ends: (last?.segments ?? []).compactMap { $0.map(SegmentEnd.init(of:)) }
        )
        for track in 0..<2 {
            segmenter.resume([before.told(slot + 1, track: track)].compactMap(\.self), track: TrackIndex(track))
        }
        self.now = now
        sentPictures = [first / 40 * 40, first / 40 * 40]
        sentFrames = [(first * 3 + 63) / 64, (first * 3 + 63) / 64]
    }

    /// The parts of a track's slot as the next run hears of them; nil if there are none.
    func told(_ slot: Int64, track: Int) -> PublishedWindow.OpenSlotParts? {
        let cuts = parts.map(\.part)
            .filter { $0.track.value == track && $0.cut.number.value == Epoch.slot.value + slot }
            .map(\.cut)
        guard let number = cuts.first?.number else { return nil }
        return PublishedWindow.OpenSlotParts(
            number: number,
            durations: cuts.map { SegmentDuration(value: $0.duration, timescale: $0.timescale) },
            mediaCount: cuts.prefix { !$0.isGap }.count
        )
    }

    mutating func run(to end: Int64) {
        while now < end {
            now += 20
            while hasVideo, let source = next(sentPictures) {
                let time = sentPictures[source]
                if keepsPictures || !isMissing(time, source) { sendPicture(time, source) }
                sentPictures[source] += 40
            }
            while let source = next(sentFrames.map(frameStart)) {
                let time = frameStart(sentFrames[source])
                if keepsAudio || !isMissing(time, source) { sendFrame(time, source) }
                sentFrames[source] += 1
            }
            note(segmenter.timeAdvanced(to: Epoch.at(now)))
        }
    }

    /// Returns the source whose next sample, at one of these times, comes first; nil if none has come by now.
    private func next(_ times: [Int64]) -> Int? {
        times.indices.filter { times[$0] <= now - latency - delays[$0] }.min { times[$0] < times[$1] }
    }

    /// Returns the start of a frame of audio, in whole milliseconds.
    private func frameStart(_ index: Int64) -> Int64 { index * 1_024_000 / sampleRate }

    /// Lets time go by at once, as after a standstill of the machine; nothing comes meanwhile.
    mutating func standStill(until end: Int64) {
        now = end
        note(segmenter.timeAdvanced(to: Epoch.at(now)))
    }

    private func isMissing(_ time: Int64, _ source: Int) -> Bool {
        holes.contains { $0.source == source && $0.range.contains(time) }
    }

    private mutating func sendPicture(_ time: Int64, _ source: Int) {
        let (first, length) = groups[source] ?? (0, group)
        let isOnly = hasRecoveryPoints && time == onlyKeyFrame
        let begins = isOnly || time >= first && (time - first) % length == 0 && !missingKeyFrames.contains(time)
        let isRecoveryPoint = begins && hasRecoveryPoints && !isOnly
        var configuration = SyntheticTracks.video
        if let change = changes[source], time >= change { configuration.level = 31 }
        if declaresDurations { configuration.sequenceParameterSets = [Self.fixedFrameRate] }
        send(
            Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(time),
                isSync: begins && !isRecoveryPoint,
                isRecoveryPoint: isRecoveryPoint,
                payload: ByteBuffer(integer: time * 2 + Int64(source))
            ),
            0,
            source,
            .avc(configuration)
        )
    }

    private mutating func sendFrame(_ time: Int64, _ source: Int) {
        var configuration = SyntheticTracks.audio
        (configuration.coreSampleRate, configuration.outputSampleRate) = (Int(sampleRate), Int(sampleRate))
        send(
            Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(time),
                isSync: true,
                payload: ByteBuffer(integer: time * 2 + Int64(source))
            ),
            hasVideo ? 1 : 0,
            source,
            .aac(configuration)
        )
    }

    private mutating func send(_ sample: Sample, _ track: Int, _ source: Int, _ configuration: CodecConfiguration) {
        note(
            segmenter.received(
                sample,
                track: TrackIndex(track),
                source: SourceRank(source),
                configuration: configuration,
                utcOffset: utcOffset,
                arrival: Epoch.at(now)
            )
        )
    }

    private mutating func note(_ slots: [Slot]) {
        parts += segmenter.takeParts().map { ($0, now) }
        self.slots += slots
    }

    /// The parts of a track's slot: `0-1000 a sync` is the first source's from 0 to 1 s of the slot, with a key frame.
    func parts(of slot: Int64, track: Int = 0) -> [String] {
        let edge = Epoch.at(slot * 4_000)
        return parts.filter { $0.part.track.value == track && $0.part.cut.number.value == Epoch.slot.value + slot }.map
        {
            part,
            _ in
            let (cut, from) = (part.cut, (part.cut.start.utc - edge).milliseconds)
            let range = "\(from)-\((cut.end.utc - edge).milliseconds)"
            guard let first = cut.samples.first else { return "\(range) gap" }
            let source = first.payload.getInteger(at: first.payload.readerIndex, as: Int64.self) ?? 0
            let name = cut.filler.map { "\($0)" } ?? (source % 2 == 0 ? "a" : "b")
            return "\(range) \(name)\(track == 0 && cut.samples.contains(where: \.isSync) ? " sync" : "")"
        }
    }

    /// Returns the delay of each part after its end, in milliseconds, from a slot on.
    func delays(from slot: Int64) -> [Int64] {
        parts.filter { $0.part.cut.number.value >= Epoch.slot.value + slot }
            .map { $0.at - ($0.part.cut.end.utc - Epoch.at(0)).milliseconds }
    }

    func slot(_ number: Int64) -> Slot? { slots.first { $0.number.value == Epoch.slot.value + number } }
}
