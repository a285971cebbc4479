import Files
import Foundation
package import MediaCore
package import NIOCore
package import Playlists

/// A stream in files: multivariant playlists and all that they name, as `--output` writes them into a directory.
///
/// Half a day has very many segments in many playlists, so memory only keeps what they have in common.
package struct PublishedDirectory: Sendable {
    /// A media playlist by its path.
    struct Listed {
        var path: String
        var text: String
        var playlist: MediaPlaylist
    }

    /// A media playlist without its segments.
    struct Outline: Hashable, Sendable {
        var path: String
        var isIFramesOnly: Bool
        /// The directories of the segments that it lists.
        var folders: Set<String>
        /// The hash of its text, in this process.
        var textHash: Int
    }

    /// The contents of all media playlists, without their segments.
    private struct Contents {
        var playlists: [Outline] = []
        var slots: Set<MediaSequenceNumber> = []
        /// The keys of segments, in the order in which they are first listed.
        var segmentKeys: [[EncryptionKey]] = []
        private var known: Set<[EncryptionKey]> = [[]]
        /// The keys of initialization sections.
        var mapKeys: Set<[EncryptionKey]> = []

        mutating func add(_ listed: Listed) {
            let playlist = listed.playlist
            slots.formUnion(playlist.numbers)
            var folders: Set<String> = []
            for segment in playlist.segments where !segment.isGap {
                folders.insert(CopiedSegments.folder(of: segment.uri))
                if known.insert(segment.keys).inserted { segmentKeys.append(segment.keys) }
                if let map = segment.map, !map.keys.isEmpty { mapKeys.insert(map.keys) }
            }
            playlists.append(
                Outline(
                    path: listed.path,
                    isIFramesOnly: playlist.isIFramesOnly,
                    folders: folders,
                    textHash: listed.text.hashValue
                )
            )
        }
    }

    let multivariants: [MultivariantName: MultivariantPlaylist]
    private let contents: Contents
    private let file: Reader

    /// Reads a file at a path beside the multivariant playlist, or below; nil if there is none.
    package typealias Reader = @Sendable (String) throws -> ByteBuffer?

    /// The most bytes of a file, more than any playlist or segment has.
    private static let longestFile = 1 << 30

    /// Reads the playlists of a directory.
    ///
    /// - Throws: ``RekeyingError`` if a playlist is missing or malformed, or names a file elsewhere.
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
    /// - Throws: ``RekeyingError`` if a playlist is missing or malformed, or names a file elsewhere; or the error of
    ///   `file`.
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
        var contents = Contents()
        for path in Set(multivariants.values.flatMap(\.uris)).sorted() { contents.add(try Self.listed(path, file)) }
        self.contents = contents
    }

    /// The slots that are listed.
    package var slots: Set<MediaSequenceNumber> { contents.slots }

    /// The keys of segments and initialization sections: the attributes for each key system, all of one key.
    package var keys: Set<[EncryptionKey]> { contents.mapKeys.union(contents.segmentKeys) }

    /// The keys of segments, in the order in which playlists first list them.
    var segmentKeys: [[EncryptionKey]] { contents.segmentKeys }

    /// The media playlists, in the order of their paths.
    var playlists: [Outline] { contents.playlists }

    /// Reads a media playlist again.
    ///
    /// - Throws: ``RekeyingError`` if it has changed, because it may not fit the others any more.
    func listed(_ outline: Outline) throws -> Listed {
        let listed = try Self.listed(outline.path, file)
        guard listed.text.hashValue == outline.textHash else {
            throw RekeyingError(outline.path, "it has changed meanwhile; copy it once its channel has stopped")
        }
        return listed
    }

    private static func listed(_ path: String, _ file: Reader) throws -> Listed {
        let text = String(buffer: try read(path, file))
        do throws(PlaylistParsingError) {
            return Listed(path: path, text: text, playlist: try MediaPlaylist(parsing: text))
        } catch {
            throw RekeyingError(path, "\(error)")
        }
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
