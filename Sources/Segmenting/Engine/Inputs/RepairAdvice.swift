import Timeline

/// The advice to an operator about a repair: the repair, its effect on viewers, and the remedy.
package struct RepairAdvice: Hashable, Sendable {
    package var headline: String
    package var what: String
    package var viewers: String
    package var remedy: String

    private static let keyFrames = "set the encoder to one key frame (IDR) at least every half segment duration"
    private static let network = "look at the network between encoder and packager, and at the encoder's load"

    private init(headline: String, _ what: String, viewers: String, do remedy: String) {
        self.headline = headline
        self.what = what
        self.viewers = viewers
        self.remedy = remedy
    }

    /// - Parameter kind: A kind of repair in a ``RepairLog``.
    package init(on kind: String) {
        self =
            TimelineRepair(rawValue: kind).map(Self.advice) ?? CutRepair(rawValue: kind).map(Self.advice)
            ?? Self.advice(onPackets: kind)
    }

    private static func advice(on repair: TimelineRepair) -> Self {
        switch repair {
        case .untimedPacket:
            .faulty(
                "packets without any timestamp were dropped",
                viewers: "what was in them is missing",
                do: "have the encoder stamp every packet"
            )
        case .clampedDecodeTime:
            .repaired(
                "decode times that did not rise were moved on by a tick",
                viewers: "they notice nothing",
                do: "nothing, unless it happens all the time: then look at what merges or edits the feed"
            )
        case .reanchoredClock:
            .repaired(
                "timestamps jumped, restarted, ran ahead of real time or fell behind for good; the input was placed on the "
                    + "timeline anew",
                viewers: "a segment may be a gap there",
                do: "nothing after an encoder's restart; else look at the encoder's clock"
            )
        case .implausibleClock:
            .faulty(
                "timestamps that cannot be true were ignored",
                viewers: "what they belong to is missing",
                do:
                    "with --clock pts the feed's PTS must be UTC, with --clock timecode its labels, or --timecode-offset "
                    + "has to say what they are ahead of it"
            )
        case .missingTimecode:
            .repaired(
                "no timecode that can be true was found in time; the input was placed by its arrival instead",
                viewers: "they notice nothing, but two packagers do not publish the same",
                do: "have the encoder write timecode into the video, or use --clock arrival"
            )
        }
    }

    private static func advice(on repair: CutRepair) -> Self {
        switch repair {
        case .forcedCut: forcedCut
        case .recoveryPointCut: recoveryPointCut
        case .gradualRecoveryCut: gradualRecoveryCut
        case .lateSample: lateSample
        case .surplusCue: surplusCue
        case .undecodableSample: undecodableSample
        case .overlappingAudio: overlappingAudio
        case .silenceInserted: silenceInserted
        case .configurationChange: configurationChange
        }
    }

    private static func advice(onPackets kind: String) -> Self {
        switch kind {
        case RepairLog.unreadablePacket: unreadablePacket
        case RepairLog.damagedPacket: damagedPacket
        case RepairLog.undecodableAudio: undecodableAudio
        case RepairLog.unreadableSplice: unreadableSplice
        case RepairLog.implausibleSplice: implausibleSplice
        case RepairLog.implausibleCue: implausibleCue
        case RepairLog.heldTooLong: heldTooLong
        case RepairLog.unpublishableSegment: unpublishableSegment
        default: .faulty(kind, viewers: "that depends", do: "look at the feed")
        }
    }

    private static func faulty(_ what: String, viewers: String, do remedy: String) -> Self {
        Self(headline: "feed is faulty", what, viewers: viewers, do: remedy)
    }

    private static func repaired(_ what: String, viewers: String, do remedy: String) -> Self {
        Self(headline: "feed repaired", what, viewers: viewers, do: remedy)
    }
}

// MARK: - Repairs of segments

extension RepairAdvice {
    private static let forcedCut = Self.faulty(
        "a segment starts without a key frame: key frames are further apart than the grid allows",
        viewers: "viewers who join there see nothing until the next key frame",
        do: "\(keyFrames), or raise --segment-duration"
    )
    private static let recoveryPointCut = Self.faulty(
        "a segment starts with a recovery point instead of an IDR picture",
        viewers: "not every player can begin with it",
        do: "set the encoder to closed groups of pictures; \(keyFrames)"
    )
    private static let gradualRecoveryCut = Self.faulty(
        "a segment starts without a key frame, because the encoder refreshes the picture bit by bit (intra refresh)",
        viewers:
            "browsers cannot begin with it and show nothing, other players begin when a refresh is complete, and "
            + "there is no fast motion",
        do: keyFrames
    )
    private static let lateSample = Self.faulty(
        "samples came after their slot was published and were dropped",
        viewers: "they are missing: the picture stands still, or silence is heard",
        do: network
    )
    private static let surplusCue = Self.faulty(
        "subtitles were left out: there are thousands at once that are not over",
        viewers: "they are missing",
        do: "have what writes the subtitles say when each ends"
    )
    private static let undecodableSample = Self.faulty(
        "pictures were dropped until a key frame, their references are lost",
        viewers: "the picture stands still until the key frame",
        do: "\(network); more key frames make it shorter"
    )
    private static let overlappingAudio = Self.repaired(
        "audio frames that overlap others were dropped",
        viewers: "they may hear a click",
        do: "nothing, unless it happens all the time: then have the encoder's audio timestamps looked at"
    )
    private static let silenceInserted = Self.repaired(
        "holes in the audio were filled with silence",
        viewers: "they hear silence there",
        do: network
    )
    private static let configurationChange = Self.faulty(
        "the encoder changed its format within a segment: up to a segment of media was dropped",
        viewers: "they are missing, up to a segment of them",
        do: "nothing where the encoder was set otherwise; such a change costs least on a segment's edge"
    )
}

// MARK: - Repairs of packets

extension RepairAdvice {
    private static let unreadablePacket = Self.faulty(
        "packets that make no sample were dropped",
        viewers: "what was in them is missing",
        do: network
    )
    private static let damagedPacket = Self.faulty(
        "pictures and audio that were damaged on the way were dropped",
        viewers: "the picture stands still until the next key frame, or silence is heard",
        do: "\(network); SRT and RIST send again what is lost, UDP does not"
    )
    private static let undecodableAudio = Self.repaired(
        "frames of audio that could not be decoded were replaced by silence in what is made of them",
        viewers: "they hear silence there",
        do: network
    )
    private static let unreadableSplice = Self.faulty(
        "SCTE-35 sections that could not be read were dropped",
        viewers: "a break may come unannounced, or its end",
        do: "\(network), and at what makes the sections"
    )
    private static let implausibleSplice = Self.faulty(
        "SCTE-35 cues of times that are no programme's were ignored: they lie more than ten minutes off",
        viewers: "a break may come unannounced, or its end",
        do: "have what makes the sections look at the PTS of this feed; a remultiplexer has to set pts_adjustment"
    )
    private static let implausibleCue = Self.faulty(
        "subtitles of times that are no programme's were left out: they lie more than ten minutes off",
        viewers: "these subtitles are not shown",
        do: "have what inserts the subtitles stamp them by the PTS of this feed"
    )
    private static let heldTooLong = Self.faulty(
        "samples were dropped because the feed's clock could not be found",
        viewers: "they have nothing of this input yet",
        do: "have the encoder send timestamps with the programme's clock (PCR); or use --clock arrival"
    )
    private static let unpublishableSegment = Self(
        headline: "segment not published",
        "segments that could not be written or encrypted were published as gaps",
        viewers: "players are told of a gap there",
        do: "read the lines before this one, which say why"
    )
}
