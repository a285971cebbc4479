import Files
import Foundation
package import MediaCore
package import NIOCore
package import Playlists

/// A stream in files: multivariant playlists and all that they lead to, as `--output` leaves them in a directory.
package struct PublishedDirectory: Sendable {
    /// A media playlist by its path.
    struct Listed {
        var path: String
        var text: String
        var playlist: MediaPlaylist
    }

    let multivariants: [MultivariantName: MultivariantPlaylist]
    let playlists: [Listed]
    private let file: Reader

    /// Reads a file at a path beside the multivariant playlist, or below; nil if there is none.
    package typealias Reader = @Sendable (String) throws -> ByteBuffer?

    /// Bytes that no playlist and no segment comes near.
    private static let longestFile = 1 << 30

    /// Reads the playlists of a directory.
    ///
    /// - Throws: ``RekeyingError`` if one is missing or malformed, or leads elsewhere.
    package init(directory: String) throws {
        try self.init { path in
            do throws(FileError) {
                return try LocalFileSystem.published.read("\(directory)/./\(path)", limit: Self.longestFile)
            } catch {
                throw RekeyingError(path, error.reason)
            }
        }
    }

    /// Reads the playlists of a stream, wherever its files are.
    ///
    /// - Parameter file: Reads a file; it may wait for the disk.
    /// - Throws: ``RekeyingError`` if a playlist is missing or malformed, or leads elsewhere; or what reading throws.
    package init(_ file: @escaping Reader) throws {
        self.file = file
        var multivariants: [MultivariantName: MultivariantPlaylist] = [:]
        for name in MultivariantName.allCases {
            let path = name.rawValue
            guard let index = try Self.readIfPresent(path, file) else { continue }
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
            let text = String(buffer: try Self.read(path, file))
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

    /// The keys that segments and initialization sections need: one a key system, all of one key.
    package var keys: Set<[EncryptionKey]> {
        var keys: Set<[EncryptionKey]> = []
        for listed in playlists {
            for segment in listed.playlist.segments where !segment.isGap {
                keys.insert(segment.keys)
                keys.insert(segment.map?.keys ?? [])
            }
        }
        keys.remove([])
        return keys
    }

    /// The bytes of a file that a playlist names.
    func read(_ path: String) throws -> ByteBuffer { try Self.read(path, file) }

    private static func read(_ path: String, _ file: Reader) throws -> ByteBuffer {
        guard let bytes = try readIfPresent(path, file) else { throw RekeyingError(path, "there is no such file") }
        return bytes
    }

    private static func readIfPresent(_ path: String, _ file: Reader) throws -> ByteBuffer? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.contains(":"), components.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw RekeyingError(path, "it is not a file below the playlists")
        }
        return try file(path)
    }
}

extension MediaPlaylist {
    /// The numbers of its segments, in order.
    var numbers: [MediaSequenceNumber] {
        segments.indices.map { MediaSequenceNumber(mediaSequence.value + Int64($0)) }
    }
}
