import Foundation
import MediaCore
import Playlists
import TestSupport

/// The line that a packager has published for one slot of one rendition.
struct PublishedLine: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var rendition: String
        var slot: Int64
    }

    var segment: MediaPlaylist.Segment
    var discontinuitySequence: Int
    /// The segment's bytes; nil for a gap.
    var media: Data?
    var initialization: Data?
}

extension PackagerProcess {
    /// All that it lists, with the bytes.
    func lines() async throws -> [PublishedLine.Place: PublishedLine] {
        var lines: [PublishedLine.Place: PublishedLine] = [:]
        let multivariant = try MultivariantPlaylist(parsing: try await text("index.m3u8"))
        for uri in multivariant.mediaPlaylists {
            let rendition = String(uri.dropLast(".m3u8".count))
            let playlist = try await mediaPlaylist(rendition)
            var discontinuitySequence = playlist.discontinuitySequence
            for (index, segment) in playlist.segments.enumerated() {
                if segment.startsDiscontinuity { discontinuitySequence += 1 }
                var line = PublishedLine(segment: segment, discontinuitySequence: discontinuitySequence)
                if !segment.isGap { line.media = try await HTTP.body(url(segment.uri)) }
                if let map = segment.map { line.initialization = try await HTTP.body(url(map.uri)) }
                lines[.init(rendition: rendition, slot: playlist.mediaSequence.value + Int64(index))] = line
            }
        }
        return lines
    }

    /// Compares with another packager, line by line and byte by byte.
    ///
    /// - Returns: The slots that both list, and those of them that are not alike.
    func comparison(with other: PackagerProcess) async throws -> (common: Set<Int64>, differing: Set<Int64>) {
        let (own, others) = (try await lines(), try await other.lines())
        let common = own.keys.filter { others[$0] != nil }
        return (Set(common.map(\.slot)), Set(common.filter { own[$0] != others[$0] }.map(\.slot)))
    }

    /// Has `packager compare` say whether another packager publishes the same.
    ///
    /// - Returns: Its exit code, and what it wrote.
    func verdict(on other: PackagerProcess, seconds: Int) async throws -> (code: Int32, text: String) {
        let program = try Program(
            Repository.packager,
            ["compare", url("index.m3u8"), other.url("index.m3u8"), "--duration", "\(seconds)"]
        )
        let code = await program.exitCode()
        let text = try await eventually(within: 60, "compare says what it has compared") {
            program.output.contains("not compared:") ? program.output : nil
        }
        if code != 0 { print(text, self.program.errors, other.program.errors, separator: "\n") }
        return (code, text)
    }
}

extension MultivariantPlaylist {
    /// All that it names, I-frame playlists included, each once.
    var mediaPlaylists: Set<String> {
        Set(variants.map(\.uri) + renditions.compactMap(\.uri) + iFrameVariants.map(\.uri))
    }
}
