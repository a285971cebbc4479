import Logging
import MediaCore
import Operations
import Testing
import Timeline

@testable import Segmenting

/// An input that dies within a segment whose first parts were handed out, and what operators hear of it.
@Suite struct EngineCutShortTests {
    /// The reports of a channel whose first input dies after 19 s, in the third slot of 8 s.
    private struct Reports {
        var lines: [(level: Logger.Level, message: String, metadata: Logger.Metadata)] = []
        var gaps: [ChannelEvent] = []

        mutating func add(_ report: ChannelEngine.Report) {
            switch report {
            case .log(let level, let message, let metadata): lines.append((level, message, metadata))
            case .record(let event): if event.kind == .gap { gaps.append(event) }
            }
        }

        func lines(_ message: String) -> [String] {
            lines.filter { $0.message == message }.map { line in
                (["\(line.level)"] + line.metadata.map { "\($0)=\($1)" }.sorted()).joined(separator: "; ")
            }
        }
    }

    /// Runs a channel for 44 s.
    ///
    /// - Parameter backups: The inputs that stay: none or one.
    /// - Returns: The reports about its gaps, and all lines of its log.
    private static func reports(backups: Int) -> Reports {
        var configuration = EngineRun.configuration(.pts, .part(duration: EngineRun.partDuration))
        configuration.backupCount = backups
        var engine = ChannelEngine(configuration: configuration)
        var reports = Reports()
        func handle(_ event: ChannelEngine.Event, at time: MediaTime) {
            for action in engine.handle(event, at: ClockReading(utc: time, wallClock: time)) {
                switch action {
                case .report(let report): reports.add(report)
                case .publish(let slots): for note in slots.flatMap(\.notes) { reports.add(note) }
                default: break
                }
            }
        }
        let start = EngineRun.start
        let inputs = [InputID.input(0)] + (0..<backups).map { .backup($0, inputCount: 1) }
        var encoders = inputs.map { EngineEncoder($0, latency: MediaTime(milliseconds: 120), from: start) }
        for encoder in encoders {
            handle(.added(encoder.input, .live), at: start)
            handle(.opened(encoder.input, encoder.tracks), at: start)
            handle(.began(encoder.input, encoder.tracks, timestampModulus: EngineEncoder.modulus), at: start)
        }
        let death = start + MediaTime(seconds: 19)
        for step in 1...(44 * 5) as ClosedRange<Int64> {
            let now = start + MediaTime(milliseconds: 200) * step
            for index in encoders.indices {
                let packets = encoders[index].packets(until: now - encoders[index].latency)
                if index == 0, now > death { continue }
                for packet in packets { handle(.packet(encoders[index].input, packet.packet), at: now) }
            }
            handle(.timeAdvanced([]), at: now)
        }
        return reports
    }

    @Test func aBackupThatFillsTheNextSegmentIsMediaOfAnInput() {
        let reports = Self.reports(backups: 1)
        #expect(reports.lines("no input has media").isEmpty)
        #expect(reports.lines("input switched").count == 1)
        let lines = reports.lines("segment is cut short")
        #expect(lines.count == 1 && lines[0].hasPrefix("warning; do=nothing, if "), "\(lines)")
        #expect(lines.first?.contains("players with parts get its beginning, others skip it") == true, "\(lines)")
        let messages = reports.gaps.map(\.message)
        let message = "No input could continue this segment for video-360p, audio: viewers miss the rest of it."
        #expect(messages == [message], "\(messages)")
    }

    @Test func anOutageThatLastsIsReportedAsWell() {
        let reports = Self.reports(backups: 0)
        #expect(reports.lines("segment is cut short").count == 1)
        #expect(reports.lines("no input has media").count == 1)
        #expect(reports.gaps.count == 2, "\(reports.gaps.map(\.message))")
    }
}
