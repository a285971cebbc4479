import FoundationEssentials
import MediaCore
import NIOCore
import Playlists

/// The field names are those of the stored file, and of the exchange between the members of a pair.
extension ScheduleAction: Codable {
    /// - Throws: `DecodingError`, also if times are beyond all reason, and if it is of no kind that is known here.
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
        /// The attributes of a tag, as those of `update`.
        var range: String?
        var announcement: Int64?
        var update: String?
        /// The ID of a range.
        var withdrawal: String?
        var start: Int64?
        var splice: Data?
        var metadata: Data?
        var time: Int64?

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
            case .dateRange(let range, let announcement):
                (self.range, self.announcement) = (range.text, announcement.ticks)
            case .update(let range): update = range.text
            case .withdrawal(let id, let start): (withdrawal, self.start) = (id, start.ticks)
            case .splice(let bytes, let time): (splice, self.time) = (Data(bytes), time.ticks)
            case .metadata(let bytes, let time): (metadata, self.time) = (Data(bytes), time.ticks)
            }
        }

        /// The decoded content; nil if its kind is unknown.
        var content: Content? {
            if let language, let cues {
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
            if let range = range.flatMap({ DateRange(text: $0) }), let announcement {
                return .dateRange(range, announcement: MediaTime(ticks: announcement))
            }
            if let update { return DateRange(text: update).map(Content.update) }
            if let withdrawal, let start { return .withdrawal(id: withdrawal, start: MediaTime(ticks: start)) }
            if let splice, let time { return .splice([UInt8](splice), at: MediaTime(ticks: time)) }
            if let metadata, let time { return .metadata([UInt8](metadata), at: MediaTime(ticks: time)) }
            return nil
        }

        /// True if no arithmetic on its times can overflow, and each cue ends after it begins.
        var isSensible: Bool {
            let times =
                [accepted, effective, announcement, start, time].compactMap(\.self)
                + (cues ?? []).flatMap { [$0.start, $0.end] }
            return times.allSatisfy { MediaTime.eventTimes.contains(MediaTime(ticks: $0)) }
                && (cues ?? []).allSatisfy { $0.start < $0.end }
        }

        /// The hash, which is equal for equal actions on all machines.
        var hash: String {
            // JSON without floating-point numbers can always be written.
            let json = try? JSONEncoder.canonical.encode(self)
            return ContentHash.everyByte(of: ByteBuffer(bytes: json ?? Data())).description
        }
    }
}
