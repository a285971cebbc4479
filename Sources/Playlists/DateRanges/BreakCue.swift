import FoundationEssentials
package import MediaCore

/// The tags of the EXT-X-CUE-OUT family above a segment, which ad servers read; no standard has them.
package struct BreakCue: Hashable, Sendable {
    /// True if the programme is back with the segment: EXT-X-CUE-IN.
    package var endsBreak: Bool
    /// The break that begins with the segment, or includes it.
    package var out: Break?

    package struct Break: Hashable, Sendable {
        /// The time that the break has lasted before the segment, EXT-X-CUE-OUT-CONT; nil if the segment begins it,
        /// EXT-X-CUE-OUT.
        package var elapsed: MediaTime?
        /// The expected length of the break; nil if that is not known.
        var duration: MediaTime?
        /// The section that leaves the programme.
        ///
        /// With it, the tags are those of `SCTE35_ENHANCED` (AWS Elemental).
        var section: [UInt8]?

        package init(elapsed: MediaTime? = nil, duration: MediaTime? = nil, section: [UInt8]? = nil) {
            (self.elapsed, self.duration, self.section) = (elapsed, duration, section)
        }
    }

    package init(endsBreak: Bool = false, out: Break? = nil) {
        (self.endsBreak, self.out) = (endsBreak, out)
    }

    private static let sectionTag = "EXT-OATCLS-SCTE35"

    /// The tags, each ended by a line feed.
    package var lines: String {
        var lines = endsBreak ? "#EXT-X-CUE-IN\n" : ""
        guard let out else { return lines }
        let section = out.section.map { Data($0).base64EncodedString() }
        if let elapsed = out.elapsed {
            var fields = ["ElapsedTime=\(Self.seconds(elapsed))"]
            if let duration = out.duration { fields.append("Duration=\(Self.seconds(duration))") }
            if let section { fields.append("SCTE35=\(section)") }
            lines += "#EXT-X-CUE-OUT-CONT:\(fields.joined(separator: ","))\n"
        } else {
            if let section { lines += "#\(Self.sectionTag):\(section)\n" }
            // The enhanced form has the bare number.
            let name = section == nil ? "DURATION=" : ""
            lines += "#EXT-X-CUE-OUT\(out.duration.map { ":\(name)\(Self.seconds($0))" } ?? "")\n"
        }
        return lines
    }

    private static func seconds(_ time: MediaTime) -> String {
        var text = ""
        text.append(time.milliseconds, decimals: 3)
        return text
    }

    /// - Parameter lines: As ``lines``. The result is nil if they have none of these tags.
    package init?(lines: String) {
        self.init()
        for line in lines.split(separator: "\n") {
            let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
            if let name = parts.first { _ = take(tag: String(name), value: parts.count > 1 ? parts[1] : "") }
        }
        if self == BreakCue() { return nil }
    }

    /// Takes a tag in any of the forms in use, and ignores unknown parts.
    ///
    /// - Returns: True if the tag is of the family.
    mutating func take(tag name: String, value: Substring) -> Bool {
        switch name {
        case Self.sectionTag:
            out = out ?? Break()
            out?.section = Data(base64Encoded: String(value)).map { Array($0) }
        case "EXT-X-CUE-OUT":
            out = Break(duration: Self.fields(value)["duration"].flatMap(Self.time), section: out?.section)
        case "EXT-X-CUE-OUT-CONT":
            let fields = Self.fields(value)
            out = Break(
                elapsed: fields["elapsedtime"].flatMap(Self.time) ?? .zero,
                duration: fields["duration"].flatMap(Self.time),
                section: fields["scte35"].flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            )
        case "EXT-X-CUE-IN": endsBreak = true
        default: return false
        }
        return true
    }

    /// `name=value,…`, `seconds`, or `elapsed/seconds`.
    private static func fields(_ value: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        for field in value.split(separator: ",") {
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 {
                fields[parts[0].lowercased()] = parts[1].filter { $0 != "\"" }
            } else if let number = parts.first {
                let numbers = number.split(separator: "/").map(String.init)
                fields["duration"] = numbers.last
                if numbers.count == 2 { fields["elapsedtime"] = numbers[0] }
            }
        }
        return fields
    }

    private static func time(_ text: String) -> MediaTime? { MediaTime(decimalSeconds: text) }
}
