import MediaCore
package import Timeline

extension InputHealth.Report {
    /// All reasons in one line.
    package var summary: String { reasons.map(\.text).joined(separator: " ") }
}

extension InputHealthThreshold.Crossing {
    /// The change in words: "fell to 40", with the reasons.
    package var text: String {
        switch self {
        case .fell(let report): "fell to \(report.score): \(report.summary)"
        case .recovered(let report): "recovered to \(report.score)"
        }
    }
}

extension InputHealth.Reason {
    /// The finding in one sentence.
    package var text: String {
        switch finding {
        case .neverOpened: "Nothing has arrived yet."
        case .connectionLost(let age): "The connection was lost \(age.inSeconds) ago."
        case .noMedia(let time): "No media has come for \(time.inSeconds)."
        case .nothingUsable: "It has no track that this channel can carry."
        case .noPackets(let time): "No packet has come for \(time.inSeconds)."
        case .trackStopped(let track, let time): "\(track.text) has stopped for \(time.inSeconds) while others go on."
        case .keyFrameOverdue(let track, let age, let expected):
            "\(track.text) had its last key frame \(age.inSeconds) ago; one every \(expected.inSeconds) was expected."
        case .noKeyFrame(let track, let time): "\(track.text) has had no key frame for \(time.inSeconds)."
        case .continuityErrors(let count):
            "\(count) continuity \(count == 1 ? "error" : "errors") in the last minute."
        case .timestampErrors(let count):
            "\(count) \(count == 1 ? "timestamp was" : "timestamps were") repaired in the last minute."
        case .dependentSegments(let count):
            "\(count) \(count == 1 ? "segment" : "segments") of the last minute had to begin without an IDR picture; "
                + "set the encoder to one at least every half segment duration."
        case .bitrateFallen(let rate, let usual):
            "The bit rate has fallen to \(rate / 1000) kbit/s; \(usual / 1000) kbit/s are usual."
        case .frozen(let track, let time): "\(track.text) has shown the same picture for \(time.inSeconds)."
        case .silent(let time): "All audio has been silent for \(time.inSeconds)."
        }
    }
}

extension InputHealth.TrackName {
    fileprivate var text: String {
        switch kind {
        case .video: "Video track \(index)"
        case .audio: "Audio track \(index)"
        case .text: "Text track \(index)"
        }
    }
}

extension MediaTime {
    fileprivate var inSeconds: String {
        let tenths = ticks / (Self.timescale / 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
