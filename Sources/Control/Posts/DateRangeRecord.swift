import MediaCore
import Playlists

/// A range for reading, with the keys of a post.
struct DateRangeRecord: Encodable {
    private var fields: [String: JSONValue]

    /// - Parameters:
    ///   - range: The range with all its attributes.
    ///   - state: True if players have it.
    init(_ range: DateRange, state: String) {
        fields = ["ID": .string(range.id), "state": .string(state)]
        fields["CLASS"] = range.className.map(JSONValue.string)
        fields["START-DATE"] = range.start.map { .string($0.iso8601) }
        fields["END-DATE"] = range.end.map { .string($0.iso8601) }
        fields["DURATION"] = range.duration.map { .number($0.seconds) }
        fields["PLANNED-DURATION"] = range.plannedDuration.map { .number($0.seconds) }
        if range.endsOnNext { fields["END-ON-NEXT"] = .bool(true) }
        if !range.cues.isEmpty { fields["CUE"] = .array(range.cues.map { .string($0.rawValue) }) }
        for (name, bytes) in [
            ("SCTE35-CMD", range.spliceCommand), ("SCTE35-OUT", range.spliceOut), ("SCTE35-IN", range.spliceIn),
        ] {
            fields[name] = bytes.map { .object(["hex": .string($0.hex)]) }
        }
        for attribute in range.custom {
            fields[attribute.name] =
                switch attribute.value {
                case .string(let text): .string(text)
                case .hexadecimal(let bytes): .object(["hex": .string(bytes.hex)])
                case .number(let text): Double(text).map(JSONValue.number)
                }
        }
    }

    func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
