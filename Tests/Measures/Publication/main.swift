import Archive
import Files
import Foundation
import Logging
import MeasuredChannel
import MediaCore
import Operations
import Presentation

// Says how long after its last sample a slot is listed: with a disk that is well, with one on which each write takes a
// second, and with a log that nobody reads.

guard CommandLine.arguments.count == 3, let slots = Int(CommandLine.arguments[2]) else {
    FileHandle.standardError.write(Data("usage: publication FEED SLOTS\n".utf8))
    exit(2)
}
let feed = RecordedFeed.read(CommandLine.arguments[1])
let packets = feed.packets
let silent = Logger(label: "measured") { _ in SwiftLogNoOpLogHandler() }

func measure(_ name: String, slots: Int, disk: any FileSystem, logger: Logger = silent) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "publication-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let journal = try Journal.open(
        directory: directory.path,
        channel: "live",
        configuration: [:],
        segmentDuration: MediaTime(seconds: 4),
        fileSystem: disk,
        onEvent: { _ in }
    ).journal
    let channel = try MeasuredChannel(consumers: [journal], logger: logger, isInline: false)
    channel.open(feed)
    // What is listed from the beginning on is not what is measured.
    for round in 0..<4 as Range<Int64> { channel.deliver(packets, round: round) }
    var delays: [Duration] = []
    var round: Int64 = 4
    while delays.count < slots {
        channel.deliver(packets, round: round) { delays.append($0) }
        round += 1
    }
    delays.sort()
    let milliseconds = { (part: Double) in
        delays[min(Int(Double(delays.count) * part), delays.count - 1)] / .milliseconds(1)
    }
    print(name, delays.count, milliseconds(0.5), milliseconds(0.99), milliseconds(1))
}

let written = Logger(label: "measured") { _ in
    var handler = LineLogHandler()
    handler.logLevel = .trace
    return handler
}
try measure("disk", slots: slots, disk: LocalFileSystem.confidential)
try measure("log", slots: slots, disk: LocalFileSystem.confidential, logger: written)
try measure("slow-disk", slots: min(slots, 20), disk: SlowFileSystem(delay: 1))
exit(0)
