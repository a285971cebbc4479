package import MediaCore
package import Operations
package import Playlists
package import Presentation

/// The playlists of a finished asset, made of the slots of a recording, one after another.
///
/// Slots that lie in what is cut out, or that have no media at all, are left out, and a discontinuity stands in their
/// place. A slot that only some renditions lack is a gap of those. Keys stay those of the recording.
package struct AssetPlaylists: Sendable {
    private let terms: AssetTerms
    private let multivariants: [MultivariantName: MultivariantPlaylist]
    private var media: [Rendition] = []
    private(set) var timeline = AssetTimeline()
    private var longest = MediaTime.zero
    /// The numbers of the slots that are listed, from the first to the last.
    private var numbers: ClosedRange<MediaSequenceNumber>?
    /// Tags for above the next segment.
    private var pendingRanges: [DateRange] = []
    /// The IDs of date ranges that are left out because the channel alone has their assets.
    private var liveOnly: Set<String> = []

    /// A media playlist in the making.
    private struct Rendition {
        /// The path of the playlist.
        var uri: String
        var id: RenditionID
        var lines: PlaylistLines
        var hasMedia = false
    }

    /// - Parameters:
    ///   - multivariants: The multivariant playlists, with all renditions of the asset's time.
    ///   - openRanges: Date ranges that have begun before it and are not over.
    ///   - terms: The choices that were made for the asset.
    package init(
        _ multivariants: [MultivariantName: MultivariantPlaylist],
        openRanges: [DateRange],
        terms: AssetTerms
    ) {
        (self.multivariants, self.terms) = (multivariants, terms)
        note(openRanges)
        var seen: Set<String> = []
        for playlist in MultivariantName.allCases.compactMap({ multivariants[$0] }) {
            let pictures = Set(playlist.iFrameVariants.map(\.uri))
            for uri in playlist.uris where seen.insert(uri).inserted {
                let isPictures = pictures.contains(uri)
                let suffix = isPictures ? Self.picturesSuffix : Self.suffix
                guard uri.hasSuffix(suffix) else { continue }
                let id = RenditionID(String(uri.dropLast(suffix.count)))
                media.append(Rendition(uri: uri, id: id, lines: PlaylistLines(isIFramesOnly: isPictures)))
            }
        }
    }

    private static let suffix = ".m3u8"
    private static let picturesSuffix = "-iframes.m3u8"

    /// The length of the asset.
    package var duration: MediaTime { timeline.duration }
    /// The start of the first segment and the end of the last, in UTC; nil if there is none.
    package var extent: Range<MediaTime>? { timeline.extent }

    /// Adds the next slot.
    ///
    /// - Parameter slot: A slot, of a greater number than those before.
    /// - Returns: The paths of the segments and initialization sections that the playlists list of it.
    package mutating func append(_ slot: ListedSlot) -> [String] {
        note(slot.dateRanges.above)
        defer { note(slot.dateRanges.below) }
        guard let main = mainSegment(of: slot), terms.keeps(main) else { return [] }
        let isJoin = numbers.map { $0.upperBound.next != slot.number } ?? false
        let first = numbers?.lowerBound ?? slot.number
        let listedNumber = MediaSequenceNumber(first.value + Int64(timeline.count))
        let ranges = terms.kept(pendingRanges).lines
        var paths: [String] = []
        for index in media.indices {
            let segment = slot.segments[media[index].id]
            var line = segment?.line ?? main.missing(of: media[index].id, slot.number)
            if media[index].lines.isIFramesOnly {
                line.byteRange = segment?.iFrame
                line.isGap = line.isGap || line.byteRange == nil
            }
            if !line.isGap {
                media[index].hasMedia = true
                paths += [line.map?.uri, line.uri].compactMap(\.self)
            }
            longest = max(longest, line.duration.time)
            line.startsDiscontinuity = numbers != nil && (isJoin || line.startsDiscontinuity)
            line.cue = terms.cuts.isEmpty ? slot.dateRanges.cue : nil
            media[index].lines.append(lines: ranges)
            media[index].lines.append(terms.line(line, slot.number, listedAs: listedNumber))
        }
        timeline.append(start: main.programDateTime, length: main.duration.time)
        numbers = first...slot.number
        pendingRanges = []
        return paths
    }

    /// Notes tags for above the next segment.
    ///
    /// Interstitials with relative lists are left out, with all their tags: the channel serves such a list only while
    /// live playlists name it. Players of an asset see the break as it was broadcast.
    private mutating func note(_ tags: [DateRange]) {
        for tag in tags where tag.hasRelativeAsset { liveOnly.insert(tag.id) }
        pendingRanges += tags.filter { !liveOnly.contains($0.id) }
    }

    /// Returns the segment that represents a slot, from the first rendition that has one; nil if none has.
    private func mainSegment(of slot: ListedSlot) -> MediaPlaylist.Segment? {
        media.lazy.compactMap { slot.segments[$0.id]?.line }.first { !$0.isGap }
    }

    /// Returns the files of the asset that are text, by their names.
    ///
    /// - Parameter chapters: Chapters, in order.
    /// - Returns: The files; none if nothing is listed that players can open.
    package func files(chapters: [AssetChapter]) -> [String: String] {
        guard let numbers, let extent else { return [:] }
        var frame = MediaPlaylist(
            targetDuration: max(1, Int((longest.ticks + MediaTime.timescale / 2) / MediaTime.timescale)),
            mediaSequence: numbers.lowerBound,
            variables: terms.keyAddresses.variables(in: .media),
            isEnded: true
        )
        frame.isOnDemand = true
        let rest = terms.kept(pendingRanges).lines
        var files: [String: String] = [:]
        for rendition in media where rendition.hasMedia {
            frame.isIFramesOnly = rendition.lines.isIFramesOnly
            files[rendition.uri] = frame.head(of: [rendition.lines]) + rendition.lines.text + rest + frame.end
        }
        let document = ChapterDocument(chapters.map { (timeline.place(of: $0.start), $0) }, duration: duration)
        if !document.isEmpty { files[ChapterDocument.file] = document.text }
        for (name, playlist) in multivariants {
            var playlist = playlist.keeping(Set(files.keys))
            if playlist.variants.isEmpty { continue }
            // The pathways were those of live viewers at that time.
            playlist.steer(by: nil)
            playlist.start = nil
            let lead = terms.range.lowerBound - extent.lowerBound
            if lead > .zero { playlist.start = MultivariantPlaylist.Start(offset: lead, isPrecise: true) }
            if !document.isEmpty {
                playlist.sessionData.removeAll { $0.id == ChapterDocument.sessionDataID }
                var datum = SessionDatum()
                (datum.id, datum.uri) = (ChapterDocument.sessionDataID, ChapterDocument.file)
                playlist.sessionData.append(datum)
            }
            files[name.rawValue] = playlist.render()
        }
        return files[MultivariantName.everyPlayer.rawValue] == nil ? [:] : files
    }
}

