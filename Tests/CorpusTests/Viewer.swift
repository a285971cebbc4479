import MediaCore
import NIOCore

/// Asks for everything that playlists name, and writes down what it gets each time that this is something else.
struct Viewer {
    private(set) var lines: [String] = []
    /// The last answer of each path.
    private var seen: [String: Published] = [:]
    /// The names that each playlist lists, by its path.
    private var listed: [String: Set<String>] = [:]
    /// Segments that no playlist names any more and that are still there.
    private var unlisted: Set<String> = []
    private static let multivariants = ["index.m3u8", "index-imsc1.m3u8"]

    /// Looks whether anything has changed.
    mutating func look(at channel: RecordedChannel, time: String) {
        look(at: Self.multivariants[0], of: channel, time)
        if case .bytes = channel.published(Self.multivariants[1]) { look(at: Self.multivariants[1], of: channel, time) }
        for playlist in playlists { look(at: playlist, of: channel, time) }
    }

    /// Looks whether what is no longer listed has gone.
    mutating func lookForGone(of channel: RecordedChannel, time: String) {
        for path in unlisted.sorted() {
            let answer = channel.published(path)
            if case .bytes = answer { continue }
            note(path, answer, time)
            unlisted.remove(path)
        }
    }

    /// Looks whether all that was seen is as it was.
    mutating func lookAgain(at channel: RecordedChannel, time: String) {
        for path in seen.keys.sorted() where !path.hasSuffix(".m3u8") {
            let answer = channel.published(path)
            if seen[path] != answer { note(path, answer, time) }
        }
    }

    /// The playlists as they are now.
    func texts(of channel: RecordedChannel) -> [(path: String, text: String)] {
        (Self.multivariants + playlists).compactMap { path in
            guard case .bytes(let bytes) = channel.published(path) else { return nil }
            return (path, String(buffer: bytes))
        }
    }

    private var playlists: [String] {
        Self.multivariants.reduce(into: Set()) { $0.formUnion(listed[$1] ?? []) }.sorted()
    }

    private mutating func look(at playlist: String, of channel: RecordedChannel, _ time: String) {
        let answer = channel.published(playlist)
        guard seen[playlist] != answer else { return }
        let before = seen[playlist]
        note(playlist, answer, time)
        guard case .bytes(let bytes) = answer else { return }
        let text = String(buffer: bytes)
        var known: Set<Substring> = []
        if case .bytes(let old) = before { known.formUnion(String(buffer: old).split(separator: "\n")) }
        for line in text.split(separator: "\n") where !known.contains(line) { lines.append("    \(line)") }
        let uris = Set(Self.uris(in: text, ofPlaylists: Self.multivariants.contains(playlist)))
        let gone = (listed.updateValue(uris, forKey: playlist) ?? []).subtracting(uris)
        if Self.multivariants.contains(playlist) {
            for path in gone.subtracting(playlists) {
                unlisted.formUnion(listed.removeValue(forKey: path) ?? [])
                unlisted.insert(path)
            }
            unlisted.subtract(uris)
        } else {
            unlisted.formUnion(gone)
            unlisted.subtract(uris)
            for uri in uris.sorted() where seen[uri] == nil { note(uri, channel.published(uri), time) }
        }
    }

    private mutating func note(_ path: String, _ answer: Published, _ time: String) {
        seen[path] = answer
        lines.append("\(time) \(path) \(answer.summary)")
    }

    /// The names in lines of a playlist: URIs on lines of their own and in attributes, but keys.
    private static func uris(in text: String, ofPlaylists: Bool) -> [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            guard line.hasPrefix("#") else { return [String(line)] }
            return line.split(separator: "URI=\"", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
                rest.split(separator: "\"", maxSplits: 1).first.map(String.init)
            }
        }
        .filter { $0.hasSuffix(".m3u8") == ofPlaylists && !$0.hasPrefix("keys/") }
    }
}
