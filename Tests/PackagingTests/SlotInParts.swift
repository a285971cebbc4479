import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing

@testable import Packaging
@testable import Segmenting

/// A slot of four seconds that is told in parts of four samples; its bytes depend on nothing but its number.
struct SlotInParts {
    static let video = CodecConfiguration.avc(SyntheticTracks.video)
    static let audio = CodecConfiguration.aac(SyntheticTracks.audio)

    /// The slot, with the number of its parts.
    let cut: CutSegment
    let parts: [ChannelEngine.PartDecision]

    /// B pictures, in order of decoding.
    private static let order: [Int64] = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 11, 10]
    private static let samplesPerPart = 4

    /// - Parameters:
    ///   - slot: The slot, counted from the epoch's.
    ///   - configuration: Of video or audio.
    ///   - isUniform: True if all samples have the same bytes.
    init(_ slot: Int64, _ configuration: CodecConfiguration = video, isUniform: Bool = false) {
        var generator = SeededGenerator(seed: UInt64(slot))
        let isVideo = configuration.kind == .video
        let timescale: Int64 = isVideo ? 90_000 : 48_000
        let duration = 4 * timescale / Int64(Self.order.count)
        let start = Boundary(media: Epoch.at(slot * 4_000), utcOffset: MediaTime(seconds: 1))
        var cut = CutSegment(
            number: MediaSequenceNumber(Epoch.slot.value + slot),
            start: start,
            end: Boundary(media: Epoch.at(slot * 4_000 + 4_000), utcOffset: MediaTime(seconds: 1)),
            timescale: timescale,
            decodeTime: start.media.value(timescale: timescale),
            duration: 4 * timescale,
            samples: Self.order.enumerated().map { index, shown in
                FragmentSample(
                    duration: UInt32(duration),
                    compositionOffset: isVideo ? Int32((shown - Int64(index)) * duration) : 0,
                    isSync: !isVideo || index == 0,
                    payload: ByteBuffer(bytes: isUniform ? [UInt8](repeating: 7, count: 700) : generator.bytes(700)),
                    subsamples: isVideo
                        ? [Subsample(clearBytes: 30, protectedBytes: 670)]
                        : []
                )
            },
            configuration: configuration
        )
        let count = cut.samples.count / Self.samplesPerPart
        parts = (0..<count).map { index in
            let first = index * Self.samplesPerPart
            return ChannelEngine.PartDecision(
                id: "rendition",
                form: Self.form(configuration.kind),
                index: index,
                contents: SegmentContents(cut.slice(first..<first + Self.samplesPerPart)),
                startsDiscontinuity: slot == 0 && index == 0
            )
        }
        cut.partCount = count
        self.cut = cut
    }

    static func form(_ kind: MediaKind) -> SegmentForm { SegmentForm(kind: kind, format: .fragmentedMP4) }
}

/// The encryption of samples.
enum SampleMethod: CaseIterable {
    case none, pattern, counter

    static func schedule(secret first: UInt8 = 1, slotsPerPeriod: Int64? = nil) throws -> KeySchedule {
        let secret = try #require(MasterSecret(Array(first...first + 31)))
        return KeySchedule(secret: secret, channel: "live", slotsPerPeriod: slotsPerPeriod)
    }

    func encryption(slotsPerPeriod: Int64? = nil) throws -> ChannelEncryption {
        switch self {
        case .none: .none
        case .pattern: .sampleAES(try Self.schedule(slotsPerPeriod: slotsPerPeriod))
        case .counter: .sampleAESCounterMode(try Self.schedule(slotsPerPeriod: slotsPerPeriod))
        }
    }

    func packager(_ kind: MediaKind = .video, slotsPerPeriod: Int64? = nil) throws -> KeyedPackager {
        let encryption = try encryption(slotsPerPeriod: slotsPerPeriod)
        return KeyedPackager(SlotInParts.form(kind), id: "rendition", encryption: encryption)
    }
}

extension PublishedPart {
    /// The bytes of a part with media.
    var bytes: ByteBuffer {
        get throws {
            guard case .media(let bytes) = content else { throw SegmentMuxerError.lacksParts }
            return bytes
        }
    }
}
