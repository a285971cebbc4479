import MediaCore

extension MultivariantFilter {
    /// Removes all variants and renditions that the filters exclude.
    ///
    /// Filters on video and on codecs choose variants, whose CODECS name all that a device must play; filters on audio
    /// and on subtitles choose renditions. BANDWIDTH stays that of the heaviest combination in the unfiltered playlist.
    ///
    /// - Throws: ``FilterError/nothingLeft`` if no playable variant is left.
    package func applied(to playlist: MultivariantPlaylist) throws(FilterError) -> MultivariantPlaylist {
        if isEmpty { return playlist }
        var result = playlist
        result.variants.removeAll { !passes($0) }
        result.renditions.removeAll { !passes($0) }
        result.subtitles.removeAll { !passes($0.language, .subtitleLanguage) }
        result.keepAudioGroups(of: playlist)
        result.keepSubtitlesGroups()
        guard !result.variants.isEmpty else { throw .nothingLeft }
        result.dropUnnamedGroups()
        let resolutions = Set(result.variants.compactMap(\.resolution))
        result.iFrameVariants.removeAll { variant in
            !passesVideo(variant) || !(variant.resolution.map(resolutions.contains) ?? true)
        }
        return result
    }

    private func passes(_ variant: MultivariantPlaylist.Variant) -> Bool {
        let audio = variant.codecs.filter { CodecName.kind(of: $0) == .audio }
        guard passes(audio, .audioCodec) else { return false }
        if !variant.hasVideo { return true }
        return passesVideo(variant) && passes(Int64(variant.bandwidth), .videoBitrate)
            && passes(thousandths: variant.frameRate?.thousandths, .frameRate)
    }

    /// Returns true if the pictures of a variant pass, apart from bit rate and frame rate, which I-frame playlists do
    /// not share.
    private func passesVideo(_ variant: MultivariantPlaylist.Variant) -> Bool {
        let video = variant.codecs.filter { CodecName.kind(of: $0) == .video }
        let range = variant.videoRange ?? .standard
        return passes(video, .videoCodec) && passes(variant.resolution.map { Int64($0.height) }, .videoHeight)
            && passes(word: range.rawValue, .dynamicRange)
    }

    private func passes(_ rendition: MultivariantPlaylist.Rendition) -> Bool {
        let channels = rendition.channels.flatMap { Int64($0.prefix { $0 != "/" }) }
        return passes(rendition.language, .audioLanguage) && passes(channels, .audioChannels)
    }

    /// Returns true if a device that plays the chosen codecs plays all of these.
    private func passes(_ codecs: [String], _ name: Name) -> Bool {
        guard case .words(let words)? = selections[name] else { return true }
        return codecs.allSatisfy { CodecName.matches($0, words) }
    }

    private func passes(word: String, _ name: Name) -> Bool {
        guard case .words(let words)? = selections[name] else { return true }
        return words.contains(word)
    }

    /// Returns true if a chosen language matches (RFC 4647 § 3.3.1).
    private func passes(_ language: String?, _ name: Name) -> Bool {
        guard case .words(let words)? = selections[name] else { return true }
        guard let tag = language?.lowercased() else { return false }
        return words.contains { tag == $0 || tag.hasPrefix("\($0)-") }
    }

    /// Returns true if a number lies in a chosen range; an unknown number does not.
    private func passes(_ number: Int64?, _ name: Name) -> Bool {
        // Numbers beyond those of any playlist would pass no range with an end.
        passes(thousandths: number.map { $0.multipliedReportingOverflow(by: 1000) }.map { $1 ? .max : $0 }, name)
    }

    private func passes(thousandths: Int64?, _ name: Name) -> Bool {
        guard case .numbers(let ranges)? = selections[name] else { return true }
        return thousandths.map { number in ranges.contains { $0.contains(number) } } ?? false
    }
}

extension MultivariantPlaylist.Variant {
    fileprivate var hasVideo: Bool { resolution != nil || codecs.contains { CodecName.kind(of: $0) == .video } }
}

extension Ratio {
    /// The ratio in thousandths, rounded; nil if its denominator is none.
    var thousandths: Int64? {
        denominator > 0 ? MediaTime.rescale(Int64(numerator), from: Int64(denominator), to: 1000) : nil
    }
}

extension MultivariantPlaylist {
    /// Drops the variants that have lost all their audio, and gives each remaining group a default member.
    fileprivate mutating func keepAudioGroups(of whole: MultivariantPlaylist) {
        let groups = Dictionary(grouping: renditions, by: \.groupID)
        variants.removeAll { variant in variant.audioGroup.map { groups[$0] == nil } ?? false }
        for (group, members) in groups where !members.contains(where: \.isDefault) {
            guard whole.renditions.contains(where: { $0.groupID == group && $0.isDefault }),
                let index = renditions.firstIndex(where: { $0.groupID == group })
            else { continue }
            (renditions[index].isDefault, renditions[index].isAutoselect) = (true, true)
        }
        // Without video, a variant is named after a member of its group.
        let left = Set(renditions.compactMap(\.uri))
        let gone = Set(whole.renditions.compactMap(\.uri)).subtracting(left)
        for index in variants.indices where gone.contains(variants[index].uri) {
            let members = renditions.filter { $0.groupID == variants[index].audioGroup }
            if let uri = (members.first(where: \.isDefault) ?? members.first)?.uri { variants[index].uri = uri }
        }
    }

    /// Drops variants whose subtitle group is gone: the same variant is listed with every other group.
    ///
    /// If no group is left, one of each stays, without a group.
    fileprivate mutating func keepSubtitlesGroups() {
        let groups = Set(subtitles.map(\.groupID))
        var kept: [Variant] = []
        func isListed(_ variant: Variant) -> Bool {
            kept.contains { $0.uri == variant.uri && $0.audioGroup == variant.audioGroup }
        }
        let lists = variants.contains { $0.subtitlesGroup.map(groups.contains) ?? false }
        for var variant in variants {
            if let group = variant.subtitlesGroup, !groups.contains(group) {
                // The same variant is listed with a remaining group.
                if lists || isListed(variant) { continue }
                variant.subtitlesGroup = nil
                variant.codecs.removeAll { $0.hasPrefix("stpp") || $0 == "wvtt" }
            }
            kept.append(variant)
        }
        variants = kept
    }

    /// Drops the groups that no variant names any more.
    fileprivate mutating func dropUnnamedGroups() {
        let audio = Set(variants.compactMap(\.audioGroup))
        let text = Set(variants.compactMap(\.subtitlesGroup))
        renditions.removeAll { !audio.contains($0.groupID) }
        subtitles.removeAll { !text.contains($0.groupID) }
    }
}
