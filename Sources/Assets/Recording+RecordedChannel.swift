package import MediaCore
package import NIOCore
package import Playlists
package import Presentation
package import Recording

extension Recording: RecordedChannel {
    package func bytes(at path: String) throws -> ByteBuffer? { try body(path)?.read() }

    package func byteCount(at path: String) throws -> Int? { try body(path)?.byteCount }

    package func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer? { try body(path)?.read(range) }

    package func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot] { try slots(in: numbers) }

    package func openRanges(at number: MediaSequenceNumber) throws -> [DateRange] { try dateRanges(openAt: number) }

    package func multivariants(at number: MediaSequenceNumber) throws -> [MultivariantName: String] {
        try declaration(at: number)?.multivariants ?? [:]
    }
}

extension RecordingReader: RecordedChannel {
    package func bytes(at path: String) throws -> ByteBuffer? { try body(path)?.read() }

    package func byteCount(at path: String) throws -> Int? { try body(path)?.byteCount }

    package func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer? { try body(path)?.read(range) }

    package func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot] { try slots(in: numbers) }

    package func openRanges(at number: MediaSequenceNumber) throws -> [DateRange] { try dateRanges(openAt: number) }

    package func multivariants(at number: MediaSequenceNumber) throws -> [MultivariantName: String] {
        try declaration(at: number)?.multivariants ?? [:]
    }
}
