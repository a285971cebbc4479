package import MediaCore
package import NIOCore
package import Playlists
package import Presentation
package import Recording

/// A recording on a disk of this machine.
package protocol LocalRecording: RecordedChannel {
    /// The place of the bytes at a path of live media; nil if they are not recorded.
    func body(_ path: String) throws -> RecordedBody?
    /// The slots of a range that were recorded, as they were listed.
    func slots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot]
    /// Date ranges that began before a slot and are not over at it.
    func dateRanges(openAt number: MediaSequenceNumber) throws -> [DateRange]
    /// The declarations in force at some slots, oldest first.
    func declarations(in numbers: Range<MediaSequenceNumber>) throws -> [Declaration]
}

extension LocalRecording {
    package func bytes(at path: String) throws -> ByteBuffer? { try body(path)?.read() }

    package func byteCount(at path: String) throws -> Int? { try body(path)?.byteCount }

    package func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer? { try body(path)?.read(range) }

    package func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot] { try slots(in: numbers) }

    package func openRanges(at number: MediaSequenceNumber) throws -> [DateRange] { try dateRanges(openAt: number) }

    package func multivariants(in numbers: Range<MediaSequenceNumber>) throws -> [[MultivariantName: String]] {
        try declarations(in: numbers).map(\.multivariants)
    }
}

extension Recording: LocalRecording {}

extension RecordingReader: LocalRecording {}
