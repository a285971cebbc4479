package import ContentProtection
package import Files
import Foundation
package import MediaCore
package import NIOCore
package import Operations
package import Playlists
import Presentation
import Rekeying

/// Makes finished assets of a recording.
package struct AssetMaker: Sendable {
    /// Returns the keys of slots.
    package typealias Keys = @Sendable (Set<MediaSequenceNumber>) async throws -> RecalledKeys

    /// Makes JPEG of a key frame; nil if that cannot be decoded.
    package typealias Thumbnails = @Sendable (KeyFrame) async -> ByteBuffer?

    let recording: any RecordedChannel
    private let slot: MediaTime
    private let keyAddresses: KeyAddresses
    let keys: Keys
    /// Makes a picture of a key frame, as JPEG; nil if none are made.
    private let thumbnail: Thumbnails?
    let fileSystem: any FileSystem

    /// An asset that was made.
    package struct Made: Hashable, Sendable {
        /// UTC of its first and last media.
        package var extent: Range<MediaTime>
        package var duration: MediaTime
        package var byteCount: Int
        /// The name of the file that players open.
        package var file: String
        /// The channel's keys that it needs; none if it is in the clear or has keys of its own.
        package var keys = ChannelKeySlots()
    }

    /// The name of an asset that is one file.
    static let clipFile = "clip.mp4"
    /// Slots that are held in memory at a time.
    private static let step: Int64 = 256

    /// - Parameters:
    ///   - recording: The recording.
    ///   - slot: The duration of a slot.
    ///   - keyAddresses: The form in which the channel's playlists write the addresses of keys.
    ///   - keys: Returns the keys of slots; needed for MP4 and for new keys alone.
    ///   - thumbnail: Makes pictures for viewers; nil if there shall be none.
    ///   - fileSystem: The file system that assets are kept in; MP4 is written to this machine's.
    package init(
        _ recording: any RecordedChannel,
        slot: MediaTime,
        keyAddresses: KeyAddresses = KeyAddresses(),
        keys: @escaping Keys,
        thumbnail: Thumbnails? = nil,
        fileSystem: any FileSystem = LocalFileSystem.confidential
    ) {
        (self.recording, self.slot, self.keyAddresses, self.keys) = (recording, slot, keyAddresses, keys)
        (self.thumbnail, self.fileSystem) = (thumbnail, fileSystem)
    }

    /// Makes an asset; it waits for the disk.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - programme: The programme that it names; nil if it names none.
    ///   - newKeys: The keys that a copy has instead of those of its time, one for each class of tracks; nil for the
    ///     same.
    ///   - isWanted: Returns false once the asset was removed; called before each file.
    ///   - folder: The directory of the asset.
    /// - Returns: A summary.
    /// - Throws: An error with the reason in words; `CancellationError` if the asset was removed.
    package func make(
        _ request: AssetRequest,
        programme: (start: MediaTime, end: MediaTime?)?,
        newKeys: [PeriodKey]? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true },
        in folder: String
    ) async throws -> Made {
        guard let from = request.from?.time ?? programme?.start else { throw AssetError.noProgramme }
        guard let to = request.to?.time ?? programme?.end, from < to else { throw AssetError.noEnd }
        // The length of a programme is not known at the request.
        let longest = newKeys == nil ? AssetSchedule.longestAsset : AssetSchedule.longestRekeyed
        guard to - from <= longest else { throw AssetError.tooLong(longest) }
        guard let extent = recording.extent else { throw AssetError.nothingRecorded }
        // Segments begin near the start of their slots, not always after it.
        let first = MediaSequenceNumber(from.ticks / slot.ticks - 1)
        let numbers = (first..<MediaSequenceNumber(to.ticks / slot.ticks + 2)).clamped(to: extent)
        let times = try programmeTimes(in: numbers)
        let terms = AssetTerms(
            range: from..<to,
            cuts: request.cutsBreaks ? times.breaks : [],
            hasMedia: request.form == .copy,
            keyAddresses: keyAddresses
        )
        try fileSystem.makeDirectory(folder)
        let room = AssetDiskSpace(fileSystem: fileSystem, folder: folder, isWanted: isWanted)
        switch request.form {
        case .mp4: return try await clip(request, terms, numbers, in: room)
        case .copy, .reference: return try await playlists(request, terms, times, numbers, newKeys, in: room)
        }
    }

    private func programmeTimes(in numbers: Range<MediaSequenceNumber>) throws -> ProgrammeTimes {
        var tags = try recording.openRanges(at: numbers.lowerBound)
        try forEachSlot(of: numbers) { tags += $0.dateRanges.all }
        return ProgrammeTimes(tags)
    }

    /// Reads the slots of a range, some at a time.
    private func forEachSlot(
        of numbers: Range<MediaSequenceNumber>,
        _ body: (ListedSlot) throws -> Void
    ) throws {
        var start = numbers.lowerBound
        while start < numbers.upperBound {
            let end = min(start.advanced(by: Self.step), numbers.upperBound)
            for slot in try recording.recordedSlots(in: start..<end) { try body(slot) }
            start = end
        }
    }

    private func playlists(
        _ request: AssetRequest,
        _ terms: AssetTerms,
        _ times: ProgrammeTimes,
        _ numbers: Range<MediaSequenceNumber>,
        _ newKeys: [PeriodKey]?,
        in room: AssetDiskSpace
    ) async throws -> Made {
        let multivariants = try multivariants(in: numbers)
        let smallest = multivariants[.everyPlayer]?.smallestVideo
        var pictures = ThumbnailPlan(length: terms.range.upperBound - terms.range.lowerBound)
        let openRanges = try recording.openRanges(at: numbers.lowerBound)
        var playlists = AssetPlaylists(multivariants, openRanges: openRanges, terms: terms)
        if terms.hasMedia { try room.require(try mediaByteCount(of: playlists, numbers)) }
        var byteCount = 0
        var maps: Set<String> = []
        var listed: Set<MediaSequenceNumber> = []
        var keys = ChannelKeySlots()
        // With new keys, media is read once its playlists are whole.
        let copiesMedia = terms.hasMedia && newKeys == nil
        try forEachSlot(of: numbers) { slot in
            let place = playlists.duration
            let paths = playlists.append(slot)
            if !paths.isEmpty { listed.insert(slot.number) }
            if newKeys == nil { keys.note(slot, paths) }
            if let segment = smallest.flatMap({ slot.segments[$0]?.line }), paths.contains(segment.uri) {
                pictures.offer(segment, at: place)
            }
            if copiesMedia { byteCount += try copy(paths, of: slot, besides: &maps, to: room) }
        }
        let chapters = request.chapters.isEmpty ? times.chapters(ofClass: request.chapterClass) : request.chapters
        let files = playlists.files(chapters: chapters.filter { terms.range.contains($0.start) })
        let duration = playlists.duration
        guard let extent = playlists.extent, !files.isEmpty else { throw AssetError.nothingRecorded }
        // Free the playlists: their lines are in the files, and copying media under new keys takes long.
        playlists = AssetPlaylists([:], openRanges: [], terms: terms)
        if let newKeys {
            byteCount = try await rekey(files, of: listed, with: newKeys, in: room)
        } else {
            for (name, text) in files { try fileSystem.create("\(room.folder)/\(name)", ByteBuffer(string: text)) }
            byteCount += files.values.reduce(0) { $0 + $1.utf8.count }
        }
        byteCount += try await make(pictures, duration: duration, in: room)
        let file = MultivariantName.everyPlayer.rawValue
        return Made(extent: extent, duration: duration, byteCount: byteCount, file: file, keys: keys)
    }

    /// Copies media of a slot.
    ///
    /// - Parameters:
    ///   - paths: The paths of its segments and initialization sections.
    ///   - slot: The slot.
    ///   - maps: The initialization sections so far, to which those of the slot are added.
    ///   - room: The directory of the asset, and its room.
    /// - Returns: The bytes that were copied.
    /// - Throws: ``AssetError``, or the error of the recording or of the disk.
    private func copy(
        _ paths: [String],
        of slot: ListedSlot,
        besides maps: inout Set<String>,
        to room: AssetDiskSpace
    ) throws -> Int {
        // Other writers use the disk as well.
        try room.require(slot.byteCount(of: paths))
        var byteCount = 0
        for path in Set(paths).sorted() where !maps.contains(path) {
            if path.hasSuffix(".mp4") { maps.insert(path) }
            guard let bytes = try recording.bytes(at: path) else { throw AssetError.gone(path: path) }
            try fileSystem.create("\(room.folder)/\(path)", bytes)
            byteCount += bytes.readableBytes
        }
        return byteCount
    }

    /// The bytes of the segments that playlists are to list.
    private func mediaByteCount(
        of playlists: AssetPlaylists,
        _ numbers: Range<MediaSequenceNumber>
    ) throws -> Int {
        var (playlists, byteCount) = (playlists, 0)
        try forEachSlot(of: numbers) { byteCount += $0.byteCount(of: playlists.append($0)) }
        return byteCount
    }

    /// Makes thumbnails, and a poster of the first.
    ///
    /// - Returns: Bytes of their files.
    private func make(_ plan: ThumbnailPlan, duration: MediaTime, in room: AssetDiskSpace) async throws -> Int {
        guard let thumbnail else { return 0 }
        var (made, byteCount): ([Int], Int) = ([], 0)
        for (index, planned) in plan.thumbnails.enumerated() {
            try room.checkCancellation()
            guard let map = planned.segment.map, let section = try recording.bytes(at: map.uri),
                let segment = try recording.bytes(at: planned.segment.uri),
                let frame = KeyFrame.first(of: segment, section), let picture = await thumbnail(frame)
            else { continue }
            try fileSystem.create("\(room.folder)/\(ThumbnailPlan.file(index))", picture)
            if made.isEmpty { try fileSystem.create("\(room.folder)/\(ThumbnailPlan.poster)", picture) }
            byteCount += picture.readableBytes
            made.append(index)
        }
        guard !made.isEmpty else { return 0 }
        let text = plan.text(made: made, duration: duration)
        try fileSystem.create("\(room.folder)/\(ThumbnailPlan.file)", ByteBuffer(string: text))
        return byteCount + text.utf8.count
    }

    /// The multivariant playlists, with all renditions that the channel had in a range.
    private func multivariants(
        in numbers: Range<MediaSequenceNumber>
    ) throws -> [MultivariantName: MultivariantPlaylist] {
        let declared = try recording.multivariants(in: numbers)
        var found: [MultivariantName: MultivariantPlaylist] = [:]
        for name in MultivariantName.allCases {
            found[name] = try MultivariantPlaylist(merging: declared.compactMap { $0[name] })
        }
        guard !found.isEmpty else { throw AssetError.nothingRecorded }
        return found
    }

    private func clip(
        _ request: AssetRequest,
        _ terms: AssetTerms,
        _ numbers: Range<MediaSequenceNumber>,
        in room: AssetDiskSpace
    ) async throws -> Made {
        let pieces = terms.pieces
        let length = pieces.reduce(MediaTime.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        guard length <= ClipPlan.longest else { throw ClipError.tooLong(ClipPlan.longest) }
        guard let playlist = try multivariants(in: numbers)[.everyPlayer] else { throw AssetError.nothingRecorded }
        var counts: [RenditionID: Int] = [:]
        try forEachSlot(of: numbers) { slot in
            for (id, segment) in slot.segments where !segment.line.isGap { counts[id, default: 0] += 1 }
        }
        let ids = try playlist.clipRenditions(video: request.rendition, counts)
        var renditions = ids.map { ClipRendition(id: $0, segments: []) }
        var byteCount = 0
        try forEachSlot(of: numbers) { slot in
            for index in renditions.indices { renditions[index].append(slot) }
            byteCount += ids.reduce(0) { $0 + (slot.segments[$1]?.byteCount ?? 0) }
        }
        try room.require(byteCount)
        let encrypted = renditions.flatMap(\.segments).filter { !$0.line.keys.isEmpty }.map(\.number)
        let known = encrypted.isEmpty ? [:] : try await keys(Set(encrypted)).keys
        let media = CancellableMedia(media: recording, room: room)
        let maker = ClipMaker(media, opener: SegmentOpener(known: known))
        let summary = try maker.make(renditions, pieces: pieces, at: "\(room.folder)/\(Self.clipFile)")
        guard let first = summary.pieces.first, let last = summary.pieces.last else { throw AssetError.nothingRecorded }
        return Made(
            extent: first.lowerBound..<last.upperBound,
            duration: summary.pieces.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) },
            byteCount: summary.byteCount,
            file: Self.clipFile
        )
    }
}

extension ListedSlot {
    /// The bytes of those of its segments that paths name.
    fileprivate func byteCount(of paths: [String]) -> Int {
        segments.values.reduce(0) { $0 + (paths.contains($1.line.uri) ? $1.byteCount : 0) }
    }
}
