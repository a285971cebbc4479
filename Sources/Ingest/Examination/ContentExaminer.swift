import Dispatch
import Glibc
import MediaCore
import NIOCore
import Synchronization

/// Examines the content of an input's tracks, on a separate thread that blocks no other.
///
/// Packets wait in a queue. If the examiner is too slow, it drops packets and resumes at the next key frame: it finds
/// less, but its findings are current.
final class ContentExaminer: Sendable {
    private let checks: ContentChecks
    private let consumer: any InputConsumer
    private let queue = Mutex(Queue())
    private let wake = DispatchSemaphore(value: 0)

    private enum Job {
        case tracks([InputTrack])
        case packet(PacketInfo, [UInt8], isInterrupted: Bool)
        case end
    }

    private typealias Watched = (track: InputTrack, examiner: any TrackExaminer)

    private struct Queue {
        var jobs = CircularBuffer<(job: Job, queued: ContinuousClock.Instant)>()
        var byteCount = 0
        /// The tracks with a packet that was left out.
        var interrupted: Set<InputTrackIndex> = []
    }

    /// The longest time that a packet waits.
    private static let patience = Duration.seconds(1)
    private let mostBytes: Int

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - checks: The checks that are made.
    ///   - consumer: Gets the findings.
    ///   - mostBytes: The most bytes that may wait: a segment of ten seconds at 25 Mbit/s, which a server may send at
    ///     once.
    init(_ checks: ContentChecks, consumer: any InputConsumer, mostBytes: Int = 32 << 20) {
        self.checks = checks
        self.consumer = consumer
        self.mostBytes = mostBytes
        let hasThread = startThread(named: "examination") { self.run() }
        if !hasThread { consumer.inputNoticed(.notExamined(track: nil, reason: "no thread can be started")) }
    }

    /// Bytes of the packets that have not been looked at yet.
    var waitingBytes: Int { queue.withLock { $0.byteCount } }

    /// Packets of these tracks follow.
    func tracksNamed(_ tracks: [InputTrack]) {
        add(.tracks(tracks))
    }

    func packetRead(_ info: PacketInfo, payload: RawSpan) {
        let isAdded = queue.withLock { queue in
            let isLate = queue.jobs.first.map { .now - $0.queued > Self.patience } ?? false
            guard !isLate, queue.byteCount + payload.byteCount <= mostBytes else {
                queue.interrupted.insert(info.trackIndex)
                return false
            }
            let isInterrupted = queue.interrupted.remove(info.trackIndex) != nil
            queue.byteCount += payload.byteCount
            queue.jobs.append((.packet(info, payload.array, isInterrupted: isInterrupted), .now))
            return true
        }
        if isAdded { wake.signal() }
    }

    /// Ends the thread, without waiting.
    func finish() {
        add(.end)
    }

    private func add(_ job: Job) {
        queue.withLock { $0.jobs.append((job, .now)) }
        wake.signal()
    }

    private func run() {
        // The priority of this thread alone: threads that read, package and serve go first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        var examiners: [InputTrackIndex: Watched] = [:]
        while true {
            wake.wait()
            switch next() {
            case .end: return
            case .tracks(let tracks): examiners = select(tracks, keeping: examiners)
            case .packet(let info, let bytes, let isInterrupted):
                guard let examiner = examiners[info.trackIndex]?.examiner else { continue }
                if isInterrupted { examiner.interrupted() }
                for finding in examiner.examine(info, payload: unsafe bytes.span.bytes) {
                    consumer.inputExamined(finding)
                }
            }
        }
    }

    private func next() -> Job {
        queue.withLock { queue in
            let job = queue.jobs.removeFirst().job
            if case .packet(_, let bytes, _) = job { queue.byteCount -= bytes.count }
            return job
        }
    }

    /// Returns an examiner for each examined track; unchanged tracks keep theirs.
    private func select(
        _ tracks: [InputTrack],
        keeping old: [InputTrackIndex: Watched]
    ) -> [InputTrackIndex: Watched] {
        var examiners: [InputTrackIndex: Watched] = [:]
        for track in tracks where track.isSupported {
            if let known = old[track.index], known.track == track {
                examiners[track.index] = known
                continue
            }
            do throws(FFmpegError) {
                let examiner: any TrackExaminer
                switch track.kind {
                case .video where checks.pictures: examiner = try VideoExaminer(track)
                case .audio where checks.audio: examiner = try AudioExaminer(track)
                case .video, .audio, .text: continue
                }
                examiners[track.index] = (track, examiner)
            } catch {
                consumer.inputNoticed(.notExamined(track: track.index, reason: "\(error)"))
            }
        }
        return examiners
    }
}