extension MultivariantPlaylist {
    /// The playlist without the media playlists that are not there, and with the paths of `/NAME/recordings/ID/`.
    fileprivate func keeping(_ files: Set<String>) -> MultivariantPlaylist {
        var playlist = self
        playlist.variants.removeAll { !files.contains($0.uri) }
        playlist.iFrameVariants.removeAll { !files.contains($0.uri) }
        playlist.renditions.removeAll { $0.uri.map { !files.contains($0) } ?? false }
        playlist.subtitles.removeAll { !files.contains($0.uri) }
        let audio = Set(playlist.renditions.map(\.groupID))
        let subtitles = Set(playlist.subtitles.map(\.groupID))
        for index in playlist.variants.indices {
            // A group without a member is not one (RFC 8216bis § 4.4.6.2).
            if let group = playlist.variants[index].audioGroup, !audio.contains(group) {
                playlist.variants[index].audioGroup = nil
            }
            if let group = playlist.variants[index].subtitlesGroup, !subtitles.contains(group) {
                playlist.variants[index].subtitlesGroup = nil
            }
        }
        for index in playlist.sessionKeys.indices {
            playlist.sessionKeys[index].uri = AssetTerms.above(playlist.sessionKeys[index].uri)
        }
        for index in playlist.sessionData.indices {
            playlist.sessionData[index].uri = playlist.sessionData[index].uri.map(AssetTerms.above)
        }
        return playlist
    }
}

extension MediaPlaylist.Segment {
    /// Returns the gap of a rendition that lacks a slot which others have.
    fileprivate func missing(of id: RenditionID, _ number: MediaSequenceNumber) -> Self {
        let suffix = uri.split(separator: ".").last.map { ".\($0)" } ?? ""
        var gap = MediaPlaylist.Segment(
            uri: "\(id)/\(number)\(suffix)",
            duration: duration,
            programDateTime: programDateTime,
            isGap: true
        )
        gap.startsDiscontinuity = startsDiscontinuity
        return gap
    }
}
