import MediaCore
import NIOCore

/// Records the bytes of every sequence number of every rendition, to prove that none is used twice.
struct SegmentLedger: Sendable {
    private struct Key: Hashable {
        var playlist: String
        var number: MediaSequenceNumber
    }

    /// Hashes good in this process only.
    private var hashes: [Key: Int] = [:]

    init() {}

    /// Records a downloaded segment.
    ///
    /// - Returns: True if the number had other bytes before.
    mutating func segmentLoaded(_ playlist: String, _ number: MediaSequenceNumber, _ bytes: ByteBuffer) -> Bool {
        let hash = bytes.hashValue
        let before = hashes.updateValue(hash, forKey: Key(playlist: playlist, number: number))
        return before.map { $0 != hash } ?? false
    }
}
