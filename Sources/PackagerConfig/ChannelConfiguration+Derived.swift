package import MediaCore
package import Timeline

extension ChannelConfiguration {
    /// The grid that its segments are cut on.
    package var grid: SegmentGrid { SegmentGrid(slotDuration: segmentDuration) }

    /// The longest duration of a part: EXT-X-PART-INF's PART-TARGET; nil if there are none.
    package var partTarget: MediaTime? { partDuration > .zero ? partDuration : nil }

    /// True for a job: it makes files from files as fast as possible, and then ends.
    package var endsByItself: Bool { !isRealtime && !isLooping && output != nil }

    /// A window that no segment leaves: 30 days, more than can be configured, and longer than any file.
    static let wholeFeed = MediaTime(seconds: 30 * 86_400)

    /// True if playlists list all of the feed, and are complete at its end.
    package var keepsWholeFeed: Bool { window == Self.wholeFeed }

    /// True if all inputs are pipes, which cannot be opened again.
    package var isOfPipesAlone: Bool { (inputs + backups).allSatisfy { $0.kind == .pipe } }

    /// Slots in a crypto period: the nearest whole number, at least one; nil for keys that never change.
    package var slotsPerPeriod: Int64? {
        keys.rotation > .zero ? grid.slots(in: keys.rotation) : nil
    }

    /// The number of slots that go out in the clear when the channel first begins, rounded up.
    package var clearLeadSlots: Int64 {
        (keys.clearLead.ticks + segmentDuration.ticks - 1) / segmentDuration.ticks
    }

    /// The key systems whose clients can decrypt, in the order in which playlists name them.
    ///
    /// Apple forbids an identity key beside another system: its holder would need no licence of the other.
    package var keySystems: [KeySystem] {
        let systems = KeySystem.licensed.filter(keys.drm.contains)
        return systems + (systems.isEmpty || keys.offersIdentity ? [.identity] : [])
    }

    /// The kinds of splices that count as advertisements.
    package var advertisements: [AdvertisementKind] {
        splices.givenAdvertisements.isEmpty ? AdvertisementKind.usual : splices.givenAdvertisements
    }

    /// The interstitials that players play in place of breaks.
    package var interstitials: [InterstitialTemplate] {
        ads.givenInterstitials.isEmpty && ads.source != nil ? [InterstitialTemplate()] : ads.givenInterstitials
    }

    /// The key system whose next key media playlists announce; nil for none, such as if keys are public.
    package var hintedKey: KeySystem? {
        keys.hint == .automatic ? keySystems.first { $0 != .identity } : keys.hint.system
    }

    /// The required output protection; none if anyone has the key.
    package var outputProtection: OutputProtection { keys.drm.isEmpty ? .none : keys.hdcpLevel }

    /// The value of ALLOWED-CPC; nil to omit it.
    package var allowedContentProtection: String? { keys.drm.isEmpty ? nil : keys.allowedCPC }

    /// The program that is read; nil for the first that has any media.
    package var program: Int? { programs.first }

    /// The name that a key server knows the channel by.
    package var contentID: String { keys.givenContentID ?? name }

    /// The source of the master secret of derived keys.
    package var keySecret: KeySecret {
        if let file = keys.secretFile { return .file(file) }
        // Channels of one state directory may share the secret: their keys differ all the same.
        return state.map { .createdFile("\($0)/master.key") } ?? .memory
    }

    /// The shortest window whose playlists have segments that a delta update can leave out: CAN-SKIP-UNTIL, which is
    /// six target durations (RFC 8216bis § 4.4.3.8), and one segment more.
    static func minimumWindowOfDeltas(_ grid: SegmentGrid) -> MediaTime {
        grid.longestSegment * 6 + grid.slotDuration
    }

    /// The shortest window: six segments, and three target durations (RFC 8216bis § 6.2.2).
    static func minimumWindow(_ grid: SegmentGrid) -> MediaTime {
        max(grid.slotDuration * 6, grid.longestSegment * 3)
    }
}

extension SegmentGrid {
    /// The nearest whole number of slots, at least one.
    func slots(in duration: MediaTime) -> Int64 {
        max(1, (duration.ticks + slotDuration.ticks / 2) / slotDuration.ticks)
    }
}

extension ChannelConfiguration {
    /// Subtitles that come beside the feeds.
    package var subtitlesBesideFeeds: [SubtitleDescription] { text.subtitles.filter { $0.attributes.service == nil } }

    /// The texts inside the feeds that become subtitles: the requested ones, and those that are described.
    package var wantedFeedSubtitles: FeedSubtitles {
        let described = text.subtitles.compactMap { description -> FeedSubtitles.Choice? in
            switch description.attributes.service {
            case .teletext(let page)?: .page(page)
            case .captions(let channel)?: .captions(channel)
            case .track?, .bitmaps?, nil: nil
            }
        }
        return FeedSubtitles(text.feedSubtitles + described.filter { !text.feedSubtitles.contains($0) })
    }
}
