package import MediaCore
import Presentation
package import Recording

/// The past of a channel as viewers have it.
package struct OriginPast: Sendable {
    package var recording: Recording
    /// The time for which all media is kept; nil if only the room on disk limits it.
    package var keeps: MediaTime?
    /// The least age of the media that viewers see.
    package var delay: MediaTime
    /// Its keys; nil if there are none, or another server gives them out.
    package var keys: PastKeys?

    package init(recording: Recording, keeps: MediaTime? = nil, delay: MediaTime = .zero, keys: PastKeys? = nil) {
        (self.recording, self.keeps, self.delay, self.keys) = (recording, keeps, delay, keys)
    }
}

extension OriginChannel {
    /// The terms that the past follows from now.
    func terms(of past: OriginPast) -> PastTerms {
        PastTerms(
            segmentDuration: presentation.configuration.segmentDuration,
            targetDuration: presentation.configuration.targetDuration,
            windowDuration: presentation.configuration.windowDuration,
            delay: past.delay,
            isEnded: presentation.isEnded
        )
    }
}

extension OriginPast {
    /// The whole seconds of the delay, for a path.
    var delayRange: PastRange? {
        delay > .zero ? .delayed(seconds: (delay.ticks + MediaTime.timescale - 1) / MediaTime.timescale) : nil
    }

    /// Returns true if a path names media of a slot that viewers may not see yet.
    func withholds(_ path: Substring, _ channel: OriginChannel, now: MediaTime) -> Bool {
        let viewers = ViewerDelay(delay, segmentDuration: channel.presentation.configuration.segmentDuration)
        guard let end = viewers.end(at: now), let slash = path.lastIndex(of: "/"),
            let number = Int64(path[path.index(after: slash)...].prefix { $0 != "." })
        else { return false }
        return number >= end.value
    }
}
