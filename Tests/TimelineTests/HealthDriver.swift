import MediaCore
import TestSupport
import Timeline

/// A feed in small steps of time, as an encoder would send it; all times are milliseconds.
struct HealthDriver {
    static let start = MediaTime(seconds: 1_795_000_000)

    /// The packets to send; changed in mid-feed to bring about a fault.
    struct Feed {
        /// Milliseconds between pictures.
        var pictureStep: Int64 = 40
        /// Pictures from one key frame to the next.
        var group: Int64 = 50
        var sendsVideo = true
        /// Indices of the audio tracks.
        var audioTracks = [1]
        /// Divides the sizes of pictures.
        var easiness = 1
        var isFrozen = false
        var isSilent = false
        var sendsKeyFrames = true
        /// Two packets a second are lost, or have their timestamps repaired.
        var isDamaged = false
        var isRepaired = false
        /// The most that a packet is late, in milliseconds.
        var jitter: Int64 = 0
    }

    var health: InputHealth
    var feed = Feed()
    var generator: SeededGenerator
    private(set) var now: Int64 = 0
    private var picture: Int64 = 0
    private var audio: Int64 = 0

    init(
        checks: InputHealth.Checks = InputHealth.Checks(),
        feed: Feed = Feed(),
        seed: UInt64 = 1
    ) {
        health = InputHealth(checks: checks)
        generator = SeededGenerator(seed: seed)
        self.feed = feed
        health.opened(at: Self.time(0))
    }

    static func time(_ milliseconds: Int64) -> MediaTime { start + MediaTime(milliseconds: milliseconds) }

    var report: InputHealth.Report { health.report(at: Self.time(now)) }

    /// Lets time pass while nothing is sent.
    ///
    /// - Parameters:
    ///   - milliseconds: How long.
    ///   - isLost: Whether what would have been sent is lost, or follows in a burst.
    mutating func wait(_ milliseconds: Int64, isLost: Bool = true) {
        now += milliseconds
        guard isLost else { return }
        picture = max(picture, now / feed.pictureStep)
        audio = max(audio, now * 48 / 1024)
    }

    /// Sends until a time, and calls `check` every 100 ms.
    mutating func run(for milliseconds: Int64, check: ((InputHealth.Report) -> Void)? = nil) {
        let end = now + milliseconds
        while now < end {
            now += 20
            while picture * feed.pictureStep < now { sendPicture() }
            while audio * 1024 / 48 < now { sendAudio() }
            if now % 200 == 0 { examine() }
            if feed.isDamaged, now % 500 == 0 { health.continuityError(at: Self.time(now)) }
            if feed.isRepaired, now % 500 == 0 { health.timestampRepair(at: Self.time(now)) }
            if let check, now % 100 == 0 { check(report) }
        }
    }

    /// Sends until a condition holds.
    ///
    /// - Returns: How many milliseconds that took; nil if it was more than `limit`.
    mutating func milliseconds(
        upTo limit: Int64,
        sending: Bool = true,
        until condition: (InputHealth.Report) -> Bool
    ) -> Int64? {
        let start = now
        while now - start <= limit {
            if condition(report) { return now - start }
            if sending { run(for: 100) } else { wait(100) }
        }
        return nil
    }

    private mutating func sendPicture() {
        defer { picture += 1 }
        let isKey = picture % feed.group == 0
        guard feed.sendsVideo, !isKey || feed.sendsKeyFrames else { return }
        let mean = isKey ? 80_000 : picture % 3 == 0 ? 24_000 : 9_000
        let size = Int.random(in: mean / 2...mean * 3 / 2, using: &generator) / feed.easiness
        // A key frame, and pictures that say "as before".
        send(0, .video, feed.isFrozen ? isKey ? 20_000 : 25 : size, isSync: isKey, at: picture * feed.pictureStep)
    }

    private mutating func sendAudio() {
        defer { audio += 1 }
        for track in feed.audioTracks {
            let size = feed.isSilent ? 13 : Int.random(in: 190...270, using: &generator)
            send(track, .audio, size, isSync: true, at: audio * 1024 / 48)
        }
    }

    /// Reports the findings of the content checks.
    private mutating func examine() {
        let time = MediaTime(milliseconds: now)
        if feed.sendsVideo {
            let change = feed.isFrozen ? ContentFinding.PictureChange.same : .moved
            health.examined(ContentFinding(trackIndex: 0, mediaTime: time, content: .picture(change)))
        }
        for track in feed.audioTracks {
            let level = feed.isSilent ? -Double.infinity : -23
            let index = InputTrackIndex(track)
            health.examined(ContentFinding(trackIndex: index, mediaTime: time, content: .audio(level: level)))
        }
    }

    private mutating func send(
        _ track: Int,
        _ kind: MediaKind,
        _ size: Int,
        isSync: Bool,
        at time: Int64
    ) {
        let packet = InputHealth.Packet(
            trackIndex: InputTrackIndex(track),
            kind: kind,
            byteCount: size,
            isSync: isSync,
            mediaTime: MediaTime(milliseconds: time)
        )
        health.received(packet, at: Self.time(now + Int64.random(in: 0...feed.jitter, using: &generator)))
    }
}
