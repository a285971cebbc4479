extension MultivariantPlaylist {
    /// The text of the playlist, in UTF-8, each line ended by a line feed.
    package func render() -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)"]
        lines += variables.map { "#EXT-X-DEFINE:\($0.attributes)" }
        if hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { lines.append("#EXT-X-START:\(start.attributes)") }
        if let steering { lines.append("#EXT-X-CONTENT-STEERING:\(steering.attributes)") }
        lines += sessionData.map { "#EXT-X-SESSION-DATA:\($0.attributes)" }
        lines += sessionKeys.map { "#EXT-X-SESSION-KEY:\($0.attributes)" }
        lines += renditions.map { "#EXT-X-MEDIA:\($0.attributes)" }
        lines += subtitles.map { "#EXT-X-MEDIA:\($0.attributes)" }
        lines += closedCaptions.map { "#EXT-X-MEDIA:\($0.attributes)" }
        for variant in variants { lines += ["#EXT-X-STREAM-INF:\(variant.attributes)", variant.uri] }
        lines += iFrameVariants.map { "#EXT-X-I-FRAME-STREAM-INF:\($0.iFrameAttributes)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension MultivariantPlaylist.Variant {
    fileprivate var attributes: AttributeList {
        var list = pictureAttributes
        list.append("FRAME-RATE", decimal: frameRate)
        list.append("AUDIO", quoted: audioGroup)
        list.append("SUBTITLES", quoted: subtitlesGroup)
        if let closedCaptionsGroup {
            list.append("CLOSED-CAPTIONS", quoted: closedCaptionsGroup)
        } else {
            // Without this a player looks for captions in the video. If one variant has it, all must (§ 4.4.6.2).
            list.append("CLOSED-CAPTIONS", enumerated: "NONE")
        }
        return list
    }

    fileprivate var iFrameAttributes: AttributeList {
        var list = pictureAttributes
        list.append("URI", quoted: uri)
        return list
    }

    /// The attributes of both kinds of variant.
    private var pictureAttributes: AttributeList {
        var list = AttributeList()
        list.append("BANDWIDTH", decimal: bandwidth)
        list.append("AVERAGE-BANDWIDTH", decimal: averageBandwidth)
        list.append("CODECS", quoted: codecs.joined(separator: ","))
        list.append("SUPPLEMENTAL-CODECS", quoted: supplementalCodecs.list)
        list.append("RESOLUTION", resolution: resolution)
        list.append("VIDEO-RANGE", enumerated: videoRange?.rawValue)
        list.append("HDCP-LEVEL", enumerated: hdcpLevel?.rawValue)
        list.append("ALLOWED-CPC", quoted: allowedCPC)
        list.append("STABLE-VARIANT-ID", quoted: stableID)
        list.append("PATHWAY-ID", quoted: pathwayID)
        return list
    }
}

extension MultivariantPlaylist.Rendition {
    fileprivate var attributes: AttributeList {
        var list = AttributeList()
        list.append(type: "AUDIO", groupID, name, language, isDefault: isDefault, isAutoselect: isAutoselect)
        list.append("CHANNELS", quoted: channels)
        list.append("CHARACTERISTICS", quoted: characteristics)
        list.append("STABLE-RENDITION-ID", quoted: stableID)
        list.append("URI", quoted: uri)
        return list
    }
}

extension MultivariantPlaylist.Subtitles {
    fileprivate var attributes: AttributeList {
        var list = AttributeList()
        // Apple's authoring specification § 5.11: forced subtitles can be selected automatically.
        let isAutoselect = isAutoselect || isForced
        list.append(type: "SUBTITLES", groupID, name, language, isDefault: isDefault, isAutoselect: isAutoselect)
        list.append("FORCED", enumerated: isForced ? "YES" : "NO")
        list.append("CHARACTERISTICS", quoted: characteristics)
        list.append("STABLE-RENDITION-ID", quoted: stableID)
        list.append("URI", quoted: uri)
        return list
    }
}

extension MultivariantPlaylist.ClosedCaptions {
    fileprivate var attributes: AttributeList {
        var list = AttributeList()
        list.append(type: "CLOSED-CAPTIONS", groupID, name, language, isDefault: isDefault, isAutoselect: isAutoselect)
        list.append("INSTREAM-ID", quoted: instreamID)
        return list
    }
}

extension AttributeList {
    /// Appends the attributes of every EXT-X-MEDIA.
    fileprivate mutating func append(
        type: String,
        _ groupID: String,
        _ name: String,
        _ language: String?,
        isDefault: Bool,
        isAutoselect: Bool
    ) {
        append("TYPE", enumerated: type)
        append("GROUP-ID", quoted: groupID)
        append("NAME", quoted: name)
        append("LANGUAGE", quoted: language)
        append("DEFAULT", enumerated: isDefault ? "YES" : "NO")
        // RFC 8216bis § 4.4.6.1: AUTOSELECT must be YES where DEFAULT is.
        append("AUTOSELECT", enumerated: isAutoselect || isDefault ? "YES" : "NO")
    }
}

extension [String] {
    /// Values separated by commas; nil if there are none.
    fileprivate var list: String? { isEmpty ? nil : joined(separator: ",") }
}
