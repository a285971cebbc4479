package import MediaCore
import Timeline

/// Counts repairs and says of each kind at most once a minute that it happened: a bad feed must not fill a disk.
package struct RepairLog: Sendable {
    /// How often each kind has happened since the channel was made.
    package private(set) var totals: [String: Int] = [:]
    private var reported: [String: (count: Int, at: MediaTime)] = [:]

    private static let period = MediaTime(seconds: 60)

    package init() {}

    /// Counts repairs of a kind.
    package mutating func record(_ kind: String, count: Int = 1) {
        totals[kind, default: 0] += count
    }

    /// The kinds to be logged now, with how often each happened since it was logged last.
    package mutating func due(at now: MediaTime) -> [(kind: String, count: Int)] {
        var due: [(kind: String, count: Int)] = []
        for (kind, total) in totals {
            let last = reported[kind]
            guard total > last?.count ?? 0 else { continue }
            if let last, now - last.at < Self.period { continue }
            due.append((kind, total - (last?.count ?? 0)))
            reported[kind] = (total, now)
        }
        return due.sorted { $0.kind < $1.kind }
    }

    /// What a kind is: a fault that was made good, or one that was not.
    package static func headline(of kind: String) -> String {
        switch kind {
        case TimelineRepair.clampedDecodeTime.rawValue, TimelineRepair.reanchoredClock.rawValue,
            TimelineRepair.missingTimecode.rawValue, CutRepair.overlappingAudio.rawValue,
            CutRepair.silenceInserted.rawValue, undecodableAudio:
            "feed repaired"
        case unpublishableSegment: "segment not published"
        case _ where kind.hasPrefix(failedConnection): "input not opened"
        default: "feed is faulty"
        }
    }

    /// What a kind means to an operator, and what helps against it.
    package static func explanation(of kind: String) -> String {
        switch kind {
        case TimelineRepair.untimedPacket.rawValue: "packets without any timestamp were dropped"
        case TimelineRepair.clampedDecodeTime.rawValue: "decode times that did not rise were moved on by a tick"
        case TimelineRepair.reanchoredClock.rawValue:
            "timestamps jumped, restarted, ran ahead of real time or fell behind for good; the input was placed on the timeline anew"
        case TimelineRepair.implausibleClock.rawValue:
            "timestamps that cannot be true were ignored; with --clock pts the feed's PTS must be UTC, with --clock "
                + "timecode its labels, or --timecode-offset has to say what they are ahead of it"
        case TimelineRepair.missingTimecode.rawValue:
            "no timecode that can be true was found in time; the input was placed by its arrival instead"
        case CutRepair.forcedCut.rawValue:
            "a segment starts without a key frame: key frames are further apart than the grid allows; "
                + "set the encoder to one at least every half segment duration, or raise --segment-duration"
        case CutRepair.recoveryPointCut.rawValue:
            "a segment starts with a recovery point instead of an IDR picture, and not every player can begin with it; "
                + "set the encoder to closed groups of pictures, with an IDR picture at least every half segment duration"
        case CutRepair.gradualRecoveryCut.rawValue:
            "a segment starts without a key frame, because the encoder refreshes the picture bit by bit (intra refresh): "
                + "browsers cannot begin with it and show nothing, other players begin when a refresh is complete, and "
                + "there is no fast motion; set the encoder to an IDR picture at least every half segment duration"
        case CutRepair.lateSample.rawValue: "samples came after their slot was published and were dropped"
        case CutRepair.undecodableSample.rawValue: "pictures were dropped until a key frame, their references are lost"
        case CutRepair.overlappingAudio.rawValue: "audio frames that overlap others were dropped"
        case CutRepair.silenceInserted.rawValue: "holes in the audio were filled with silence"
        case CutRepair.configurationChange.rawValue:
            "samples gave way to a decoder configuration that changed in the middle of their slot"
        case unreadablePacket: "packets that make no sample were dropped"
        case damagedPacket: "pictures and audio that were damaged on the way were dropped"
        case undecodableAudio:
            "frames of audio that could not be decoded were replaced by silence in what is made of them"
        case heldTooLong: "samples were dropped because the feed's clock could not be found"
        case unpublishableSegment: "segments that could not be written or encrypted were published as gaps"
        case _ where kind.hasPrefix(failedConnection): "an input could not be opened and is tried again"
        default: kind
        }
    }

    package static let unreadablePacket = "unreadablePacket"
    package static let damagedPacket = "damagedPacket"
    package static let undecodableAudio = "undecodableAudio"
    package static let heldTooLong = "heldTooLong"
    package static let unpublishableSegment = "unpublishableSegment"
    /// Followed by the input and the reason.
    package static let failedConnection = "failedConnection: "
}
