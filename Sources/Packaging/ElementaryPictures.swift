import Codecs
import ContentProtection
import ISOBMFF
import MPEGTS
import MediaCore
import NIOCore
import Segmenting

/// Turns the pictures of a segment into access units of an elementary stream.
///
/// Each begins with a delimiter, and key frames have parameter sets.
struct ElementaryPictures {
    let kind: ElementaryStream.Kind
    private let delimiter: ByteBuffer
    private let syncPrefix: ByteBuffer

    /// Room for start codes and emulation prevention, which few pictures need more of.
    private static let encryptionOverhead = 64

    /// - Returns: Nil for a codec that transport streams do not carry.
    init?(_ configuration: CodecConfiguration) {
        switch configuration {
        case .avc(let avc):
            kind = .h264
            delimiter = ByteBuffer(bytes: avc.annexBPrefix(isSync: false))
            syncPrefix = ByteBuffer(bytes: avc.annexBPrefix(isSync: true))
        case .hevc(let hevc):
            kind = .hevc
            delimiter = ByteBuffer(bytes: hevc.annexBPrefix(isSync: false))
            syncPrefix = ByteBuffer(bytes: hevc.annexBPrefix(isSync: true))
        default:
            return nil
        }
    }

    /// Makes the access units of a segment.
    ///
    /// - Parameters:
    ///   - cut: The segment, with samples in ticks of 90 kHz.
    ///   - cipher: The cipher of slices; nil if they are not encrypted.
    /// - Returns: An access unit for each picture, in order of decoding.
    /// - Throws: ``SampleEncryptionError``.
    func accessUnits(of cut: CutSegment, _ cipher: TransportCipher?) throws -> [TransportAccessUnit] {
        let times = decodeTimes(of: cut)
        var time = cut.decodeTime
        var units: [TransportAccessUnit] = []
        units.reserveCapacity(cut.samples.count)
        for (sample, decodeTime) in zip(cut.samples, times) {
            var pieces = [sample.isSync ? syncPrefix : delimiter]
            if let cipher {
                var slices = ByteBuffer()
                slices.reserveCapacity(sample.payload.readableBytes + Self.encryptionOverhead)
                try cipher.encryptor.write(accessUnit: sample.payload, to: &slices)
                pieces.append(slices)
            } else {
                try sample.payload.appendAnnexB(to: &pieces)
            }
            units.append(
                TransportAccessUnit(
                    decodeTime: decodeTime,
                    presentationTime: time + Int64(sample.compositionOffset),
                    duration: Int64(sample.duration),
                    isRandomAccess: sample.isSync,
                    pieces: pieces
                )
            )
            time += Int64(sample.duration)
        }
        return units
    }

    /// The decode time of each picture.
    ///
    /// The cut's decode clock is late by the reordering, so that it begins with the first presentation; in a transport
    /// stream nothing is presented before it is decoded (ISO/IEC 13818-1 § 2.4.3.7). If an encoder decodes further
    /// ahead from some key frame on, the pictures before it make room: decode times rise from segment to segment, too.
    private func decodeTimes(of cut: CutSegment) -> [Int64] {
        var (times, presentations): ([Int64], [Int64]) = ([], [])
        var time = cut.decodeTime
        for sample in cut.samples {
            times.append(time - cut.reordering)
            presentations.append(time + Int64(sample.compositionOffset))
            time += Int64(sample.duration)
        }
        var next = time - cut.reorderingAtEnd
        for index in times.indices.reversed() {
            next = min(times[index], presentations[index], next - 1)
            times[index] = next
        }
        return times
    }
}
