import Foundation
import Glibc
import Testing

@testable import Ingest

/// Sends datagrams to a port of this machine, or to a group on it.
final class DatagramSender: Sendable {
    private let descriptor: CInt

    init(to host: String = "127.0.0.1", _ port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        // Groups are reached over the loopback interface.
        var interface = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        setsockopt(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, &interface, socklen_t(MemoryLayout<in_addr>.size))
        let code = try SocketEndpoint(host, port: Int(port)).withAddress { connect(descriptor, $0, $1) }
        try #require(code == 0)
    }

    deinit { close(descriptor) }

    func send(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Sends datagrams one after the other, over and over, until the task is cancelled.
    ///
    /// There is a pause after each, as encoders make: sent at once, more would be lost than comes in.
    func repeating(_ datagrams: [ArraySlice<UInt8>]) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                for datagram in datagrams where !Task.isCancelled {
                    send(datagram)
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
        }
    }

    private static let feed = Result { try [UInt8](Data(contentsOf: URL(filePath: sample))) }

    /// Cuts the sample into datagrams.
    ///
    /// - Parameter lengths: Bytes of each, over and over; as encoders make them unless given.
    /// - Returns: All of it.
    /// - Throws: If the sample is not there.
    static func datagrams(of lengths: [Int] = [7 * 188]) throws -> [ArraySlice<UInt8>] {
        datagrams(try feed.get(), of: lengths)
    }

    /// Cuts a file into datagrams as encoders make them.
    static func datagrams(from file: String) throws -> [ArraySlice<UInt8>] {
        datagrams(try [UInt8](Data(contentsOf: URL(filePath: file))), of: [7 * 188])
    }

    private static func datagrams(_ feed: [UInt8], of lengths: [Int]) -> [ArraySlice<UInt8>] {
        var (rest, datagrams) = (feed[...], [ArraySlice<UInt8>]())
        while !rest.isEmpty {
            let length = lengths[datagrams.count % lengths.count]
            datagrams.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return datagrams
    }
}

/// Starts to read a feed.
func reading(_ url: String, _ options: InputReader.Options = .init()) -> (InputReader, Recorder) {
    let recorder = Recorder()
    let reader = InputReader(url: url, options: options, consumer: recorder)
    reader.start()
    return (reader, recorder)
}
