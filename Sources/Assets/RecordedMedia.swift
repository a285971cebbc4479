package import MediaCore
package import NIOCore
package import Playlists
package import Presentation

/// The bytes of recorded segments and initialization sections.
package protocol RecordedMedia: Sendable {
    /// Reads all bytes at a path of live media; it waits for the disk.
    ///
    /// - Returns: The bytes; nil if they are not recorded.
    /// - Throws: An error that describes itself in words.
    func bytes(at path: String) throws -> ByteBuffer?
}

/// The recording of a channel, as the source of assets.
package protocol RecordedChannel: RecordedMedia {
    /// The slots from the oldest to the newest; nil if there are none.
    var extent: Range<MediaSequenceNumber>? { get }
    /// Returns the length of the file at a path of live media; nil if it is not recorded.
    func byteCount(at path: String) throws -> Int?
    /// Reads some of the bytes at a path of live media; nil if they are not recorded.
    func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer?
    /// The slots of a range that were recorded, in order.
    func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot]
    /// Date ranges that began before a slot and are not over at it.
    func openRanges(at number: MediaSequenceNumber) throws -> [DateRange]
    /// The texts of the multivariant playlists in force at some slots, oldest first, as far as they are known.
    func multivariants(in numbers: Range<MediaSequenceNumber>) throws -> [[MultivariantName: String]]
}
