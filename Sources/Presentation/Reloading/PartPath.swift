package import MediaCore
package import Playlists

/// The path of a part below the channel's name: `RENDITION/SEQUENCE.PART.m4s`.
package struct PartPath: Hashable, Sendable {
    package var rendition: RenditionID
    package var number: MediaSequenceNumber
    /// The index of the part, counted from 0.
    package var index: Int

    package init(_ rendition: RenditionID, _ number: MediaSequenceNumber, _ index: Int) {
        (self.rendition, self.number, self.index) = (rendition, number, index)
    }

    /// Reads a path; fails if no part can have it.
    ///
    /// A part has one path only, so that caches have it once: numbers are written without sign and leading zeros.
    package init?(_ path: some StringProtocol) {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard components.count == 2, !components[0].isEmpty else { return nil }
        let names = components[1].split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 3, names[2] == SegmentFormat.fragmentedMP4.rawValue,
            let number = Int64(names[0]), number >= 0, let index = Int(names[1]), index >= 0
        else { return nil }
        self.init(RenditionID(String(components[0])), MediaSequenceNumber(number), index)
        guard path == description else { return nil }
    }

    package var position: PlaylistPosition { PlaylistPosition(number, part: index) }

    /// The path of the segment that the part is a piece of.
    var segment: String { "\(rendition)/\(number).\(SegmentFormat.fragmentedMP4.rawValue)" }
}

extension PartPath: CustomStringConvertible {
    package var description: String { "\(rendition)/\(number).\(index).\(SegmentFormat.fragmentedMP4.rawValue)" }
}

extension RenditionID {
    /// Returns the path of a part, below the channel's name; the first part stands for a whole segment.
    package func partPath(_ position: PlaylistPosition) -> String {
        PartPath(self, position.number, position.part ?? 0).description
    }
}
