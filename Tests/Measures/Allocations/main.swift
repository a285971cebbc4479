import AllocationCounter
import Foundation
import HTTPServing
import Logging
import MeasuredChannel
import NIOHTTP1
import Origin

// Says how many allocations a sample and a GET cost. What is measured has run for a while before.

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: allocations FEED\n".utf8))
    exit(2)
}
let feed = await RecordedFeed.read(CommandLine.arguments[1])
let packets = feed.packets
let channel = try MeasuredChannel(isInline: true)
channel.open(feed)
for round in 0..<4 as Range<Int64> { channel.deliver(packets, round: round) }

/// - Returns: Allocations of each of so many.
func allocations(of count: Int, _ body: () -> Void) -> Double {
    let before = allocation_count()
    body()
    return Double(allocation_count() - before) / Double(count)
}

let rounds = 4
let perSample = allocations(of: packets.count * rounds) {
    for round in 4..<4 + Int64(rounds) { channel.deliver(packets, round: round) }
}
print("packet \(perSample)")

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
    let perGet = allocations(of: 1_000) {
        for _ in 0..<1_000 {
            guard case .answer(.answer(let answer)) = responder.verdict(on: request) else { continue }
            status = Int(responder.finish(answer, request, duration: .zero).status.code)
        }
    }
    guard status == 200 else {
        FileHandle.standardError.write(Data("\(path) was answered \(status)\n".utf8))
        exit(1)
    }
    print("\(name) \(perGet)")
}
