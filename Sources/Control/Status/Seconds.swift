package import MediaCore

/// A length of time, in JSON a number of seconds to the millisecond.
package struct Seconds: Hashable, Codable, Sendable {
    package var time: MediaTime

    package init(_ time: MediaTime) {
        self.time = time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = MediaTime(decimalSeconds: try container.decode(Double.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a length of time")
        }
        self.time = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(time.milliseconds) / 1000)
    }
}
