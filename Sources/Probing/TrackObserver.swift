import Codecs
import MediaCore
import Timeline

/// Finds out about one track.
struct TrackObserver: Sendable {
    let track: InputTrack
    private var reader: TrackReader?
    private(set) var configuration: CodecConfiguration?
    private(set) var rates = RateWatch()
    private var groups = GroupWatch()
    private var captions = CaptionServices()
    private(set) var timecode: Timecode?
    private(set) var unreadable = 0
    private(set) var discontinuities = 0
    private(set) var missingTimestamps = 0
    private(set) var damaged = 0

    private let modulus: Int64?
    /// The newest unwrapped decode timestamp, and the steps so far.
    private(set) var decode: Int64?
    private var steps = (count: 0, total: Int64(0))

    init(_ track: InputTrack, modulus: Int64?) {
        self.track = track
        self.modulus = modulus
        reader = (try? TrackReader(track: track, wantsSubsamples: false, wantsTimecode: true)) ?? nil
    }

    /// - Returns: True if its timestamp continues from the one before.
    mutating func received(_ packet: PacketInfo, _ payload: RawSpan) -> Bool {
        if packet.isCorrupt { damaged += 1 }
        let isContinuous = place(packet)
        let units: [TrackReader.Unit]
        do {
            units = try reader?.read(packet, payload) ?? []
        } catch {
            unreadable += 1
            return isContinuous
        }
        if let decode { rates.received(byteCount: payload.byteCount, decode: decode) }
        for unit in units {
            configuration = unit.configuration
            captions.formUnion(CaptionServices(in: unit.captions))
            timecode = timecode ?? unit.timecode
            guard track.kind == .video, let decode, let timestamp = packet.presentationTimestamp else { continue }
            let ahead = Timestamps.distance(
                from: Timestamps.reduce(decode, modulus: modulus),
                to: timestamp,
                modulus: modulus
            )
            groups.received(unit, presentation: decode + ahead + unit.delay.ticks)
        }
        return isContinuous
    }

    /// The feed broke off.
    mutating func interrupted() {
        decode = nil
        groups.interrupted()
    }

    private mutating func place(_ packet: PacketInfo) -> Bool {
        guard let timestamp = packet.decodeTimestamp ?? packet.presentationTimestamp else {
            if track.kind == .video { missingTimestamps += 1 }
            return true
        }
        guard let before = decode else {
            decode = timestamp
            return true
        }
        let step = Timestamps.distance(
            from: Timestamps.reduce(before, modulus: modulus),
            to: timestamp,
            modulus: modulus
        )
        decode = before + step
        // Text comes when there is something to say.
        if track.kind.isSparse { return true }
        guard 0...MediaTime.timescale ~= step else {
            discontinuities += 1
            groups.interrupted()
            return false
        }
        if step > 0 { steps = (steps.count + 1, steps.total + step) }
        return true
    }

    /// Ticks of one picture or frame.
    private var step: Int64 { steps.count > 0 ? steps.total / Int64(steps.count) : 0 }

    /// The report of the track itself, without its rendition.
    var report: FeedReport.Track {
        var report = FeedReport.Track(index: track.index.value, kind: track.kind.description, codec: track.codec.word)
        report.program = track.program
        report.codecs = configuration?.rfc6381
        report.transcodedFrom = track.transcodedFrom?.value
        report.language = track.language
        report.service = track.service?.description
        report.rates = track.kind.isSparse ? nil : rates.report
        if let audio = configuration?.audio {
            report.sound = FeedReport.Track.Sound(
                sampleRate: audio.sampleRate,
                channels: audio.channels,
                isDescription: track.isAudioDescription
            )
        }
        if let configuration, let picture = configuration.picture {
            let declared = picture.frameRate ?? track.frameRate
            let measured = step > 0 ? Double(MediaTime.timescale) / Double(step) : nil
            report.picture = FeedReport.Track.Picture(
                width: picture.width,
                height: picture.height,
                frameRate: (declared.map { Double($0.numerator) / Double($0.denominator) } ?? measured)?.rounded(to: 3),
                scan: configuration.isInterlaced ? "interlaced" : "progressive",
                sampleAspectRatio: "\(picture.sampleAspectRatio.numerator):\(picture.sampleAspectRatio.denominator)",
                bitDepth: Int(picture.lumaBitDepth),
                profile: configuration.profileName,
                level: configuration.levelName,
                groups: groups.report(picture: step),
                bPictures: groups.mostBPictures,
                captions: captions.instreamIDs,
                timecode: timecode.map(\.label)
            )
        }
        return report
    }
}

extension FeedReport.Track {
    fileprivate init(index: Int, kind: String, codec: String) {
        self.index = index
        self.kind = kind
        self.codec = codec
    }
}

extension InputTrack.Codec {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .unsupported(let name): name
        default: "\(self)"
        }
    }
}

extension Timecode {
    /// The label as SMPTE ST 12-1 writes it: with a semicolon where labels are left out.
    fileprivate var label: String {
        let parts = [hours, minutes, seconds, frames].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts[..<3].joined(separator: ":") + (isDropFrame ? ";" : ":") + parts[3]
    }
}
