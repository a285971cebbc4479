import MediaCore
import Playlists

/// An attribute in which two listings of one segment differ.
package struct LineDifference: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Attribute: String, Hashable, Sendable, Codable {
        case uri = "URI"
        case duration = "EXTINF"
        case byteRange = "EXT-X-BYTERANGE"
        case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
        case gap = "EXT-X-GAP"
        case discontinuity = "EXT-X-DISCONTINUITY"
        case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
        case key = "EXT-X-KEY"
        case map = "EXT-X-MAP"
        case breakCue = "EXT-X-CUE-OUT"
        case part = "EXT-X-PART"
        case targetDuration = "EXT-X-TARGETDURATION"
        case partTarget = "EXT-X-PART-INF"
        case serverControl = "EXT-X-SERVER-CONTROL"
    }

    var attribute: Attribute
    package var first: String
    package var second: String

    package init(_ attribute: Attribute, _ first: String, _ second: String) {
        self.attribute = attribute
        self.first = first
        self.second = second
    }

    package var description: String { "\(attribute.rawValue) is \(first) and \(second)" }
}

extension MediaPlaylist.Segment {
    /// The attributes in which another listing of this segment differs.
    ///
    /// - Parameters:
    ///   - other: The other listing.
    ///   - dateTolerance: Milliseconds; dates that were not listed but counted on from neighbours may be off by one.
    /// - Returns: One difference for each attribute; none for keys and maps of gaps, and for parts that only one
    ///   listing has.
    func differences(from other: Self, dateTolerance: Int64 = 0) -> [LineDifference] {
        var found: [LineDifference] = []
        func compare(_ attribute: LineDifference.Attribute, _ first: String, _ second: String) {
            if first != second { found.append(LineDifference(attribute, first, second)) }
        }
        compare(.uri, uri, other.uri)
        compare(.duration, duration.description, other.duration.description)
        if abs(programDateTime.milliseconds - other.programDateTime.milliseconds) > dateTolerance {
            compare(.programDateTime, programDateTime.iso8601, other.programDateTime.iso8601)
        }
        compare(.gap, isGap ? "there" : "absent", other.isGap ? "there" : "absent")
        compare(
            .discontinuity,
            startsDiscontinuity ? "there" : "absent",
            other.startsDiscontinuity ? "there" : "absent"
        )
        compare(.breakCue, cue?.lines ?? "none", other.cue?.lines ?? "none")
        // Parts leave from the head, sooner in one listing than in another.
        let count = min(parts.count, other.parts.count)
        if let (first, second) = zip(parts.suffix(count), other.parts.suffix(count)).first(where: { $0 != $1 }) {
            compare(.part, "\(first)", "\(second)")
        }
        // Nothing of a gap is fetched or decrypted: its keys and map depend on the lines above it.
        if isGap || other.isGap { return found }
        compare(.byteRange, byteRange.text, other.byteRange.text)
        compare(.key, keys.text, other.keys.text)
        compare(.map, map?.uri ?? "none", other.map?.uri ?? "none")
        return found
    }
}

extension MediaPlaylist {
    /// The differences in the constant properties of a playlist.
    func frameDifferences(from other: Self) -> [LineDifference] {
        let values: [(LineDifference.Attribute, (MediaPlaylist) -> String)] = [
            (.targetDuration, { "\($0.targetDuration)" }),
            (.partTarget, { $0.partTarget?.decimalSeconds ?? "none" }),
            (.serverControl, { $0.serverControl?.description ?? "none" }),
        ]
        return values.compactMap { attribute, value in
            value(self) == value(other) ? nil : LineDifference(attribute, value(self), value(other))
        }
    }
}

extension Range<Int>? {
    fileprivate var text: String { map { "\($0.count)@\($0.lowerBound)" } ?? "none" }
}

extension [EncryptionKey] {
    /// The keys in a fixed order, since all of them apply (RFC 8216bis § 4.4.4.4).
    fileprivate var text: String { isEmpty ? "none" : map(\.text).sorted().joined(separator: " and ") }
}

extension EncryptionKey {
    fileprivate var text: String {
        let parts = [
            "METHOD=\(method.rawValue)", "URI=\(uri)", initializationVector.map { "IV=0x\($0.hex)" },
            keyFormat.map { "KEYFORMAT=\($0)" }, keyFormatVersions.map { "KEYFORMATVERSIONS=\($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ",")
    }
}
