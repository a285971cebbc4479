import MediaCore
import NIOCore
import TestSupport

@testable import ISOBMFF
@testable import Inspection

/// A fragment of samples that are alike in some respects and differ in others.
struct RandomFragment {
    let samples: [FragmentSample]
    let fragment: MovieFragment

    init(using generator: inout SeededGenerator) {
        let (sameDuration, sameSize, hasOffsets) = (
            Bool.random(using: &generator), Bool.random(using: &generator), Bool.random(using: &generator)
        )
        let (syncInterval, hasSubsamples) = (Int.random(in: 1...12, using: &generator), Bool.random(using: &generator))
        samples = (0..<Int.random(in: 1...30, using: &generator)).map { index in
            let size = sameSize ? 17 : Int.random(in: 0...40, using: &generator)
            let subsamples = (0..<(hasSubsamples ? Int.random(in: 0...3, using: &generator) : 0)).map { _ in
                Subsample(
                    clearBytes: .random(in: 0...(.max), using: &generator),
                    protectedBytes: .random(in: 0...9, using: &generator)
                )
            }
            return FragmentSample(
                duration: sameDuration ? 1024 : .random(in: 0...(.max), using: &generator),
                compositionOffset: hasOffsets ? .random(in: .min...(.max), using: &generator) : 0,
                isSync: index % syncInterval == 0,
                payload: ByteBuffer(bytes: (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }),
                subsamples: subsamples
            )
        }
        let vectors = samples.map { _ in
            Bytes16(high: .random(in: 0...(.max), using: &generator), low: .random(in: 0...(.max), using: &generator))
        }
        fragment = MovieFragment(
            sequenceNumber: .random(in: 0...(.max), using: &generator),
            baseMediaDecodeTime: .random(in: 0...(1 << 48), using: &generator),
            samples: samples,
            encryption: [nil, .constantIV, .vectors(vectors)].randomElement(using: &generator) ?? nil,
            startsSegment: .random(using: &generator)
        )
    }

    /// The initialization section of a track that is encrypted as the fragment is.
    var initialization: ParsedInitialization {
        get throws {
            let encryption: TrackEncryption? =
                switch fragment.encryption {
                case nil: nil
                case .constantIV: Fixture.videoEncryption
                case .vectors: Fixture.counterEncryption
                }
            return try ParsedInitialization(
                InitializationSection(configuration: .avc(Fixture.avc), timescale: 90_000, encryption: encryption)
                    .encode()
            )
        }
    }
}
