import MediaCore

@testable import Drills

extension DrillRecord {
    /// Slots of one second from -4 on: a letter each, `m` media, `g` gap, `f` filler, capital: with a discontinuity.
    ///
    /// Each is listed 200 ms after its end.
    static func slots(_ letters: String) -> [Slot] {
        letters.enumerated().map { index, letter in
            let start = (index - 4) * 1000
            let kinds: [String: Slot.Kind] = ["m": .media, "g": .gap, "f": .filler]
            return Slot(
                number: 100 + index,
                span: Span(start, start + 1000),
                kind: kinds[letter.lowercased()] ?? .media,
                isDiscontinuity: letter.isUppercase,
                listed: start + 1200
            )
        }
    }

    /// An encoder killed at 5 s for 3 s, seen for 12 s.
    static func sample(video: String, audio: String? = nil) -> DrillRecord {
        var record = DrillRecord(zero: "2026-01-01T00:00:00.000Z", span: Span(-4000, 12_000), targetDuration: 2)
        record.parts = [
            Part(name: "input-1", faults: [Fault(title: "encoder-killed", start: 5000, end: 8000)]),
            Part(name: "backup-1"),
        ]
        record.renditions = [
            Rendition(name: "video-360p", isVideo: true, slots: slots(video)),
            Rendition(name: "audio-eng", isVideo: false, slots: slots(audio ?? video)),
        ]
        record.player.started = -1000
        record.player.buffer = (-4...48).map { BufferLevel(time: $0 * 250, level: 6000 + $0 % 4 * 250) }
        return record
    }
}
