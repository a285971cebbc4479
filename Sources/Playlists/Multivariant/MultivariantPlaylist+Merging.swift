import MediaCore

/// One playlist for all that a channel had in some time.
extension MultivariantPlaylist {
    /// Reads the playlists that a channel had one after another, and merges them.
    ///
    /// - Parameter texts: Their texts, oldest first; the result is nil if there are none.
    /// - Throws: ``PlaylistParsingError`` if one of them is malformed.
    package init?(merging texts: some Sequence<String>) throws(PlaylistParsingError) {
        var (merged, newest): (Self?, [Substring]) = (nil, [])
        for text in texts {
            // Keys change with every crypto period, and are not merged.
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#EXT-X-SESSION-KEY:") }
            if lines == newest { continue }
            newest = lines
            let playlist = try Self(parsing: text)
            if merged?.add(playlist) == nil { merged = playlist }
        }
        guard let merged else { return nil }
        self = merged
    }

    /// Adds what the channel had later: renditions under other names, and higher bit rates and more codecs of those
    /// that stayed.
    ///
    /// Names, groups and keys stay as they were first.
    ///
    /// - Parameter later: A playlist of the same channel.
    package mutating func add(_ later: MultivariantPlaylist) {
        for new in later.variants {
            let same = variants.indices.filter {
                variants[$0].uri == new.uri && variants[$0].audioGroup == new.audioGroup
            }
            let group = same.first { variants[$0].subtitlesGroup == new.subtitlesGroup }
            // Subtitles may come and go; a variant without them is the same as one with them.
            let index = group ?? same.first { new.subtitlesGroup == nil || variants[$0].subtitlesGroup == nil }
            if let index {
                variants[index].cover(new)
            } else {
                variants.append(new)
            }
        }
        for new in later.iFrameVariants {
            if let index = iFrameVariants.firstIndex(where: { $0.uri == new.uri }) {
                iFrameVariants[index].cover(new)
            } else {
                iFrameVariants.append(new)
            }
        }
        for var new in later.renditions {
            let group = renditions.filter { $0.groupID == new.groupID }
            if group.contains(where: { $0.uri == new.uri }) { continue }
            // Names are unique in a group (RFC 8216bis § 4.4.6.1.1), and one member is the default.
            if group.contains(where: { $0.name == new.name }) { new.name += " \(group.count + 1)" }
            if group.contains(where: \.isDefault) { new.isDefault = false }
            renditions.append(new)
        }
        for var new in later.subtitles {
            let group = subtitles.filter { $0.groupID == new.groupID }
            if group.contains(where: { $0.uri == new.uri }) { continue }
            if group.contains(where: { $0.name == new.name }) { new.name += " \(group.count + 1)" }
            subtitles.append(new)
        }
        closedCaptions += later.closedCaptions.filter { new in
            !closedCaptions.contains { $0.groupID == new.groupID && $0.instreamID == new.instreamID }
        }
        // CLOSED-CAPTIONS=NONE must be on all variants or on none (RFC 8216bis § 4.4.6.2).
        let captions = variants.lazy.compactMap(\.closedCaptionsGroup).first
        for index in variants.indices { variants[index].closedCaptionsGroup = captions }
        hasIndependentSegments = hasIndependentSegments && later.hasIndependentSegments
    }
}

extension MultivariantPlaylist.Variant {
    /// Raises the attributes to those that the variant had later.
    ///
    /// BANDWIDTH, RESOLUTION and FRAME-RATE are the greatest of all segments, and CODECS names all formats of them (RFC
    /// 8216bis § 4.4.6.2).
    fileprivate mutating func cover(_ later: Self) {
        bandwidth = max(bandwidth, later.bandwidth)
        averageBandwidth = [averageBandwidth, later.averageBandwidth].compactMap(\.self).max()
        codecs += later.codecs.filter { !codecs.contains($0) }
        supplementalCodecs += later.supplementalCodecs.filter { !supplementalCodecs.contains($0) }
        resolution = [resolution, later.resolution].compactMap(\.self).max { $0.area < $1.area }
        frameRate = [frameRate, later.frameRate].compactMap(\.self).max { $0.thousandths ?? 0 < $1.thousandths ?? 0 }
        subtitlesGroup = subtitlesGroup ?? later.subtitlesGroup
    }
}

extension Resolution {
    fileprivate var area: Int { width * height }
}
