import Dispatch
package import Files
import Foundation
import MediaCore
import NIOCore
import Synchronization

/// Advertisements in a directory: each a directory with a finished `index.m3u8`, or a JSON file that says where one is.
///
/// It is looked at anew for each break, so that they may come and go.
package struct AdDirectory: AdSource {
    private let path: String
    private let files: any FileSystem
    private let looks = Looks()

    /// Looks at the directory, one after the other on a thread of their own: its disk may be far away, and stand still.
    private final class Looks: Sendable {
        let queue = DispatchQueue(label: "ads.directory", qos: .userInitiated)
        let waiting = Atomic(0)
        /// The most looks that wait for the disk.
        static let most = 16
    }

    /// The length of a break without an end; its players get a new list when it is over.
    private static let longestOpenBreak = MediaTime(seconds: 180)
    private static let playlist = "index.m3u8"
    private static let maximumBytes = 4 << 20

    package init(_ path: String, files: any FileSystem = LocalFileSystem.published) {
        (self.path, self.files) = (path, files)
    }

    package func assets(for adBreak: AdBreak) async throws -> AssetList {
        let (assets, problems) = try await look()
        if assets.isEmpty {
            throw AdSourceError(problems.first ?? "there is no advertisement in \(path)")
        }
        let room = adBreak.duration ?? Self.longestOpenBreak
        return AssetList(AdSelection.filling(room, with: assets, for: adBreak.id))
    }

    private func look() async throws -> (assets: [AssetList.Asset], problems: [String]) {
        let count = looks.waiting.add(1, ordering: .relaxed).newValue
        defer { looks.waiting.subtract(1, ordering: .relaxed) }
        guard count <= Looks.most else { throw AdSourceError("the disk of \(path) does not answer") }
        return try await looks.queue.result { try contents() }.get()
    }

    /// Returns the advertisements, by name, and the reasons why others cannot be played.
    package func contents() throws(FileError) -> (assets: [AssetList.Asset], problems: [String]) {
        var assets: [AssetList.Asset] = []
        var problems: [String] = []
        for name in try files.list(path).sorted() where !name.hasPrefix(".") {
            do {
                if let asset = try asset(name) { assets.append(asset) }
            } catch {
                problems.append("\(path)/\(name) is left out: \(error)")
            }
        }
        return (assets, problems)
    }

    private func asset(_ name: String) throws -> AssetList.Asset? {
        if name.hasSuffix(".json") {
            guard let bytes = try files.read("\(path)/\(name)", limit: Self.maximumBytes) else { return nil }
            let json = Data(#"{"ASSETS":["#.utf8) + Data(bytes.readableBytesView) + Data("]}".utf8)
            return try AssetList(parsing: json).assets.first
        }
        guard let text = try text("\(name)/\(Self.playlist)") else { return nil }
        guard AdFiles.isName(name) else {
            throw AdSourceError("its name has characters that paths of the origin do not have, such as spaces")
        }
        return AssetList.Asset(uri: "\(name.percentEncoded)/\(Self.playlist)", seconds: try seconds(of: text, in: name))
    }

    /// The length of an advertisement in seconds, by its first media playlist.
    private func seconds(of text: String, in name: String) throws -> Double {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.first == "#EXTM3U" else { throw AdSourceError("it is no playlist") }
        if lines.contains(where: { $0.hasPrefix("#EXT-X-STREAM-INF:") }) {
            guard let uri = lines.first(where: { !$0.hasPrefix("#") }), !uri.contains(":"), !uri.contains(".."),
                let media = try self.text("\(name)/\(uri)"), !media.contains("#EXT-X-STREAM-INF:")
            else { throw AdSourceError("its first variant is not there") }
            return try seconds(of: media, in: name)
        }
        // RFC 8216bis § D.1: interstitials are finished.
        guard lines.contains("#EXT-X-ENDLIST") else { throw AdSourceError("its playlist has no EXT-X-ENDLIST") }
        let seconds = lines.compactMap { line in
            line.hasPrefix("#EXTINF:") ? Double(line.dropFirst(8).prefix { $0 != "," }) : nil
        }
        .reduce(0, +)
        guard seconds > 0 else { throw AdSourceError("its duration is zero") }
        guard seconds <= AssetList.Asset.longest else {
            throw AdSourceError("its segments are longer than an advertisement can be")
        }
        return (seconds * 1000).rounded() / 1000
    }

    private func text(_ file: String) throws(FileError) -> String? {
        try files.read("\(path)/\(file)", limit: Self.maximumBytes).map { String(buffer: $0) }
    }
}
