import ContentProtection
import MediaCore
import Packaging

/// The keys of a recording, by their URIs in playlists.
struct RecordedKeys: Sendable {
    private let byID: [KeyID: PeriodKey]
    private let byURI: [String: PeriodKey]

    init(_ keys: [KeyID: PeriodKey]) {
        byID = keys
        let named = keys.values.flatMap { key in
            // The URIs of these systems carry everything about a key.
            [KeySystem.fairplay, .widevine, .playready, .clearkey].flatMap { system in
                (["cbcs", "cenc"] as [FourCC]).map { (system.reference(to: key, scheme: $0).uri, key) }
            }
        }
        byURI = Dictionary(named) { first, _ in first }
    }

    /// The key that a URI names; nil if it is not known.
    func key(of uri: String) -> PeriodKey? {
        byURI[uri] ?? KeySystem.keyIDs(in: uri).compactMap { byID[$0] }.first
    }
}
