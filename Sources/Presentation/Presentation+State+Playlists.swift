import MediaCore
import Playlists

/// Playlists as they follow from the state.
extension Presentation.State {
    /// Returns all playlists, nil while nothing is listed; it takes time.
    func listing(generation: Int) -> Listing? {
        var media: [RenditionID: ListedPlaylist] = [:]
        for rendition in renditions {
            media[rendition.id] = listedPlaylist(of: rendition)
            // A playlist that has been offered once stays, also while there are only gaps.
            guard meters[rendition.id.iFrames] != nil else { continue }
            media[rendition.id.iFrames] = listedPlaylist(of: rendition, isIFramesOnly: true)
        }
        guard !media.isEmpty else { return nil }
        let listed = renditions.filter { media[$0.id] != nil }
        let pictures = listed.filter { media[$0.id.iFrames] != nil }
        let ofEveryPlayer = listed.filter(\.isOfEveryPlayer)
        var multivariants = [
            MultivariantName.everyPlayer: multivariantPlaylist(of: ofEveryPlayer, withIFrames: pictures)
        ]
        if ofEveryPlayer.count < listed.count {
            multivariants[.withIMSC1] = multivariantPlaylist(of: listed, withIFrames: pictures)
        }
        return Listing(
            generation: generation,
            rendering: renderings,
            multivariants: multivariants,
            media: media,
            served: installedPlaylists,
            executor: texts
        )
    }

    /// Returns the media playlist of a declared rendition; nil if it is not listed.
    func listedPlaylist(of id: RenditionID) -> ListedPlaylist? {
        renditions.first { $0.id == id }.flatMap { listedPlaylist(of: $0) }
    }

    private func listedPlaylist(
        of rendition: RenditionDescription,
        isIFramesOnly: Bool = false
    ) -> ListedPlaylist? {
        var playlist = window.playlist(
            of: rendition.id,
            isIFramesOnly: isIFramesOnly,
            targetDuration: configuration.targetDuration,
            keyAddresses: configuration.keyAddresses,
            keyHint: keyHints[rendition.id],
            isEnded: isEnded
        )
        playlist?.frame.isOnDemand = configuration.isOnDemand
        if let lowLatency { playlist?.add(lowLatency, of: rendition, in: self) }
        return playlist
    }
}

extension ListedPlaylist {
    /// Adds all that low latency brings.
    ///
    /// EXT-X-SERVER-CONTROL is in every playlist. Parts, the hint and EXT-X-PART-INF are in playlists whose media comes
    /// in parts. Reports are in all playlists but those of I-frames (RFC 8216bis § 4.4.3.7, 4.4.3.8, 4.4.5.3, 4.4.5.4
    /// and B.1).
    fileprivate mutating func add(
        _ lowLatency: LowLatency,
        of rendition: RenditionDescription,
        in state: Presentation.State
    ) {
        self.lowLatency = lowLatency
        frame.serverControl = lowLatency.serverControl
        removedRanges = state.removedRanges.identifiers(at: state.window.end, within: lowLatency.skipBoundary)
        if frame.isIFramesOnly { return }
        if !frame.isEnded { frame.reports = state.reports(besides: rendition.id) }
        guard rendition.hasParts, let last = state.window.lastNumber else { return }
        frame.partTarget = lowLatency.partTarget
        let timeline = state.timelines[rendition.id]
        for slot in timeline?.parts.slots ?? [] { parts[slot.number] = slot.lines }
        if let open = timeline?.parts[last.next] {
            frame.openSegments = [open.segment(of: rendition.id, after: slots.last, keyAddresses)]
        }
        if !frame.isEnded { frame.hints = [state.hint(of: rendition.id, after: last)] }
    }
}

extension Presentation.State {
    /// Returns the hint at the part that follows those that the playlist lists.
    fileprivate func hint(of id: RenditionID, after last: MediaSequenceNumber) -> MediaPlaylist.PreloadHint {
        let parts = timelines[id]?.parts
        // The next slot has begun, though the one before is not whole: nothing follows in that.
        let begun = parts?.slots.first { $0.number > last.next }.map { PlaylistPosition($0.number, part: 0) }
        let next = begun ?? parts?.next(after: last) ?? PlaylistPosition(last.next, part: 0)
        return MediaPlaylist.PreloadHint(kind: .part, uri: id.partPath(next))
    }

    /// Returns the reports on all playlists but one, and those of pictures.
    fileprivate func reports(besides id: RenditionID) -> [MediaPlaylist.RenditionReport] {
        guard let last = window.lastNumber else { return [] }
        return renditions.filter { $0.id != id && window.lists($0.id) }.map { rendition in
            let parts = timelines[rendition.id]?.parts
            let number = parts?[last.next] == nil ? last : last.next
            let count = parts?.count(of: number) ?? 0
            // A segment that came as a whole, after a restart for instance, counts as one part.
            let hasParts = timelines[rendition.id]?.playlist?.hasParts == true
            return MediaPlaylist.RenditionReport(
                uri: rendition.id.playlistPath,
                lastSequence: number,
                lastPart: count > 0 ? count - 1 : hasParts ? 0 : nil
            )
        }
    }
}

extension RenditionParts.Slot {
    /// Returns the unfinished segment of the slot; unknown values are those of the segment before.
    fileprivate func segment(
        of id: RenditionID,
        after last: ListedSlot?,
        _ addresses: KeyAddresses
    ) -> MediaPlaylist.OpenSegment {
        let before = last?.segments[id]?.line
        let end = before.map { $0.programDateTime + $0.duration.time } ?? .zero
        let map = opening?.map(of: id)
        return MediaPlaylist.OpenSegment(
            programDateTime: opening?.programDateTime ?? end,
            startsDiscontinuity: opening?.startsDiscontinuity ?? false,
            keys: map == nil ? before?.keys ?? [] : opening?.keys ?? [],
            map: map ?? before?.map,
            parts: lines
        ).naming(keys: addresses)
    }
}

extension PublishedPart.Opening {
    /// Returns the map for the parts of its slot; nil if the segment before has the same.
    func map(of id: RenditionID) -> MediaInitialization? {
        initialization.map { MediaInitialization(uri: "\(id)/\($0.name)", keys: $0.keys) }
    }
}

extension MediaPlaylist.OpenSegment {
    /// Names the addresses of keys, as ``MediaPlaylist/Segment/naming(keys:)`` does.
    fileprivate func naming(keys addresses: KeyAddresses) -> Self {
        guard !addresses.isPlain else { return self }
        var segment = self
        segment.keys = keys.map(addresses.playlistKey)
        segment.map?.keys = (map?.keys ?? []).map(addresses.playlistKey)
        return segment
    }
}
