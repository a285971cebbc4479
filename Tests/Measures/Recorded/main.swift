import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording

// Records slots of 4 s up to now, as a channel `live` has them that has run for so long, and prints the numbers of the first
// slot and of the one after the last. The newest segments of video have the bytes that are given, oldest first; the others
// are small, so that a day has room on any disk.

let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
guard let count = numbers.first, count > 0, numbers.count == CommandLine.arguments.count - 2 else {
    FileHandle.standardError.write(Data("usage: recorded DIRECTORY SLOTS [BYTES...]\n".utf8))
    exit(2)
}

/// Makes the segment of a slot; keys change every hour.
func segment(of id: RenditionID, _ number: Int64, byteCount: Int) -> PublishedSegment {
    let period = number / 900
    let key = EncryptionKey(
        method: .sampleAES,
        uri: "keys/\(period)",
        initializationVector: Bytes16(high: 0, low: UInt64(period))
    )
    return PublishedSegment(
        programDateTime: MediaTime(seconds: number * 4),
        duration: SegmentDuration(value: 4, timescale: 1),
        content: .media(ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: byteCount)),
        initialization: .init(name: "init-\(period).mp4", bytes: ByteBuffer(string: "\(id) \(period)"), keys: [key]),
        fingerprint: "1",
        keys: [key],
        iFrame: id.name.hasPrefix("video") ? 0..<byteCount / 4 : nil
    )
}

let recording = try Recording.open(
    CommandLine.arguments[1],
    identity: ["name": "live"],
    segmentDuration: MediaTime(seconds: 4),
    onEvent: { _ in }
)
let presentation = Presentation(
    configuration: Presentation.Configuration(
        name: "live",
        targetDuration: 6,
        segmentDuration: MediaTime(seconds: 4),
        windowDuration: MediaTime(seconds: 60),
        maximumBytes: 1 << 30
    ),
    // A slot waits until it is written.
    consumers: [Recorder(recording, policy: .precedes(within: .seconds(600)))],
    texts: .inline
)
presentation.declare(renditions: [
    RenditionDescription(id: "video-1080p", kind: .video, codecs: ["avc1.640028"]),
    RenditionDescription(id: "audio-en", kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "audio"),
])
let end = Int64(Date().timeIntervalSince1970) / 4
let first = end - Int64(count)
let sizes = numbers.dropFirst()
for number in first..<end {
    let place = sizes.endIndex - Int(end - number)
    let byteCount = sizes.indices.contains(place) ? sizes[place] : 2_000
    try presentation.publish(
        PublishedSlot(
            number: MediaSequenceNumber(number),
            segments: [
                "video-1080p": segment(of: "video-1080p", number, byteCount: byteCount),
                "audio-en": segment(of: "audio-en", number, byteCount: 200),
            ]
        ),
        now: MediaTime(seconds: (number + 1) * 4)
    )
}
presentation.finish()
recording.finish()
guard recording.statistics.written == count else {
    let problem = recording.health.problem ?? "only \(recording.statistics.written) slots were recorded"
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    exit(1)
}
print(first, end)
