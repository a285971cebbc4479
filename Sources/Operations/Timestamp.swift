package import MediaCore

/// A point of UTC that JSON carries as ISO 8601 text with milliseconds.
package struct Timestamp: Hashable, Codable, Sendable {
    package var time: MediaTime

    package init(_ time: MediaTime) {
        self.time = time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = MediaTime(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a point in time")
        }
        self.time = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(time.iso8601)
    }
}
