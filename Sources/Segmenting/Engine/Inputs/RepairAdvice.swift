import Timeline

/// The advice to an operator about a repair: the repair, its effect on viewers, and the remedy.
package struct RepairAdvice: Hashable, Sendable {
    package var headline: String
    package var what: String
    package var viewers: String
    package var remedy: String

    private static let keyFrames = "set the encoder to one key frame (IDR) at least every half segment duration"
    private static let network = "check the network between encoder and packager, and the encoder's load"

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
                viewers: "their content is missing",
                do: "set the encoder to timestamp every packet"
            )
        case .clampedDecodeTime:
            .repaired(
                "decode times that did not increase were moved by one tick",
                viewers: "they notice nothing",
                do: "nothing, unless it recurs: then check what merges or edits the feed"
            )
        case .reanchoredClock:
            .repaired(
                "timestamps jumped, restarted, ran ahead of real time or fell behind for good; the packager has "
                    + "aligned the input again",
                viewers: "they may get a gap of a segment",
                do: "nothing after a restart of the encoder; else check the encoder's clock"
            )
        case .implausibleClock:
            .faulty(
                "impossible timestamps were ignored",
                viewers: "media with these timestamps is missing",
                do:
                    "with --clock pts the feed's PTS must be UTC; with --clock timecode its timecode must be UTC, or set "
                    + "--timecode-offset"
            )
        case .missingTimecode:
            .repaired(
                "no valid timecode was found in time; the packager uses the arrival of the input instead",
                viewers: "they notice nothing, but two packagers do not publish the same",
                do: "set the encoder to write timecode into the video, or use --clock arrival"
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
        case RepairLog.surplusBreak: surplusBreak
        case RepairLog.implausibleCue: implausibleCue
        case RepairLog.oversizedTag: oversizedTag
        case RepairLog.heldTooLong: heldTooLong
        case RepairLog.unpublishableSegment: unpublishableSegment
        default: .faulty(kind, viewers: "unknown", do: "check the feed")
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
        "a segment starts without a key frame: key frames are too far apart",
        viewers: "viewers who join there see nothing until the next key frame",
        do: "\(keyFrames), or raise --segment-duration"
    )
    private static let recoveryPointCut = Self.faulty(
        "a segment starts with a recovery point instead of an IDR picture",
        viewers: "some players cannot begin there",
        do: "set the encoder to closed groups of pictures; \(keyFrames)"
    )
    private static let gradualRecoveryCut = Self.faulty(
        "a segment starts without a key frame, because the encoder refreshes the picture bit by bit (intra refresh)",
        viewers:
            "browsers cannot begin there and show nothing; other players begin when a refresh is complete; "
            + "there is no trick play",
        do: keyFrames
    )
    private static let lateSample = Self.faulty(
        "samples arrived after their slot was published, and were dropped",
        viewers: "the picture freezes, or they hear silence",
        do: network
    )
    private static let surplusCue = Self.faulty(
        "subtitles were left out: thousands of them have not ended",
        viewers: "these subtitles are missing",
        do: "let the source of the subtitles set the end of each"
    )
    private static let undecodableSample = Self.faulty(
        "pictures were dropped until the next key frame, because their references are lost",
        viewers: "the picture freezes until the next key frame",
        do: "\(network); more frequent key frames shorten the freeze"
    )
    private static let overlappingAudio = Self.repaired(
        "audio frames that overlap others were dropped",
        viewers: "they may hear a click",
        do: "nothing, unless it recurs: then check the encoder's audio timestamps"
    )
    private static let silenceInserted = Self.repaired(
        "gaps in the audio were filled with silence",
        viewers: "they hear silence there",
        do: network
    )
    private static let configurationChange = Self.faulty(
        "the encoder changed its format within a segment: up to a segment of media was dropped",
        viewers: "they miss up to a segment",
        do: "nothing if you changed the encoder; such a change costs least at the start of a segment"
    )
}

// MARK: - Repairs of packets

extension RepairAdvice {
    private static let unreadablePacket = Self.faulty(
        "packets without a readable sample were dropped",
        viewers: "their content is missing",
        do: network
    )
    private static let damagedPacket = Self.faulty(
        "pictures and audio that were damaged on the way were dropped",
        viewers: "the picture freezes until the next key frame, or they hear silence",
        do: "\(network); SRT and RIST resend lost packets, UDP does not"
    )
    private static let undecodableAudio = Self.repaired(
        "audio frames that could not be decoded became silence in the transcoded audio",
        viewers: "they hear silence there",
        do: network
    )
    private static let unreadableSplice = Self.faulty(
        "SCTE-35 sections that could not be read were dropped",
        viewers: "the start or the end of a break may be missing",
        do: "\(network); check also the source of the sections"
    )
    private static let implausibleSplice = Self.faulty(
        "SCTE-35 cues whose times are more than ten minutes off were ignored",
        viewers: "the start or the end of a break may be missing",
        do: "let the source of the sections use the PTS of this feed; a remultiplexer must set pts_adjustment"
    )
    private static let surplusBreak = Self.faulty(
        "SCTE-35 breaks were ignored, since so many others have not ended",
        viewers: "they do not get these breaks",
        do: "let the source of the sections end its breaks, or give them durations"
    )
    private static let implausibleCue = Self.faulty(
        "subtitles whose times are more than ten minutes off were left out",
        viewers: "these subtitles are not shown",
        do: "let the inserter of the subtitles use the PTS of this feed"
    )
    private static let oversizedTag = Self.faulty(
        "ID3 tags of more than 65536 bytes were dropped",
        viewers: "players do not get this timed metadata; picture and sound go on",
        do: "have the encoder send shorter tags, such as a link instead of a picture"
    )
    private static let heldTooLong = Self.faulty(
        "samples were dropped because the feed's clock could not be found",
        viewers: "they get nothing from this input yet",
        do: "set the encoder to send timestamps with the programme's clock (PCR), or use --clock arrival"
    )
    private static let unpublishableSegment = Self(
        headline: "segment not published",
        "segments that could not be written or encrypted were published as gaps",
        viewers: "they get a gap there",
        do: "read the lines before this one, which say why"
    )
}
