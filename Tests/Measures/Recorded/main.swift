import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import RecordingSupport

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
    return RecordedStream.segment(
        of: MediaSequenceNumber(number),
        .media(ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: byteCount)),
        .init(name: "init-\(period).mp4", bytes: ByteBuffer(string: "\(id) \(period)"), keys: [key]),
        fingerprint: "1",
        iFrame: id == RecordedStream.video ? 0..<byteCount / 4 : nil
    )
}

let stream = try RecordedStream(CommandLine.arguments[1])
let end = Int64(Date().timeIntervalSince1970) / 4
let first = end - Int64(count)
let sizes = numbers.dropFirst()
for number in first..<end {
    let place = sizes.endIndex - Int(end - number)
    let byteCount = sizes.indices.contains(place) ? sizes[place] : 2_000
    try stream.publish(MediaSequenceNumber(number)) { id in
        segment(of: id, number, byteCount: id == RecordedStream.video ? byteCount : 200)
    }
}
stream.finish()
let recording = stream.recording
guard recording.statistics.written == count else {
    let problem = recording.health.problem ?? "only \(recording.statistics.written) slots were recorded"
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    exit(1)
}
print(first, end)
