import MediaCore
import Operations

extension FeedReport {
    /// The default of segment-duration.
    static let usualSegment = MediaTime(seconds: 4)

    /// Adds advice and the verdict.
    ///
    /// - Parameters:
    ///   - reason: The reason why the feed broke off last; nil if it has not.
    ///   - pages: Faults of the pages of teletext that cannot be read.
    mutating func advise(lost reason: String?, unreadable pages: [Int: TeletextFault]) {
        advice =
            [
                programAdvice, interlaceAdvice, groupAdvice, openGroupAdvice, refreshAdvice, timecodeAdvice,
                spliceAdvice,
                lowLatencyAdvice, timestampAdvice, damageAdvice,
            ].compactMap(\.self) + languageAdvice + Self.teletextAdvice(pages) + leftOutAdvice
        verdict = words(lost: reason)
    }

    var video: Track.Picture? { tracks.lazy.compactMap(\.picture).first }

    private func words(lost reason: String?) -> String {
        guard publication.isPossible else {
            if tracks.isEmpty {
                return reason.map { "It would not be published: \($0)." }
                    ?? "It would not be published: nothing came that could be read."
            }
            let reasons = Set(tracks.compactMap(\.leftOut)).sorted().joined(separator: "; ")
            return "It would not be published: \(reasons.isEmpty ? "none of its tracks has media" : reasons)."
        }
        let renditions = publication.renditions
        let list = renditions.dropLast().joined(separator: ", ")
        let names = list.isEmpty ? renditions[0] : "\(list) and \(renditions[renditions.count - 1])"
        let video = tracks.filter { $0.kind == "video" }
        if !video.isEmpty, video.allSatisfy({ $0.leftOut != nil }) {
            return "It would be published as \(names), without its video."
        }
        let faults =
            timing.damagedPackets + timing.unreadablePackets + timing.discontinuities + timing.losses
            + (timing.datagramsLost?.count ?? 0)
        if faults > 0 { return "It would be published as \(names), but it arrives damaged." }
        let wishes = advice.count { $0.isFault }
        return wishes > 0
            ? "It would be published as \(names), and \(wishes == 1 ? "one thing" : "\(wishes) things") could be better."
            : "It would be published as \(names), and nothing is wrong with it."
    }

    private var programAdvice: Advice? {
        guard let programs, programs.carried.count > 1, let read = programs.read.first else { return nil }
        let numbers = programs.carried.map(String.init).joined(separator: ", ")
        return Advice(
            setting: "program: \(read)",
            text: "It has more than one program (\(numbers)); choose one."
        )
    }

    private var interlaceAdvice: Advice? {
        guard video?.scan == "interlaced" else { return nil }
        return Advice(
            text: "The video is coded as interlaced: players deinterlace badly or not at all; send progressive.",
            isFault: true
        )
    }

    /// Segments begin with key frames: those that do not come once in a segment make segments of unlike lengths.
    private var groupAdvice: Advice? {
        guard let groups = video?.groups, !groups.refreshesGradually else { return nil }
        guard groups.count > 0, let longest = groups.longest, let mean = groups.mean else {
            guard seconds >= 2 * Self.usualSegment.seconds else { return nil }
            return Advice(
                text: "No two key frames came: set the encoder to one at least every few seconds.",
                isFault: true
            )
        }
        // Timestamps are rounded.
        if longest > Self.usualSegment.seconds + 0.0015 {
            return Advice(
                text:
                    "Key frames are up to \(Self.text(longest)) s apart, but every segment of 4 s must begin with one: "
                    + "set the encoder to a key frame at least every 4 s, best every 2 s.",
                isFault: true
            )
        }
        guard groups.isRegular else {
            return Advice(
                text:
                    "Key frames come irregularly, \(Self.text(groups.shortest ?? mean)) to \(Self.text(longest)) s apart: "
                    + "segments have different lengths, and variants cannot be aligned; switch scene detection off.",
                isFault: true
            )
        }
        let times = (Self.usualSegment.seconds / mean).rounded()
        let fitting = mean * max(times, 1)
        guard abs(fitting - Self.usualSegment.seconds) > 0.0015 else { return nil }
        let setting = (fitting * 1000).rounded() / 1000
        let isWhole = abs(fitting - setting) < 1e-6
        return Advice(
            setting: isWhole ? "segment-duration: \(Self.text(setting))" : nil,
            text:
                "Key frames are \(Self.text(mean)) s apart, which does not divide 4 s: the lengths of segments vary.",
            isFault: isWhole
        )
    }

    private var openGroupAdvice: Advice? {
        guard video?.groups.isOpen == true else { return nil }
        return Advice(
            text:
                "Groups of pictures are open: viewers who begin with a segment, or switch to it, may see damage; "
                + "set the encoder to closed groups.",
            isFault: true
        )
    }

    private var refreshAdvice: Advice? {
        guard let groups = video?.groups, groups.refreshesGradually else { return nil }
        return Advice(
            text:
                "Pictures are refreshed bit by bit, without key frames: players cannot begin cleanly; switch intra refresh off.",
            isFault: true
        )
    }

    private var timecodeAdvice: Advice? {
        guard let timecode = video?.timecode else { return nil }
        return Advice(
            setting: "clock: timecode",
            text:
                "Its pictures carry timecode (\(timecode)): if that is the time of day, a backup takes over without a gap, "
                + "and two packagers publish the same."
        )
    }

    private var spliceAdvice: Advice? {
        guard let pids = splices?.unregisteredPIDs, !pids.isEmpty else { return nil }
        let numbers = pids.map(String.init).joined(separator: ", ")
        return Advice(
            setting: "scte35-pid: [auto]",
            text:
                "PID \(numbers) has the stream type of SCTE-35 (0x86), but is not registered: it is not read "
                + "without this setting.",
            isFault: true
        )
    }

    private var timestampAdvice: Advice? {
        guard timing.discontinuities > 0 else { return nil }
        let times = timing.discontinuities == 1 ? "once" : "\(timing.discontinuities) times"
        return Advice(
            text: "Timestamps leap or go back \(times): media is missing there, or placed by its arrival.",
            isFault: true
        )
    }

    private var damageAdvice: Advice? {
        guard timing.damagedPackets > 0 else { return nil }
        return Advice(
            text:
                "\(timing.damagedPackets) packets are damaged: the network between encoder and packager loses some; SRT "
                + "resends them.",
            isFault: true
        )
    }

    private static func teletextAdvice(_ pages: [Int: TeletextFault]) -> [Advice] {
        pages.sorted { $0.key < $1.key }.map { page, fault in
            Advice(
                text: "Teletext page \(page) is there, but nothing readable has arrived: \(fault.reason).",
                // Perhaps there is no speech.
                isFault: fault != .empty
            )
        }
    }

    private var leftOutAdvice: [Advice] {
        // Transcoded tracks are not missed.
        let sources = Set(tracks.compactMap(\.transcodedFrom))
        return tracks.filter { !sources.contains($0.index) }.compactMap { track in
            track.leftOut.map {
                Advice(text: "Track \(track.index) (\(track.codec)) is left out: \($0).", isFault: true)
            }
        }
    }

    static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds.rounded(to: 3))"
    }
}
