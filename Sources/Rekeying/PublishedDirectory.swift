import Files
import Foundation
package import MediaCore
import NIOCore
import Playlists

/// A stream in a directory: multivariant playlists and all that they lead to, as `--output` leaves them.
package struct PublishedDirectory: Sendable {
    /// A media playlist by its path.
    struct Listed {
        var path: String
        var text: String
        var playlist: MediaPlaylist
    }

    let directory: String
    let multivariants: [MultivariantName: MultivariantPlaylist]
    let playlists: [Listed]
    private let fileSystem: any FileSystem

    /// Bytes that no playlist and no segment comes near.
    private static let longestFile = 1 << 30

    /// Reads the playlists of a directory.
    ///
    /// - Throws: ``RekeyingError`` if one is missing or malformed, or leads elsewhere.
    package init(directory: String) throws(RekeyingError) {
        self.directory = directory
        fileSystem = LocalFileSystem.published
        var multivariants: [MultivariantName: MultivariantPlaylist] = [:]
        for name in MultivariantName.allCases {
            let path = name.rawValue
            guard let index = try Self.readIfPresent(path, in: directory, fileSystem) else { continue }
            do throws(PlaylistParsingError) {
                multivariants[name] = try MultivariantPlaylist(parsing: String(buffer: index))
            } catch {
                throw RekeyingError(path, "\(error)")
            }
        }
        guard multivariants[.everyPlayer] != nil else {
            throw RekeyingError(MultivariantName.everyPlayer.rawValue, "there is no such file")
        }
        self.multivariants = multivariants
        var playlists: [Listed] = []
        for path in Set(multivariants.values.flatMap(\.uris)).sorted() {
            let text = String(buffer: try Self.read(path, in: directory, fileSystem))
            do throws(PlaylistParsingError) {
                playlists.append(Listed(path: path, text: text, playlist: try MediaPlaylist(parsing: text)))
            } catch {
                throw RekeyingError(path, "\(error)")
            }
        }
        self.playlists = playlists
    }

    /// The slots that are listed.
    package var slots: Set<MediaSequenceNumber> {
        Set(playlists.flatMap { listed in listed.playlist.numbers })
    }

    /// The bytes of a file that a playlist names.
    func read(_ path: String) throws(RekeyingError) -> ByteBuffer {
        try Self.read(path, in: directory, fileSystem)
    }

    private static func read(
        _ path: String,
        in directory: String,
        _ fileSystem: any FileSystem
    ) throws(RekeyingError) -> ByteBuffer {
        guard let bytes = try readIfPresent(path, in: directory, fileSystem) else {
            throw RekeyingError(path, "there is no such file")
        }
        return bytes
    }

    private static func readIfPresent(
        _ path: String,
        in directory: String,
        _ fileSystem: any FileSystem
    ) throws(RekeyingError) -> ByteBuffer? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.contains(":"), components.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw RekeyingError(path, "it is not a file below the playlists")
        }
        do throws(FileError) {
            return try fileSystem.read("\(directory)/./\(path)", limit: longestFile)
        } catch {
            throw RekeyingError(path, error.reason)
        }
    }
}

extension MediaPlaylist {
    /// The numbers of its segments, in order.
    var numbers: [MediaSequenceNumber] {
        segments.indices.map { MediaSequenceNumber(mediaSequence.value + Int64($0)) }
    }
}
