import MediaCore
import Playlists

extension Presentation.State {
    func multivariantPlaylist(
        of listed: [RenditionDescription],
        withIFrames pictures: [RenditionDescription]
    ) -> MultivariantPlaylist {
        let audio = listed.filter { $0.kind == .audio }
        let videos = listed.filter { $0.kind == .video }.inOrderOfSize
        // If all video is of standard range, VIDEO-RANGE need not be given (Apple's authoring specification § 9.16).
        let hasRanges = videos.contains { $0.videoRange != .standard }
        let captions = ClosedCaptionsGroup(of: videos)
        let groups = SubtitlesGroup.groups(of: listed)
        // Each pairing is listed once with each group of subtitles, first the group that all players read (Apple's
        // authoring specification § 5.2).
        let variants = (groups.isEmpty ? [nil] : groups.map(Optional.some)).flatMap { subtitles in
            pairings(videos: videos, audio: audio).map { leader, group in
                variant(ledBy: leader, group: group, subtitles, hasRanges: hasRanges, captions: captions)
            }
        }
        var playlist = MultivariantPlaylist(
            variants: variants,
            iFrameVariants: pictures.inOrderOfSize.map { iFrameVariant(of: $0, hasRanges: hasRanges) },
            renditions: Self.groupLeaders(of: audio).flatMap { leader in
                Self.group(of: leader, in: audio).map { $0.rendition(in: leader.audioGroup) }
            },
            subtitles: groups.flatMap { group in group.members.map { $0.subtitles(in: group.id) } },
            closedCaptions: captions.members,
            sessionKeys: sessionKeys.map(configuration.keyAddresses.playlistKey),
            variables: configuration.keyAddresses.variables(in: .multivariant),
            // The tag speaks of every segment that any of the playlists lists (RFC 8216bis § 4.4.2.1).
            hasIndependentSegments: window.sums.dependentSegments == 0
        )
        (playlist.sessionData, playlist.start) = (configuration.sessionData, configuration.start)
        playlist.steer(by: configuration.steering)
        return playlist
    }

    /// Returns the combinations that can be played: each video with each group of audio, or each group alone if there
    /// is no video.
    private func pairings(
        videos: [RenditionDescription],
        audio: [RenditionDescription]
    ) -> [(leader: RenditionDescription, group: [RenditionDescription])] {
        let leaders = Self.groupLeaders(of: audio)
        let groups = leaders.map { leader in (leader: leader, group: Self.group(of: leader, in: audio)) }
        if videos.isEmpty { return groups }
        let named = groups.map(\.group).filter { !$0.isEmpty }
        if named.isEmpty { return videos.map { ($0, []) } }
        return videos.flatMap { video in named.map { (video, $0) } }
    }

    /// Returns the members of a rendition's group, filled up with those of other groups: all groups must have the same
    /// members (RFC 8216bis § 4.4.6.1.1).
    private static func group(
        of leader: RenditionDescription,
        in audio: [RenditionDescription]
    ) -> [RenditionDescription] {
        guard leader.audioGroup != nil else { return [] }
        var group = audio.filter { $0.isInGroup(of: leader) }
        for other in audio where other.audioGroup != nil && !group.contains(where: { $0.name == other.name }) {
            group.append(other)
        }
        return group
    }

    /// Returns the renditions that variants are named after.
    static func variantLeaders(of renditions: [RenditionDescription]) -> [RenditionDescription] {
        let videos = renditions.filter { $0.kind == .video }
        return videos.isEmpty ? groupLeaders(of: renditions.filter { $0.kind == .audio }) : videos
    }

    /// Returns the rendition of every group that a player gets unasked, and all renditions that are in no group.
    private static func groupLeaders(of audio: [RenditionDescription]) -> [RenditionDescription] {
        audio.filter { rendition in
            let group = audio.filter { $0.isInGroup(of: rendition) }
            return group.isEmpty || (group.first(where: \.isDefault) ?? group.first)?.id == rendition.id
        }
    }

    /// Returns the variant that names the leader's playlist, with all audio of its group; a leader that is audio counts
    /// as well.
    private func variant(
        ledBy leader: RenditionDescription,
        group: [RenditionDescription],
        _ subtitles: SubtitlesGroup?,
        hasRanges: Bool,
        captions: ClosedCaptionsGroup
    ) -> MultivariantPlaylist.Variant {
        var codecs = leader.codecs
        let others = group.flatMap(\.codecs) + (subtitles?.codecs ?? [])
        for codec in others where !codecs.contains(codec) { codecs.append(codec) }
        let bandwidth = bandwidth(ofVariantLedBy: leader, group: group, subtitles)
        let groupID = leader.audioGroup ?? group.first?.audioGroup
        let isPaired = leader.kind == .video && groupID != nil
        let name = isPaired ? "\(leader.id).\(groupID ?? "")" : leader.id.name
        return MultivariantPlaylist.Variant(
            uri: "\(leader.id).m3u8",
            bandwidth: bandwidth.peak,
            averageBandwidth: bandwidth.average,
            codecs: codecs,
            supplementalCodecs: leader.supplementalCodecs,
            resolution: leader.resolution,
            frameRate: leader.frameRate,
            videoRange: hasRanges ? leader.videoRange : nil,
            hdcpLevel: hdcpLevel(of: leader),
            allowedCPC: leader.resolution.flatMap { _ in allowedCPC(of: leader) },
            audioGroup: groupID,
            subtitlesGroup: subtitles?.id,
            closedCaptionsGroup: captions.id,
            stableID: subtitles.map { $0.isOfEveryPlayer ? name : "\(name).\($0.id)" } ?? name
        )
    }

