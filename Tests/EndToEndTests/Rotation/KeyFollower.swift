import Foundation
import Synchronization
import TestSupport

/// A player that fetches every key that `keys.json` tells of, as soon as it does, for as long as it lives.
final class KeyFollower: Sendable {
    private struct Entry: Decodable {
        var keyID: String
        var uri: String?
    }

    private struct State {
        /// With a slash at its end.
        var url: String
        var keys: [String: String] = [:]
    }

    private let state: Mutex<State>

    /// Keys in hexadecimal digits, by key ID.
    var keys: [String: String] { state.withLock(\.keys) }

    /// Follows a channel; while it is off the air nothing is lost but time.
    init(_ packager: PackagerProcess) {
        state = Mutex(State(url: packager.url("")))
        Task { [weak self] in
            // Nobody tells when there is another key.
            while await self?.fetch() != nil { try? await Task.sleep(for: .milliseconds(400)) }
        }
    }

    /// Follows another packager from now on.
    func follow(_ packager: PackagerProcess) { state.withLock { $0.url = packager.url("") } }

    private func fetch() async {
        let url = state.withLock(\.url)
        guard let schedule = try? await HTTP.body(url + "keys.json"),
            let entries = try? JSONDecoder().decode([Entry].self, from: schedule)
        else { return }
        for entry in entries where keys[entry.keyID] == nil {
            guard let uri = entry.uri, let key = try? await HTTP.body(url + uri) else { continue }
            state.withLock { $0.keys[entry.keyID] = key.hexadecimal }
        }
    }
}

extension Data {
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
