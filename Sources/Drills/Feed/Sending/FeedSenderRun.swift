import Ingest
import MediaCore

/// One run of a sender's encoder: waits, sends, and keeps the connection.
struct FeedSenderRun: ~Copyable {
    typealias Report = @Sendable ((inout [FeedEvent], inout FeedCounts) -> Void) -> Void

    /// The time after a failed attempt to connect at which the next one is made.
    private static let retryInterval = MediaTime(milliseconds: 100)

    private let url: String
    private let origin: FeedOrigin
    private let signal: StopSignal
    private let report: Report
    private var generator: FeedGenerator
    private var writer: FeedWriter?
    /// True if the schedule has it running.
    private var isAlive = false
    private var isConnectionLost = false
    /// The time of the connection; packets that were due before it are not sent.
    private var connectedSince = MediaTime.zero
    private var nextAttempt = MediaTime.zero

    init(
        _ configuration: FeedConfiguration,
        to url: String,
        origin: FeedOrigin,
        signal: StopSignal,
        report: @escaping Report
    ) {
        self.url = url
        self.origin = origin
        self.signal = signal
        self.report = report
        generator = FeedGenerator(configuration, utc: origin.utc, from: max(.zero, origin.elapsed))
    }

    /// Returns when the signal is raised, or when nothing is ever sent again.
    mutating func run() {
        while let item = generator.next() {
            if signal.wait(for: origin.instant(at: item.time) - .now) {
                note(.encoderEnded, at: origin.elapsed)
                break
            }
            switch item {
            case .event(let event): happened(event)
            case .datagram(let datagram): send(datagram)
            case .dropped: report { $1.dropped += 1 }
            }
        }
        writer = nil
    }

    private mutating func happened(_ event: FeedEvent) {
        note(event.kind, at: event.time)
        switch event.kind {
        case .encoderStarted:
            isAlive = true
            connect()
        case .encoderEnded:
            isAlive = false
            writer = nil
        default: break
        }
    }

    private mutating func send(_ datagram: Datagram) {
        if writer == nil, isAlive, datagram.time >= nextAttempt { connect() }
        do throws(FFmpegError) {
            guard writer != nil, datagram.time >= connectedSince else {
                report { $1.undelivered += 1 }
                return
            }
            try writer?.write(datagram.bytes)
            report { $1.sent += 1 }
        } catch {
            writer = nil
            report { $1.undelivered += 1 }
            lost(error)
        }
    }

    private mutating func connect() {
        do throws(FFmpegError) {
            writer = try FeedWriter(opening: url, signal: signal)
            isConnectionLost = false
            connectedSince = origin.elapsed
            note(.connected, at: connectedSince)
        } catch {
            lost(error)
        }
    }

    /// Reports a lost connection, once for all attempts.
    private mutating func lost(_ error: FFmpegError) {
        let now = origin.elapsed
        nextAttempt = now + Self.retryInterval
        if !isConnectionLost, !signal.isRaised { note(.connectionLost(reason: error.description), at: now) }
        isConnectionLost = true
    }

    private func note(_ kind: FeedEvent.Kind, at time: MediaTime) {
        report { events, _ in events.append(FeedEvent(time: time, kind: kind)) }
    }
}
