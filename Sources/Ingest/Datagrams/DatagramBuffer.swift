import CDatagrams
import MediaCore

/// The memory that datagrams are read to, for one thread.
@safe
struct DatagramBuffer: ~Copyable {
    /// Room for the longest datagrams; of pages that none has reached the system gives no memory.
    private let room: UnsafeMutablePointer<UInt8>
    private let datagrams: UnsafeMutablePointer<cdatagrams_datagram>
    private static let count = Int(CDATAGRAMS_BATCH)
    private static let stride = DatagramAddress.longestDatagram

    /// Nanoseconds beyond which an age is not believed: the system's clock was set meanwhile.
    private static let mostAge: Int64 = 5_000_000_000

    init() {
        unsafe room = .allocate(capacity: Self.count * Self.stride)
        unsafe datagrams = .allocate(capacity: Self.count)
        unsafe datagrams.initialize(repeating: cdatagrams_datagram(), count: Self.count)
    }

    deinit {
        unsafe room.deallocate()
        unsafe datagrams.deallocate()
    }

    /// Reads datagrams that have come to a socket.
    ///
    /// - Parameters:
    ///   - socket: Its descriptor.
    ///   - arrivals: Takes them.
    /// - Returns: True if there may be more.
    /// - Throws: `FFmpegError` if the socket cannot be read.
    func receive(from socket: CInt, into arrivals: inout DatagramArrivals) throws(FFmpegError) -> Bool {
        var drops = arrivals.socketDrops
        let count = unsafe cdatagrams_receive(socket, room, Self.stride, datagrams, &drops)
        if count < 0 { throw FFmpegError(code: FFmpegError.posix(-count), operation: "read") }
        if drops != arrivals.socketDrops { arrivals.socketDrops = drops }
        let now = MonotonicTime.now
        for index in 0..<Int(count) {
            var datagram = unsafe datagrams[index]
            // A datagram without any bytes says nothing.
            if datagram.length == 0 { continue }
            let age = 0...Self.mostAge ~= datagram.age ? datagram.age : 0
            let bytes = unsafe UnsafeRawBufferPointer(start: room + index * Self.stride, count: Int(datagram.length))
            let sender = unsafe withUnsafeBytes(of: &datagram.sender) { unsafe SocketEndpoint(bytes: $0) }
            arrivals.take(unsafe RawSpan(_unsafeBytes: bytes), from: sender, at: now - age)
        }
        return count == Self.count
    }
}

/// The monotonic clock.
enum MonotonicTime {
    /// Nanoseconds since some moment in the past.
    static var now: Int64 { cdatagrams_now() }
}
