import AllocationCounter
import Foundation
import HTTPServing
import Logging
import MeasuredChannel
import MediaCore
import NIOCore
import NIOHTTP1
import Origin

// Delivers packets and answers requests, and prints a line of each: its name, how often it was done, and how many allocations that
// took. What is measured has run for a while before. The line `slot` is of the same packets in slots of a second instead of
// four, with the number of slots that there are more.

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: costs FEED\n".utf8))
    exit(2)
}

/// Counts the allocations of what is done, between two marks for whoever counts instructions.
func measure(_ name: String, _ count: Int, _ body: () -> Void) {
    cost_mark()
    let before = allocation_count()
    body()
    let allocations = allocation_count() - before
    cost_mark()
    print(name, count, allocations)
}

/// Opens a channel, and measures four rounds of the feed after as many.
func measuredChannel(
    _ name: String,
    _ count: Int,
    _ feed: RecordedFeed,
    slotDuration: MediaTime
) throws -> MeasuredChannel {
    let (channel, packets) = (try MeasuredChannel(slotDuration: slotDuration, isInline: true), feed.packets)
    channel.open(feed)
    for round in 0..<4 as Range<Int64> { channel.deliver(packets, round: round) }
    measure(name, 4 * count) {
        for round in 4..<8 as Range<Int64> { channel.deliver(packets, round: round) }
    }
    return channel
}

let feed = RecordedFeed.read(CommandLine.arguments[1])
let channel = try measuredChannel("packet", feed.packets.count, feed, slotDuration: MediaTime(seconds: 4))
// A round has 8 s.
_ = try measuredChannel("slot", 8 - 2, feed, slotDuration: MediaTime(seconds: 1))

let responder = OriginResponder(
    channels: channel,
    counters: OriginCounters(),
    log: AccessLog(logger: Logger(label: "measured") { _ in SwiftLogNoOpLogHandler() }),
    now: { channel.now }
)
guard let paths = channel.paths else { exit(1) }
let fields: HTTPHeaders = ["Host": "localhost", "Accept-Encoding": "gzip", "User-Agent": "measured"]
for (name, path) in [("playlist", paths.playlist), ("segment", paths.segment)] {
    let request = Request(.GET, path, fields)
    var status = 0
    func get(_ count: Int) {
        for _ in 0..<count {
            guard case .answer(.answer(let answer)) = responder.verdict(on: request) else { continue }
            status = Int(responder.finish(answer, request, duration: .zero).status.code)
        }
    }
    // What is made and looked up for the first of all is not counted.
    get(1)
    measure(name, 1_000) { get(1_000) }
    guard status == 200 else {
        FileHandle.standardError.write(Data("\(path) was answered \(status)\n".utf8))
        exit(1)
    }
}

// The same as a plain GET, as nearly all requests are answered.
for (name, path) in [("plain-playlist", paths.playlist), ("plain-segment", paths.segment)] {
    let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    let head = ByteBuffer(string: "GET \(path) HTTP/1.1\r\n\(lines)\r\n")
    var bytes = 0
    if let get = PlainGet(head) { _ = responder.prepared(for: get) }
    measure(name, 1_000) {
        for _ in 0..<1_000 {
            guard let get = PlainGet(head), let answer = responder.prepared(for: get) else { continue }
            bytes += answer.body.readableBytes
        }
    }
    guard bytes > 0 else {
        FileHandle.standardError.write(Data("\(path) was not prepared\n".utf8))
        exit(1)
    }
}