    /// Returns the variant that names the playlist of a video's independent pictures.
    private func iFrameVariant(
        of video: RenditionDescription,
        hasRanges: Bool
    ) -> MultivariantPlaylist.Variant {
        let bandwidth = (meters[video.id.iFrames]?.bandwidth ?? Bandwidth(peak: 0, average: 0)).declared
        return MultivariantPlaylist.Variant(
            uri: "\(video.id.iFrames).m3u8",
            bandwidth: bandwidth.peak,
            averageBandwidth: bandwidth.average,
            // Audio has no trick play.
            codecs: Array(video.codecs.prefix(1)),
            supplementalCodecs: video.supplementalCodecs,
            resolution: video.resolution,
            videoRange: hasRanges ? video.videoRange : nil,
            hdcpLevel: hdcpLevel(of: video),
            allowedCPC: allowedCPC(of: video),
            stableID: video.id.iFrames.name
        )
    }

    private func hdcpLevel(of video: RenditionDescription) -> HDCPLevel? {
        if configuration.outputProtection == .automatic, let level = playbackTerms[video.id]?.hdcpLevel { return level }
        return HDCPLevel(
            configuration.outputProtection,
            for: video.resolution,
            sharesKeyOfHDR: configuration.hasKeyOfHDR && video.videoRange != .standard
        )
    }

    private func allowedCPC(of video: RenditionDescription) -> String? {
        configuration.allowedCPC ?? playbackTerms[video.id]?.allowedCPC
    }

    /// Returns the bandwidth of the heaviest combination that can be played (RFC 8216bis § 4.4.6.2).
    private func bandwidth(
        ofVariantLedBy leader: RenditionDescription,
        group: [RenditionDescription],
        _ subtitles: SubtitlesGroup?
    ) -> Bandwidth {
        if let pinned = configuration.pinnedBandwidth[leader.id] { return pinned }
        let none = Bandwidth(peak: 0, average: 0)
        let own = leader.kind == .video || group.isEmpty ? meters[leader.id]?.bandwidth ?? none : none
        let heaviest = group.compactMap { meters[$0.id]?.bandwidth }.reduce(none, Bandwidth.heaviest)
        let text = (subtitles?.members ?? []).compactMap { meters[$0.id]?.bandwidth }.reduce(none, Bandwidth.heaviest)
        return (own + heaviest + text).declared
    }
}

/// Subtitles of one format, in all languages.
private struct SubtitlesGroup {
    let id: String
    var members: [RenditionDescription]

    /// Returns the groups, in the order in which variants are listed with them.
    static func groups(of listed: [RenditionDescription]) -> [SubtitlesGroup] {
        var groups: [SubtitlesGroup] = []
        for rendition in listed {
            guard let id = rendition.subtitlesGroup else { continue }
            if let index = groups.firstIndex(where: { $0.id == id }) {
                groups[index].members.append(rendition)
            } else {
                groups.append(SubtitlesGroup(id: id, members: [rendition]))
            }
        }
        return groups.filter(\.isOfEveryPlayer) + groups.filter { !$0.isOfEveryPlayer }
    }

    var isOfEveryPlayer: Bool { members.allSatisfy(\.isOfEveryPlayer) }

    /// The codecs for CODECS: none for WebVTT segments, since these have no sample entry (RFC 8216bis § 4.4.6.2).
    var codecs: [String] { isOfEveryPlayer ? [] : members.flatMap(\.codecs) }
}

/// The captions of all videos together, each of them once.
private struct ClosedCaptionsGroup {
    var members: [MultivariantPlaylist.ClosedCaptions] = []
    /// The group's ID; nil if there are no captions.
    ///
    /// Every variant names the group, since CLOSED-CAPTIONS=NONE must be on all variants or on none (RFC 8216bis §
    /// 4.4.6.2).
    var id: String? { members.first?.groupID }

    init(of videos: [RenditionDescription]) {
        for var caption in videos.flatMap(\.captions)
        where !members.contains(where: { $0.instreamID == caption.instreamID }) {
            caption.language = caption.language ?? LanguageName.undetermined
            members.append(caption)
        }
    }
}

extension [RenditionDescription] {
    /// The renditions from the smallest picture to the largest, so that a player that takes the first variant can play
    /// it.
    fileprivate var inOrderOfSize: [RenditionDescription] {
        enumerated().sorted { ($0.element.pictureOrder, $0.offset) < ($1.element.pictureOrder, $1.offset) }.map(
            \.element
        )
    }
}

extension RenditionDescription {
    fileprivate func isInGroup(of other: RenditionDescription) -> Bool {
        audioGroup != nil && audioGroup == other.audioGroup
    }

    /// False for subtitles that some players take for another format.
    var isOfEveryPlayer: Bool { kind != .text(.imsc1) }

    fileprivate var pictureOrder: Int {
        resolution.map { $0.width * $0.height } ?? 0
    }

    fileprivate func subtitles(in groupID: String) -> MultivariantPlaylist.Subtitles {
        MultivariantPlaylist.Subtitles(
            groupID: groupID,
            name: name ?? id.name,
            language: language ?? LanguageName.undetermined,
            isDefault: isDefault,
            isAutoselect: isAutoselect,
            isForced: isForced,
            characteristics: characteristics.isEmpty ? nil : characteristics.joined(separator: ","),
            stableID: id.name,
            uri: "\(id).m3u8"
        )
    }

    fileprivate func rendition(in groupID: String?) -> MultivariantPlaylist.Rendition {
        MultivariantPlaylist.Rendition(
            groupID: groupID ?? "",
            name: name ?? id.name,
            language: language ?? LanguageName.undetermined,
            isDefault: isDefault,
            isAutoselect: isAutoselect,
            channels: channels,
            characteristics: characteristics.isEmpty ? nil : characteristics.joined(separator: ","),
            stableID: id.name,
            uri: "\(id).m3u8"
        )
    }
}
