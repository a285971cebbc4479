package import Playlists
import Presentation

/// The description of the renditions that viewers had at some time.
package struct Declaration: Hashable, Sendable {
    /// The renditions in the order in which they were declared.
    package var renditions: [RenditionDescription]
    /// The text of each multivariant playlist, with bit rates, session keys and definitions.
    package var multivariants: [MultivariantName: String]

    package init(renditions: [RenditionDescription], multivariants: [MultivariantName: String]) {
        (self.renditions, self.multivariants) = (renditions, multivariants)
    }
}

extension Declaration: Codable {
    private enum CodingKeys: String, CodingKey {
        case renditions, multivariants
    }

    /// - Throws: `DecodingError`, also if two renditions have one name.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        renditions = try container.decode([RenditionDescription].self, forKey: .renditions)
        try container.check(Set(renditions.map(\.id)).count == renditions.count, .renditions)
        multivariants = [:]
        for (name, text) in try container.decode([String: String].self, forKey: .multivariants) {
            if let name = MultivariantName(rawValue: name) { multivariants[name] = text }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(renditions, forKey: .renditions)
        let texts = multivariants.map { ($0.key.rawValue, $0.value) }
        try container.encode(Dictionary(uniqueKeysWithValues: texts), forKey: .multivariants)
    }
}
