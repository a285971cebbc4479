import Foundation
package import MediaCore
package import Playlists

/// An ad break, as playlists announce it.
package struct AdBreak: Hashable, Sendable {
    /// The ID of the interstitial's date range.
    package var id: String
    package var channel: String
    /// UTC.
    var start: MediaTime
    /// The planned or actual length; nil while unknown.
    package var duration: MediaTime?
    /// Facts about the splice, by the names of placeholders in addresses.
    var splice: [AddressTemplate.Field: String] = [:]

    package init(id: String, channel: String, start: MediaTime, duration: MediaTime? = nil) {
        (self.id, self.channel, self.start, self.duration) = (id, channel, start, duration)
    }

    /// - Parameters:
    ///   - id: The ID in the player's request.
    ///   - channel: The channel's name.
    ///   - ranges: The date ranges in its playlists: only these have an answer.
    package init?(_ id: String, of channel: String, in ranges: [DateRange]) {
        let tags = ranges.filter { $0.id == id }
        guard let told = tags.first(where: \.isInterstitial), let start = told.start,
            case .string(let address) = told[custom: "X-ASSET-LIST"]
        else { return nil }
        self.init(
            id: id,
            channel: channel,
            start: start,
            duration: tags.lazy.compactMap(\.plannedDuration).first ?? tags.lazy.compactMap(\.duration).first
        )
        // The query in the playlist counts, not that of the client.
        for item in URLComponents(string: address)?.queryItems ?? [] {
            guard let field = AddressTemplate.Field(rawValue: item.name), let value = item.value else { continue }
            splice[field] = value
        }
    }

    /// The values for the placeholders of an address.
    var fields: [AddressTemplate.Field: String] {
        var fields = splice
        fields[.id] = id
        fields[.channel] = channel
        fields[.start] = start.iso8601
        fields[.duration] = duration?.decimalSeconds
        return fields
    }

    /// The JSON that a program reads: names of placeholders with their values, `duration` as a number.
    func json() throws -> Data {
        let fields = fields.filter { $0.key != .duration && !$0.value.isEmpty }
        var values: [String: JSONValue] = [:]
        for (field, value) in fields { values[field.rawValue] = .text(value) }
        if let duration { values["duration"] = .number(duration.seconds) }
        return try JSONEncoder.canonical.encode(values)
    }

    private enum JSONValue: Encodable {
        case text(String)
        case number(Double)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }
}
