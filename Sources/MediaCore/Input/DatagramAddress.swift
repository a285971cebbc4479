/// A port where the datagrams of a feed come, and the ways in which they are taken from it, as a URL of `udp:` or
/// `rtp:` says.
///
/// The query has the names of FFmpeg's options (ffmpeg-protocols(1), "udp" and "rtp"), with their meaning.
package struct DatagramAddress: Hashable, Sendable {
    /// The form of the datagrams.
    package enum Form: Hashable, Sendable {
        /// The bytes of the feed.
        case bytes
        /// RTP packets (RFC 3550) whose payload is the bytes of the feed.
        case rtp
    }

    package var form: Form
    /// An address of this machine, or a multicast group; empty for every address of this machine.
    package var host: String
    package var port: Int
    /// The address or name of the interface that a group is joined at, `localaddr`; nil for the one that the routes
    /// choose.
    package var interface: String?
    /// Senders whose datagrams alone are taken, `sources`; empty for any.
    ///
    /// A group is joined for these senders alone.
    package var sources: [AddressRange] = []
    /// Senders whose datagrams are not taken, `block`.
    package var blocked: [AddressRange] = []
    /// Bytes that the socket holds, `buffer_size`; the kernel may grant less (net.core.rmem_max).
    package var socketByteCount = 2 << 20
    /// Bytes that wait for the reader, `fifo_size` packets of 188 bytes.
    package var waitingByteCount = 28_672 * 188
    /// True if the feed breaks off where more comes than may wait, `overrun_nonfatal=0`; else the newest datagrams are
    /// dropped.
    package var endsAtOverflow = false
    /// Silence after which the feed breaks off, `timeout` in microseconds; nil for never.
    package var timeout: Duration?
    /// RTP packets that wait for one that is missing, `reorder_queue_size`.
    package var reorderedPackets = 256

    /// An option of a URL that cannot be kept.
    package struct Problem: Error, Hashable, Sendable {
        /// The finding, and the remedy, in one clause.
        package var text: String

        package init(text: String) {
            self.text = text
        }
    }

    /// Reads a URL; nil if it is of another protocol, or has no port.
    ///
    /// - Parameter feed: A URL of `udp:` or `rtp:`.
    /// - Throws: ``Problem`` for the first option that is unknown, has a value that it cannot have, or cannot be kept.
    package init?(_ feed: FeedLocation) throws(Problem) {
        switch feed.scheme {
        case "udp": form = .bytes
        case "rtp": form = .rtp
        default: return nil
        }
        guard let authority = feed.authority, let port = authority.port.flatMap(Int.init), 1...65_535 ~= port else {
            return nil
        }
        (host, self.port) = (authority.host, port)
        for (name, value) in feed.query.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
    }

    /// Options that change nothing where a feed is read: they are about sending, or a reader of its own keeps them
    /// anyway.
    private static let withoutEffect: Set = [
        "pkt_size", "ttl", "bitrate", "burst_bits", "broadcast", "dscp", "reuse", "reuse_socket", "rtcpport",
        "localrtcpport", "write_to_source",
    ]

    private mutating func set(_ name: String, to value: String) throws(Problem) {
        switch name {
        case "localaddr": interface = value.isEmpty ? nil : value
        case "sources": sources = try Self.addresses(value, name)
        case "block": blocked = try Self.addresses(value, name)
        case "buffer_size": socketByteCount = try Self.number(value, name, 1_024...1 << 30)
        case "fifo_size": waitingByteCount = try max(Self.number(value, name, 0...1 << 22) * 188, Self.longestDatagram)
        case "overrun_nonfatal": endsAtOverflow = try Self.number(value, name, 0...1) == 0
        case "timeout": timeout = try Self.timeout(value, name)
        case "reorder_queue_size": reorderedPackets = try Self.number(value, name, 0...4_096)
        case "localport", "localrtpport": port = try Self.number(value, name, 1...65_535)
        case "connect" where value == "0": break
        case "connect":
            throw Problem(text: "'connect' is not supported for inputs; name the sender with sources=ADDRESS")
        case "fec":
            throw Problem(text: "'fec' is not supported: lost packets are not restored from FEC")
        case let name where Self.withoutEffect.contains(name): break
        default: throw Problem(text: "'\(name)' is no option of \(form == .rtp ? "rtp" : "udp")")
        }
    }

    /// Bytes of the longest datagram that there can be.
    package static let longestDatagram = 65_536

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                text: "'\(name)' is '\(text)'; it is a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    private static func timeout(_ text: String, _ name: String) throws(Problem) -> Duration? {
        let microseconds = try number(text, name, -1...3_600_000_000)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private static func addresses(_ text: String, _ name: String) throws(Problem) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for part in text.split(separator: ",") {
            guard let range = AddressRange(String(part)) else {
                throw Problem(text: "'\(name)' has '\(part)', which is no address")
            }
            ranges.append(range)
        }
        return ranges
    }
}
