import MediaCore
import Playlists

extension Presentation.State {
    /// The playlists as they follow from this state; nil while nothing is listed.
    func listing(generation: Int) -> Listing? {
        var media: [RenditionID: MediaPlaylist] = [:]
        for rendition in renditions {
            media[rendition.id] = window.playlist(
                of: rendition.id,
                targetDuration: configuration.targetDuration,
                isEnded: isEnded
            )
        }
        guard !media.isEmpty else { return nil }
        let multivariant = multivariantPlaylist(of: renditions.filter { media[$0.id] != nil })
        return Listing(generation: generation, multivariant: multivariant, media: media)
    }

    private func multivariantPlaylist(of listed: [RenditionDescription]) -> MultivariantPlaylist {
        let audio = listed.filter { $0.kind == .audio }
        var leaders = listed.filter { $0.kind == .video }
        if leaders.isEmpty { leaders = Self.groupLeaders(of: audio) }
        return MultivariantPlaylist(
            variants: leaders.map { leader in
                variant(ledBy: leader, group: audio.filter { $0.isInGroup(of: leader) })
            },
            renditions: audio.filter { $0.audioGroup != nil }.map(\.rendition),
            sessionKeys: sessionKeys
        )
    }

    /// Of every group the rendition that a player gets unasked, and all that are in no group.
    private static func groupLeaders(of audio: [RenditionDescription]) -> [RenditionDescription] {
        audio.filter { rendition in
            let group = audio.filter { $0.isInGroup(of: rendition) }
            return group.isEmpty || (group.first(where: \.isDefault) ?? group.first)?.id == rendition.id
        }
    }

    /// The variant that names the leader's playlist, with all audio of its group, itself included where it is audio.
    private func variant(
        ledBy leader: RenditionDescription,
        group: [RenditionDescription]
    ) -> MultivariantPlaylist.Variant {
        var codecs = [leader.codec]
        for rendition in group where !codecs.contains(rendition.codec) { codecs.append(rendition.codec) }
        let bandwidth = bandwidth(ofVariantLedBy: leader, group: group)
        return MultivariantPlaylist.Variant(
            uri: "\(leader.id).m3u8",
            bandwidth: bandwidth.peak,
            averageBandwidth: bandwidth.average,
            codecs: codecs,
            resolution: leader.resolution,
            frameRate: leader.frameRate,
            audioGroup: group.isEmpty ? nil : leader.audioGroup
        )
    }

    /// RFC 8216bis § 4.4.6.2: the heaviest combination that can be played.
    private func bandwidth(ofVariantLedBy leader: RenditionDescription, group: [RenditionDescription]) -> Bandwidth {
        if let pinned = configuration.pinnedBandwidth[leader.id] { return pinned }
        let none = Bandwidth(peak: 0, average: 0)
        let own = leader.kind == .video || group.isEmpty ? meters[leader.id]?.bandwidth ?? none : none
        let heaviest = group.compactMap { meters[$0.id]?.bandwidth }.reduce(none, Bandwidth.heaviest)
        return (own + heaviest).declared
    }
}

extension RenditionDescription {
    fileprivate func isInGroup(of other: RenditionDescription) -> Bool {
        audioGroup != nil && audioGroup == other.audioGroup
    }

    fileprivate var rendition: MultivariantPlaylist.Rendition {
        MultivariantPlaylist.Rendition(
            groupID: audioGroup ?? "",
            name: name ?? id.name,
            language: language,
            isDefault: isDefault,
            isAutoselect: true,
            channels: channels.map(String.init),
            uri: "\(id).m3u8"
        )
    }
}
