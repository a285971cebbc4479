import FoundationEssentials
import MediaCore
import NIOCore

/// The field names are those of the file that is kept, and of what the members of a pair tell each other.
extension ScheduleAction: Codable {
    /// - Throws: `DecodingError`, also where times are beyond all reason, and where it is of no kind that is known here.
    package init(from decoder: any Decoder) throws {
        let record = try Record(from: decoder)
        guard let content = record.content, record.isSensible else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an action")
            )
        }
        self.init(
            content,
            accepted: MediaTime(ticks: record.accepted),
            effective: MediaTime(ticks: record.effective)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        try Record(content, accepted: accepted, effective: effective).encode(to: encoder)
    }
}

extension ScheduleAction {
    /// An action as it is written; times are ticks of 90 kHz from 1970 on.
    struct Record: Codable {
        var accepted: Int64
        var effective: Int64
        var language: String?
        var cues: [Cue]?

        struct Cue: Codable {
            var start: Int64
            var end: Int64
            var payload: String
        }

        init(_ content: Content, accepted: MediaTime, effective: MediaTime) {
            (self.accepted, self.effective) = (accepted.ticks, effective.ticks)
            switch content {
            case .cues(let language, let cues):
                self.language = language
                self.cues = cues.map { Cue(start: $0.start.ticks, end: $0.end.ticks, payload: $0.payload) }
            }
        }

        /// Nil where it is of no kind that is known here.
        var content: Content? {
            guard let language, let cues else { return nil }
            return .cues(
                language: language,
                cues.map { cue in
                    ScheduledCue(
                        start: MediaTime(ticks: cue.start),
                        end: MediaTime(ticks: cue.end),
                        payload: cue.payload
                    )
                }
            )
        }

        /// Whether no arithmetic on its times can overflow, and what lasts ends after it begins.
        var isSensible: Bool {
            // Some 6000 years.
            let sensible: ClosedRange<Int64> = 0...1 << 54
            let times = [accepted, effective] + (cues ?? []).flatMap { [$0.start, $0.end] }
            return times.allSatisfy(sensible.contains) && (cues ?? []).allSatisfy { $0.start < $0.end }
        }

        /// Equal for equal actions, on whatever machine.
        var hash: String {
            // What has no floating-point numbers can always be written.
            let json = try? JSONEncoder.canonical.encode(self)
            return ContentHash.everyByte(of: ByteBuffer(bytes: json ?? Data())).description
        }
    }
}
