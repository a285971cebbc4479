import Foundation
import Glibc
import MediaCore
import Synchronization
import TestSupport

@testable import Ingest

/// The sample feed of the repository.
let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Samples/feed.ts").path

/// Records what an input delivers.
final class Recorder: InputConsumer {
    struct Record: Sendable {
        var openings: [[InputTrack]] = []
        var modulus: Int64?
        var packets: [PacketInfo] = []
        /// The payload of each packet.
        var payloads: [[UInt8]] = []
        var byteCount: Int { payloads.map(\.count).reduce(0, +) }
        var losses: [String] = []
        var notices: [InputNotice] = []
        var tags: [(time: Int64?, program: Int?, bytes: [UInt8])] = []
        /// Sections of SCTE-35, each with the number of packets before it.
        var splices: [(packets: Int, program: Int?, shift: Int64, bytes: [UInt8])] = []
        var isEnded = false

        func packets(of track: InputTrackIndex) -> [PacketInfo] { packets.filter { $0.trackIndex == track } }

        func payloads(of track: InputTrackIndex) -> [[UInt8]] {
            zip(packets, payloads).filter { $0.0.trackIndex == track }.map(\.1)
        }

        /// The first decode timestamp of a track, and the differing steps from each to the next.
        func course(of track: InputTrackIndex) -> Course {
            let timestamps = packets(of: track).map { $0.decodeTimestamp ?? .min }
            let steps = zip(timestamps, timestamps.dropFirst())
                .map { Timestamps.distance(from: $0, to: $1, modulus: modulus) }
            return Course(start: timestamps.first ?? .min, steps: Set(steps), count: timestamps.count)
        }

        /// The span of a track, each packet of which begins where the one before it ends; nil if there are holes.
        func span(of track: InputTrackIndex) -> Span? {
            let packets = packets(of: track)
            var end = packets.first?.decodeTimestamp ?? .min
            for packet in packets {
                guard packet.decodeTimestamp == Timestamps.reduce(end, modulus: modulus) else { return nil }
                end += packet.duration
            }
            return packets.first?.decodeTimestamp.map { Span(start: $0, length: end - $0) }
        }
    }

    struct Span: Equatable {
        var start: Int64
        var length: Int64
    }

    struct Course: Equatable {
        var start: Int64
        var steps: Set<Int64>
        var count: Int
    }

    private struct State {
        var record = Record()
        var waiters: [(condition: @Sendable (Record) -> Bool, continuation: AsyncStream<Record>.Continuation)] = []
    }

    private let state = Mutex(State())

    /// Returns the record of when the condition was first met, or the task was cancelled; `start` is called once the
    /// condition is watched for.
    func record(when condition: @escaping @Sendable (Record) -> Bool, start: () -> Void = {}) async -> Record {
        let (records, continuation) = AsyncStream<Record>.makeStream()
        let met: Record? = state.withLock { state in
            if condition(state.record) { return state.record }
            state.waiters.append((condition, continuation))
            return nil
        }
        start()
        if let met { return met }
        for await record in records { return record }
        return record
    }

    var record: Record { state.withLock { $0.record } }

    private func note(_ change: (inout Record) -> Void) {
        let (record, met) = state.withLock { state in
            change(&state.record)
            let record = state.record
            let met = state.waiters.filter { $0.condition(record) }
            if !met.isEmpty { state.waiters.removeAll { $0.condition(record) } }
            return (record, met.map(\.continuation))
        }
        for continuation in met { continuation.yield(record) }
    }

    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        note {
            $0.openings.append(tracks)
            $0.modulus = timestampModulus
        }
    }

    func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let bytes = payload.withUnsafeBytes { Array($0) }
        note {
            $0.packets.append(packet)
            $0.payloads.append(bytes)
        }
    }

    func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        let tag = (0..<payload.byteCount).map { payload.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        note { $0.tags.append((packet.presentationTimestamp, program, tag)) }
    }

    func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {
        let bytes = section.withUnsafeBytes { Array($0) }
        note { $0.splices.append(($0.packets.count, program, shift, bytes)) }
    }

    func inputLost(reason: String) { note { $0.losses.append(reason) } }

    func inputEnded() { note { $0.isEnded = true } }

    func inputNoticed(_ notice: InputNotice) { note { $0.notices.append(notice) } }
}

/// Reads a feed until the condition is met, then stops it, and returns what was recorded by then.
func read(
    _ url: String,
    options: InputReader.Options = .init(),
    until condition: @escaping @Sendable (Recorder.Record) -> Bool = { $0.isEnded || !$0.losses.isEmpty }
) async -> Recorder.Record {
    let recorder = Recorder()
    let reader = InputReader(url: url, options: options, consumer: recorder)
    let record = await recorder.record(when: condition) { reader.start() }
    reader.stop()
    await reader.finished()
    return record
}

/// A folder that is there during `body`.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ingest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

/// Runs `ffmpeg` to its end; a cancelled task ends it.
func ffmpeg(_ arguments: String...) async throws {
    try await Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
}

/// FFmpeg as an encoder: sends picture and sound of the sample over and over, as fast as they play, until all is sent or the
/// task is cancelled.
func encode(_ seconds: Double, as format: String, to url: String, isPaced: Bool = true) async throws {
    try await Program.run("ffmpeg", encoding(seconds, as: format, to: url, isPaced: isPaced))
}

/// The same encoder, which continues until the test asks it to end.
func encoder(as format: String, to url: String) throws -> Program {
    try Program("ffmpeg", encoding(600, as: format, to: url, isPaced: true))
}

private func encoding(_ seconds: Double, as format: String, to url: String, isPaced: Bool) -> [String] {
    // A caller of SRT gives up after 3 s, unless it is told to be patient with a busy listener.
    let patience = url.hasPrefix("srt:") ? "\(url.contains("?") ? "&" : "?")connect_timeout=60000" : ""
    var arguments = ["-nostdin", "-v", "error", "-y"]
    if isPaced { arguments.append("-re") }
    arguments += ["-stream_loop", "-1", "-i", sample, "-t", "\(seconds)", "-map", "0:v", "-map", "0:a:0", "-c", "copy"]
    return arguments + ["-f", format, url + patience]
}

/// A socket's kind, with the file in which the kernel lists those that are bound.
enum Transport: String {
    case tcp, udp

    /// A port of 127.0.0.1 that nothing uses, and that no connection is given.
    func freePort() -> UInt16 { UInt16(Ports.free(datagram: self == .udp)) }

    /// The first of two such ports of UDP, an even one: RTP has it, and RTCP the next.
    static func freePair() -> UInt16 {
        while true {
            let port = Ports.free(datagram: true)
            if port.isMultiple(of: 2), Ports.free(datagram: true) == port + 1 { return UInt16(port) }
        }
    }

    /// Returns once a socket is bound to the port.
    func bound(_ port: UInt16) async throws {
        let hex = String(port, radix: 16, uppercase: true)
        let field = ":" + String(repeating: "0", count: 4 - hex.count) + hex + " 00000000:0000"
        _ = try await eventually(within: 60, "a socket is bound to \(port)") {
            KernelTable.text("/proc/net/\(rawValue)").contains(field) ? true : nil
        }
    }

    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
