import Fetching
import Foundation
import NIOCore
import Playlists

/// Checks content steering: the tag of a multivariant playlist, and the steering manifest that it names (RFC 8216bis
/// § 4.4.6.6 and 7.1).
enum SteeringRules {
    /// Finds the faults that keep players from steering.
    ///
    /// - Parameters:
    ///   - playlist: The multivariant playlist.
    ///   - url: The URL of the playlist.
    ///   - fetcher: Gets the steering manifest.
    /// - Returns: The rules that are broken; none without the tag.
    static func findings(
        in playlist: MultivariantPlaylist,
        at url: String,
        through fetcher: any Fetcher
    ) async -> [StreamCheckResult.Finding] {
        guard let steering = playlist.steering else { return [] }
        var violations: [RuleViolation] = []
        if let id = steering.pathwayID, !playlist.pathways.contains(id) {
            violations.append(RuleViolation(.steeringPathwayUnknown, "no variant has PATHWAY-ID \"\(id)\""))
        }
        let address = steering.serverURI.resolved(against: url)
        violations += await problems(at: address, playlist, fetcher).map {
            RuleViolation(.steeringManifestInvalid, "\($0)")
        }
        return violations.map { StreamCheckResult.Finding(playlist: url, violation: $0) }
    }

    private static func problems(
        at url: String,
        _ playlist: MultivariantPlaylist,
        _ fetcher: any Fetcher
    ) async -> [String] {
        // A data URI needs no server.
        guard url.hasPrefix("http") else { return [] }
        do throws(FetchError) {
            let body = try await fetcher.fetch(url).body
            let data = Data(body.readableBytesView.prefix(longest + 1))
            guard data.count <= longest, let manifest = try? JSONDecoder().decode(SteeringManifest.self, from: data)
            else {
                return ["\(url) is no steering manifest"]
            }
            return manifest.problems(forPathways: playlist.pathways)
        } catch {
            return ["\(url): \(error)"]
        }
    }

    /// The most bytes of a manifest.
    private static let longest = 1 << 20
}
