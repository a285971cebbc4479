import Foundation
import Playlists
import TestSupport

/// The channels of an origin, as a viewer finds them who begins with their list.
enum ServedChannels {
    private struct List: Decodable {
        var channels: [String]
    }

    /// Waits until each channel lists two segments of media, and fetches the newest.
    ///
    /// - Parameters:
    ///   - origin: The URL without a slash at its end.
    ///   - program: The packager, or the shell in which it runs.
    /// - Throws: What the program has written where that does not come about.
    static func expectMedia(at origin: String, of program: Program) async throws {
        do {
            _ = try await eventually(within: 30, "every channel has segments") {
                let list = try JSONDecoder().decode(List.self, from: try await HTTP.body("\(origin)/channels.json"))
                var isServed = !list.channels.isEmpty
                for name in list.channels where isServed { isServed = try await hasMedia("\(origin)/\(name)") }
                return isServed ? true : nil
            }
        } catch {
            throw Program.Failure(description: "\(error)\n\(program.errors)\(program.output)")
        }
    }

    private static func hasMedia(_ channel: String) async throws -> Bool {
        let multivariant = try MultivariantPlaylist(parsing: try await text("\(channel)/index.m3u8"))
        guard let variant = multivariant.variants.first else { return false }
        let segments = try MediaPlaylist(parsing: try await text("\(channel)/\(variant.uri)")).segments
        let media = segments.filter { !$0.isGap }
        guard media.count >= 2, let last = media.last else { return false }
        return try await !HTTP.body("\(channel)/\(last.uri)").isEmpty
    }

    private static func text(_ url: String) async throws -> String {
        String(decoding: try await HTTP.body(url), as: UTF8.self)
    }
}
