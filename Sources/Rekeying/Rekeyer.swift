package import ContentProtection
package import Files
import Foundation
import Glibc
import Inspection
package import MediaCore
import NIOCore
import Playlists

/// Copies a recording of a stream whose keys have changed, under one key for each class.
///
/// Media is decrypted and encrypted again, one file after the other, and one playlist after the
/// other. The copy appears whole or not at all.
package struct Rekeyer {
    /// A summary of the work done.
    package struct Summary: Hashable, Sendable {
        package var playlists = 0
        package var segments = 0
        package var gaps = 0
        package var initializationSections = 0
        /// The number of the recording's sections that were merged into others.
        package var mergedSections = 0
        /// Bytes of all files of the copy.
        package var byteCount = 0
    }

    private let recording: PublishedDirectory
    private let recorded: RecordedKeys
    private let replacements: [KeyClass: PeriodKey]
    private let fileSystem: any FileSystem

    /// - Parameters:
    ///   - recording: The recording that is copied.
    ///   - known: The keys of the recording, by their IDs.
    ///   - replacements: The keys of the copy.
    ///   - fileSystem: The file system that the copy is written to.
    package init(
        _ recording: PublishedDirectory,
        known: [KeyID: PeriodKey],
        replacements: [KeyClass: PeriodKey],
        fileSystem: any FileSystem = LocalFileSystem.published
    ) {
        self.recording = recording
        recorded = RecordedKeys(known)
        (self.replacements, self.fileSystem) = (replacements, fileSystem)
    }

    /// The URI of an unknown key that the recording needs; nil if all keys are known.
    package var unknownKey: String? {
        recording.keys.first { keys in !keys.contains { recorded.key(of: $0.uri) != nil } }?.first?.uri
    }

    /// Makes the copy.
    ///
    /// - Parameter destination: The path of the copy, which must not exist.
    /// - Returns: A summary of the work done.
    /// - Throws: ``RekeyingError``, or `FileError` if it cannot be written; then there is no copy.
    package func copy(to destination: String) throws -> Summary {
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw RekeyingError(destination, "it is there already; a copy needs a place of its own")
        }
        let unfinished = "\(destination).\(getpid())\(LocalFileSystem.temporarySuffix)"
        do {
            let summary = try write(to: unfinished, isDurable: true)
            guard rename(unfinished, destination) == 0 else {
                throw FileError(operation: "rename", path: unfinished, code: errno)
            }
            return summary
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
    }

    /// The files of the copy that are written already.
    private struct Copied {
        /// The directory that they are in.
        let directory: String
        /// True if each withstands a power cut once it is written.
        let isDurable: Bool
        var summary = Summary()
        /// Initialization sections of the copy, by those of the recording.
        var maps: [MediaInitialization: MediaInitialization] = [:]
        /// Paths of initialization sections.
        var sections: Set<String> = []
        /// The segments that later playlists may list again.
        var segments: CopiedSegments
        /// The initialization section that was parsed last.
        var parsed: (map: MediaInitialization, section: ParsedInitialization)?
    }

    /// Writes the copy into a directory.
    ///
    /// After a failure, files may be left there.
    ///
    /// The disk is not waited for: a channel that is recorded on it would wait as well.
    ///
    /// - Parameter directory: The path of the directory, which need not exist.
    /// - Returns: A summary of the work done.
    /// - Throws: ``RekeyingError``, `FileError` if it cannot be written, or what reading the recording throws.
    package func write(to directory: String) throws -> Summary { try write(to: directory, isDurable: false) }

    private func write(to directory: String, isDurable: Bool) throws -> Summary {
        let segments = CopiedSegments(recording.playlists)
        var copied = Copied(directory: directory, isDurable: isDurable, segments: segments)
        while let outline = copied.segments.next() {
            // One playlist is in memory at a time.
            var listed = try recording.listed(outline)
            for (index, number) in listed.playlist.numbers.enumerated() {
                try copy(&listed.playlist.segments[index], number, of: outline, &copied)
            }
            let text = RekeyedPlaylist.text(listed.playlist, keepingLinesOf: listed.text)
            try put(ByteBuffer(string: text), outline.path, &copied)
        }
        let multivariants = try multivariants()
        let sessionData = multivariants.values.flatMap(\.sessionData)
        if sessionData.contains(where: { $0.uri == SessionDatum.localizedNamesFile }) {
            try put(try recording.read(SessionDatum.localizedNamesFile), SessionDatum.localizedNamesFile, &copied)
        }
        for (name, playlist) in multivariants {
            try put(ByteBuffer(string: playlist.render()), name.rawValue, &copied)
        }
        var summary = copied.summary
        summary.playlists = recording.playlists.count + multivariants.count
        summary.initializationSections = copied.sections.count
        summary.mergedSections = Set(copied.maps.keys.map(\.uri)).count - copied.sections.count
        return summary
    }

    /// Copies a listed segment, with its initialization section and keys, and writes the line of the copy's playlist.
    private func copy(
        _ segment: inout MediaPlaylist.Segment,
        _ number: MediaSequenceNumber,
        of playlist: PublishedDirectory.Outline,
        _ copied: inout Copied
    ) throws {
        let recorded = segment
        guard !recorded.isGap else {
            // Keys and map above a gap stay in force. Its own need not exist.
            (segment.map, segment.keys) = (nil, [])
            if !playlist.isIFramesOnly { copied.summary.gaps += 1 }
            return
        }
        if let map = recorded.map, copied.maps[map] == nil {
            let replaced = try copy(map, of: recorded, &copied)
            copied.maps[map] = replaced
        }
        segment.map = recorded.map.flatMap { copied.maps[$0] }
        segment.keys = try at(playlist.path) { () throws(RekeyingProblem) in
            try keys(replacing: recorded.keys, isOfMap: false)
        }
        let subject = SegmentRekeyer.Subject(path: recorded.uri, number: number)
        let file = CopiedSegments.File(subject: subject, keys: recorded.keys, map: recorded.map)
        if let before = copied.segments[recorded.uri] {
            guard before.file == file else {
                throw RekeyingError(recorded.uri, "it is listed with two keys, or under two numbers")
            }
            if recorded.byteRange?.lowerBound == 0, let count = before.pictureByteCount {
                segment.byteRange = 0..<count
            }
            return
        }
        if let map = recorded.map, copied.parsed?.map != map, !recorded.keys.isEmpty {
            copied.parsed = try parsed(map).map { (map, $0) }
        }
        let section = copied.parsed?.map == recorded.map ? copied.parsed?.section : nil
        let pictureByteCount = try copy(file, section, &copied)
        copied.segments.add(CopiedSegments.Segment(file: file, pictureByteCount: pictureByteCount))
        copied.summary.segments += 1
    }

    /// - Returns: The bytes up to the end of the first picture, if their number may have changed.
    private func copy(
        _ file: CopiedSegments.File,
        _ section: ParsedInitialization?,
        _ copied: inout Copied
    ) throws -> Int? {
        let path = file.subject.path
        var bytes = try recording.read(path)
        var pictureByteCount: Int?
        try at(path) { () throws(RekeyingProblem) in
            guard let replacement = try replacement(for: file.keys) else { return }
            let rekeyer = SegmentRekeyer(replacement: replacement)
            if replacement.method.isOfSegments {
                bytes = try rekeyer.resealed(bytes, file.subject, vector: file.keys.first?.initializationVector)
            } else if let section {
                bytes = try rekeyer.resampled(bytes, section)
            } else if file.map == nil {
                let vector = file.keys.lazy.compactMap(\.initializationVector).first
                (bytes, pictureByteCount) = try rekeyer.resampled(bytes, file.subject, vector: vector)
            } else {
                throw RekeyingProblem("its initialization section is encrypted as a whole")
            }
        }
        try put(bytes, path, &copied)
        return pictureByteCount
    }

    /// Copies an initialization section under a name of its contents, so that equal ones become one.
    private func copy(
        _ map: MediaInitialization,
        of segment: MediaPlaylist.Segment,
        _ copied: inout Copied
    ) throws -> MediaInitialization {
        var bytes = try recording.read(map.uri)
        let subject = SegmentRekeyer.Subject(path: map.uri, number: nil)
        let keys = try at(map.uri) { () throws(RekeyingProblem) in
            if let replacement = try replacement(for: map.keys), replacement.method.isOfSegments {
                let vector = map.keys.first?.initializationVector
                bytes = try SegmentRekeyer(replacement: replacement).resealed(bytes, subject, vector: vector)
            } else if let replacement = try replacement(for: segment.keys), !replacement.method.isOfSegments {
                bytes = try RekeyedInitialization.rekeyed(bytes, replacement)
            }
            return try self.keys(replacing: map.keys, isOfMap: true)
        }
        let path = "\(subject.rendition)/init-\(ContentHash.everyByte(of: bytes)).mp4"
        if copied.sections.insert(path).inserted { try put(bytes, path, &copied) }
        return MediaInitialization(uri: path, keys: keys)
    }

    /// Reads an initialization section; returns nil if it is encrypted as a whole, since no segment depends on it then.
    private func parsed(_ map: MediaInitialization) throws -> ParsedInitialization? {
        guard map.keys.first?.method.isOfSegments != true else { return nil }
        let bytes = try recording.read(map.uri)
        return try at(map.uri) { () throws(RekeyingProblem) in
            do throws(MalformedBoxError) {
                return try ParsedInitialization(bytes)
            } catch {
                throw RekeyingProblem("\(error)")
            }
        }
    }

    private func multivariants() throws -> [MultivariantName: MultivariantPlaylist] {
        try Dictionary(
            uniqueKeysWithValues: recording.multivariants.map { ($0, try rekeyed($1, at: $0.rawValue)) }
        )
    }

    private func rekeyed(_ playlist: MultivariantPlaylist, at path: String) throws -> MultivariantPlaylist {
        var playlist = playlist
        // A start near the live edge makes no sense in a finished recording.
        if let start = playlist.start, start.offset < .zero { playlist.start = nil }
        guard !playlist.sessionKeys.isEmpty else { return playlist }
        // All keys that are loaded for later have to be named here.
        playlist.sessionKeys = try at(path) { () throws(RekeyingProblem) in try listedKeys() }
        return playlist
    }

    /// The new keys that segments of the copy need, in their order.
    private func listedKeys() throws(RekeyingProblem) -> [EncryptionKey] {
        var keys: [EncryptionKey] = []
        var seen: Set<EncryptionKey> = []
        for key in recording.segmentKeys.joined() {
            guard let replaced = try replacement(for: [key])?.replacing(key, isOfMap: false) else { continue }
            if seen.insert(replaced).inserted { keys.append(replaced) }
        }
        return keys
    }

    private func keys(replacing keys: [EncryptionKey], isOfMap: Bool) throws(RekeyingProblem) -> [EncryptionKey] {
        guard let replacement = try replacement(for: keys) else { return [] }
        var replaced: [EncryptionKey] = []
        for key in keys { replaced.append(try replacement.replacing(key, isOfMap: isOfMap)) }
        return replaced
    }

    private func replacement(for keys: [EncryptionKey]) throws(RekeyingProblem) -> KeyReplacement? {
        try KeyReplacement(for: keys, recorded: recorded, replacements: replacements)
    }

    private func at<T>(_ path: String, _ body: () throws(RekeyingProblem) -> T) throws(RekeyingError) -> T {
        do throws(RekeyingProblem) { return try body() } catch { throw RekeyingError(path, error.reason) }
    }

    private func put(_ bytes: ByteBuffer, _ path: String, _ copied: inout Copied) throws(FileError) {
        try fileSystem.create("\(copied.directory)/\(path)", bytes)
        if copied.isDurable { try fileSystem.synchronize("\(copied.directory)/\(path)") }
        copied.summary.byteCount += bytes.readableBytes
    }
}
