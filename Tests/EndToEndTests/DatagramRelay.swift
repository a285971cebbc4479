import Foundation
import Glibc
import Synchronization

/// Hands the datagrams of one sender on to several receivers, each on a line that can fail by itself.
final class DatagramRelay: Sendable {
    enum Line: Sendable {
        case intact
        /// Nothing gets through.
        case cut
        /// One byte in each packet of pictures is another one; transport stream packets have no checksum to tell.
        case noisy
        /// Everything comes so many milliseconds later.
        case long(Int)
    }

    /// A time in which nothing came.
    struct Pause: Sendable {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant

        var seconds: Double { (end - start) / .seconds(1) }
    }

    /// The port that the sender is to send to.
    let port: Int
    private let state: State

    private final class State: Sendable {
        let descriptor: Int32
        let receivers: [Int]
        let lines: Mutex<[Line]>
        let isEnded = Mutex(false)
        /// The time of the last datagram passed on, and the longest pause between two.
        let pauses = Mutex((last: ContinuousClock.Instant?.none, longest: Pause?.none))
        /// The queue of datagrams that are under way on a long line.
        let queue = DispatchQueue(label: "relay")

        init(_ descriptor: Int32, _ receivers: [Int]) {
            self.descriptor = descriptor
            self.receivers = receivers
            lines = Mutex(receivers.map { _ in .intact })
        }
    }

    /// - Parameter receivers: Their ports on this machine.
    init(to receivers: [Int]) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        // It looks this often whether it is still wanted.
        var patience = timeval(tv_sec: 0, tv_usec: 200_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // Room for datagrams while this thread is not run; a process without the right to more gets the usual size.
        var size: CInt = 4 << 20
        for option in [SO_RCVBUF, SO_RCVBUFFORCE] {
            setsockopt(descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        port = Self.withAddress(port: 0) { address, size in
            var size = size
            bind(descriptor, address, size)
            getsockname(descriptor, address, &size)
        }
        state = State(descriptor, receivers)
        Thread.detachNewThread { [state] in Self.run(state) }
    }

    deinit {
        state.isEnded.withLock { $0 = true }
    }

    /// Changes what the line to a receiver does.
    func set(_ line: Line, to receiver: Int) { state.lines.withLock { $0[receiver] = line } }

    /// The longest time from one datagram to the next, nil before the second one.
    var longestPause: Pause? { state.pauses.withLock { $0.longest } }

    private static func run(_ state: State) {
        defer { close(state.descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !state.isEnded.withLock({ $0 }) {
            let count = recv(state.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            note(state)
            let datagram = Array(buffer[..<count])
            for (line, receiver) in zip(state.lines.withLock { $0 }, state.receivers) {
                switch line {
                case .intact: send(datagram, to: receiver, from: state.descriptor)
                case .cut: break
                case .noisy: send(damaged(datagram), to: receiver, from: state.descriptor)
                case .long(let milliseconds):
                    state.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                        send(datagram, to: receiver, from: state.descriptor)
                    }
                }
            }
        }
    }

    private static func note(_ state: State) {
        let now = ContinuousClock.now
        state.pauses.withLock { pauses in
            if let last = pauses.last {
                let pause = Pause(start: last, end: now)
                if pause.seconds > pauses.longest?.seconds ?? 0 { pauses.longest = pause }
            }
            pauses.last = now
        }
    }

    private static func send(_ datagram: [UInt8], to port: Int, from descriptor: Int32) {
        _ = withAddress(port: port) { address, size in
            sendto(descriptor, datagram, datagram.count, 0, address, size)
        }
    }

    /// ISO/IEC 13818-1 § 2.4.3.2: packets of 188 bytes, of which those are hit that hold the middle of a picture.
    private static func damaged(_ datagram: [UInt8]) -> [UInt8] {
        var datagram = datagram
        for start in stride(from: 0, through: datagram.count - 188, by: 188) {
            let (flags, isVideo) = (
                datagram[start + 1] & 0xe0, datagram[start + 1] & 0x1f == 1 && datagram[start + 2] == 0
            )
            if flags == 0, isVideo, datagram[start + 3] & 0x30 == 0x10 { datagram[start + 187] ^= 0x10 }
        }
        return datagram
    }

    /// Lends the address of a port on this machine.
    ///
    /// - Returns: The port that it is of afterwards.
    private static func withAddress(port: Int, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Void) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
