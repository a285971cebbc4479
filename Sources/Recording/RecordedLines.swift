package import MediaCore
package import NIOCore
package import Presentation

/// The rendered lines of slots that follow each other, within one block.
///
/// Their URIs are relative to `/NAME/past/START-END/`: those of media, maps and keys begin with `../../`.
package struct RecordedLines: Sendable {
    /// The slots; each has its lines, with EXT-X-GAP if it was not recorded.
    package var numbers: Range<MediaSequenceNumber>
    /// The EXT-X-KEY and EXT-X-MAP lines that must stand between the lines above, if any, and these.
    package var scope: String
    /// The lines, in UTF-8.
    package var text: ByteBuffer
    /// The compressed text; nil unless these are the lines of a whole block that is over.
    package var gzip: GzipPart?
    /// The number of discontinuities before the first slot since the recording began: EXT-X-DISCONTINUITY-SEQUENCE of a
    /// playlist that begins with these lines.
    package var discontinuitiesBefore: Int
    /// The number of discontinuities among the slots.
    package var discontinuities: Int
    /// The sum of the segments' durations.
    package var duration: MediaTime
    /// The longest duration of a segment.
    package var longest: MediaTime
    /// The EXT-X-VERSION that the lines need.
    package var version: Int
    /// True if there are only gaps.
    package var isGap: Bool
    /// The start of the first segment, in UTC.
    package var programDateTime: MediaTime

    /// True if the lines bring a map into force before they name a key, which the keys above would cover (RFC 8216bis §
    /// 4.4.4.4).
    var beginsWithMap: Bool {
        for lines in [ByteBuffer(string: scope), text] {
            var rest = lines.readableBytesView
            // Nearly always it is one of the first lines.
            while !rest.isEmpty {
                if rest.starts(with: "#EXT-X-MAP:".utf8) { return true }
                if rest.starts(with: "#EXT-X-KEY:".utf8) { return false }
                rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            }
        }
        return false
    }

    /// Puts an end to the keys above; the lines name all that they need.
    mutating func endKeys() { scope = "#EXT-X-KEY:METHOD=NONE\n" + scope }
}
