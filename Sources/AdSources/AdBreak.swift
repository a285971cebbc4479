import Foundation
package import MediaCore
package import Playlists

/// A break that wants advertisements, as playlists tell of it.
package struct AdBreak: Hashable, Sendable {
    /// The ID of the interstitial's date range.
    package var id: String
    package var channel: String
    /// UTC.
    var start: MediaTime
    /// The planned or actual length; nil while unknown.
    package var duration: MediaTime?
    /// Facts about the splice, by the names of gaps in addresses.
    var splice: [AddressTemplate.Field: String] = [:]

    package init(id: String, channel: String, start: MediaTime, duration: MediaTime? = nil) {
        (self.id, self.channel, self.start, self.duration) = (id, channel, start, duration)
    }

    /// - Parameters:
    ///   - id: As a player asks for it.
    ///   - channel: Its name.
    ///   - ranges: The date ranges that its playlists tell of: nothing else is answered for.
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
        // The playlist's own words, and not those of who asks.
        for item in URLComponents(string: address)?.queryItems ?? [] {
            guard let field = AddressTemplate.Field(rawValue: item.name), let value = item.value else { continue }
            splice[field] = value
        }
    }

    /// The values for the gaps of an address.
    var fields: [AddressTemplate.Field: String] {
        var fields = splice
        fields[.id] = id
        fields[.channel] = channel
        fields[.start] = start.iso8601
        fields[.duration] = duration?.decimalSeconds
        return fields
    }

    /// The JSON that a program reads: names of gaps with their values, `duration` as a number.
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
