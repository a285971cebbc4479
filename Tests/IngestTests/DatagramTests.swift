import Glibc
import Testing

@testable import Ingest
@testable import MediaCore

/// What is decided of datagrams, without any socket.
@Suite struct DatagramTests {
    private static let second: Int64 = 1_000_000_000

    // MARK: The address

    private func address(_ url: String) throws -> DatagramAddress {
        try #require(try DatagramAddress(FeedLocation(url)))
    }

    @Test func theURLSaysHowDatagramsAreTaken() throws {
        let plain = try address("udp://239.0.0.1:5000")
        #expect(plain.form == .bytes && plain.host == "239.0.0.1" && plain.port == 5_000)
        #expect(plain.socketByteCount == 2 << 20 && plain.waitingByteCount == 28_672 * 188 && !plain.endsAtOverflow)
        let all = try address(
            "rtp://[::]:5000?localaddr=eth0&sources=192.0.2.1,192.0.2.2&block=192.0.2.3&buffer_size=4096&fifo_size=1000"
                + "&overrun_nonfatal=0&timeout=2000000&reorder_queue_size=5&pkt_size=1316&ttl=4&reuse=1"
        )
        #expect(all.form == .rtp && all.host == "::" && all.interface == "eth0")
        #expect(all.sources == ["192.0.2.1", "192.0.2.2"].compactMap(AddressRange.init))
        #expect(all.blocked == ["192.0.2.3"].compactMap(AddressRange.init))
        #expect(all.socketByteCount == 4_096 && all.waitingByteCount == 188_000 && all.endsAtOverflow)
        #expect(all.timeout == .seconds(2) && all.reorderedPackets == 5)
        #expect(try address("udp://192.0.2.9:1?localport=5000").port == 5_000)
        #expect(try address("udp://@239.0.0.1:5000").host == "239.0.0.1")
    }

    @Test(arguments: [
        "srt://h:1", "tcp://h:1", "udp://h", "udp://h:0", "udp://h:70000", "feed.ts", "udplite://h:1", "srtp://h:1",
    ])
    func otherFeedsAreNotDatagramsOfOurs(url: String) throws {
        #expect(try DatagramAddress(FeedLocation(url)) == nil)
    }

    @Test(
        arguments: [
            ("buffer_size=1e9", "'buffer_size' is '1e9'; it is a number from 1024 to 1073741824"),
            ("fifo_size=-1", "'fifo_size' is '-1'; it is a number from 0 to 4194304"),
            (
                "fifo_size=99999999999999999999",
                "'fifo_size' is '99999999999999999999'; it is a number from 0 to 4194304"
            ),
            ("sources=encoder", "'sources' has 'encoder', which is no address"),
            ("connect=1", "'connect' is not supported for inputs; name the sender with sources=ADDRESS"),
            ("fec=prompeg", "'fec' is not supported: lost packets are not restored from FEC"),
            ("sorces=192.0.2.1", "'sorces' is no option of udp"),
        ]
    )
    func optionsThatCannotBeKeptAreRefusedInWords(query: String, problem: String) {
        #expect(throws: DatagramAddress.Problem(text: problem)) {
            try DatagramAddress(FeedLocation("udp://h:1?\(query)"))
        }
    }

    // MARK: Senders

    private static func place(_ host: String, _ port: Int = 4_000) throws -> SocketEndpoint {
        try SocketEndpoint(host, port: port)
    }

    @Test func sendersAreToldByAddressAndPort() throws {
        #expect(try Self.place("192.0.2.7").description == "192.0.2.7:4000")
        #expect(try Self.place("2001:db8::1").description == "[2001:db8::1]:4000")
        #expect(try Self.place("::ffff:192.0.2.7").description == "192.0.2.7:4000")
        #expect(try Self.place("192.0.2.7") == Self.place("192.0.2.7"))
        #expect(try Self.place("192.0.2.7") != Self.place("192.0.2.7", 4_001))
        #expect(try Self.place("2001:db8::1") != Self.place("2001:db8::2"))
        #expect(try Self.place("239.1.2.3").isMulticast && Self.place("ff02::1").isMulticast)
        #expect(try !Self.place("192.0.2.7").isMulticast && !Self.place("2001:db8::1").isMulticast)
        #expect(try Self.place("", 1).isAnyAddress && !Self.place("127.0.0.1").isAnyAddress)
    }

    @Test func onlyThoseWhoMayAreHeard() throws {
        let network = ["10.0.0.0/8", "2001:db8::/32"].compactMap(AddressRange.init)
        var filter = SenderFilter(admitting: [network, []], but: ["10.0.0.9"].compactMap(AddressRange.init))
        #expect(try filter.name(ofAdmitted: Self.place("10.1.2.3")) == "10.1.2.3:4000")
        #expect(try filter.name(ofAdmitted: Self.place("::ffff:10.1.2.3")) == "10.1.2.3:4000")
        #expect(try filter.name(ofAdmitted: Self.place("2001:db8::5")) == "[2001:db8::5]:4000")
        #expect(try filter.name(ofAdmitted: Self.place("10.0.0.9")) == nil)
        #expect(try filter.name(ofAdmitted: Self.place("192.0.2.1")) == nil)
        // So many that it forgets those before: they are looked at again.
        for port in 1...200 { #expect(try filter.name(ofAdmitted: Self.place("192.0.2.1", port)) == nil) }
        #expect(try filter.name(ofAdmitted: Self.place("10.1.2.3")) == "10.1.2.3:4000")
    }

    @Test func anotherSenderIsNoticedOnceItHasTakenOver() {
        var watch = SenderWatch()
        for time in 0..<10 { #expect(watch.received(from: "a", at: Int64(time) * Self.second / 10) == nil) }
        var findings: [SenderWatch.Finding] = []
        for time in 10..<40 {
            findings += watch.received(from: "b", at: Int64(time) * Self.second / 10).map { [$0] } ?? []
        }
        #expect(findings == [.changed(from: "a", to: "b")])
    }

    @Test func severalSendersAreToldOnceAMinute() {
        var watch = SenderWatch()
        var findings: [SenderWatch.Finding] = []
        for index in 0..<1_000 {
            let finding = watch.received(from: index % 2 == 0 ? "a" : "b", at: Int64(index) * Self.second / 10)
            findings += finding.map { [$0] } ?? []
        }
        #expect(findings == [.several("a", "b"), .several("a", "b")])
    }

    // MARK: Bytes and their arrival

    private func arrivals(_ url: String = "udp://127.0.0.1:5000") throws -> DatagramArrivals {
        DatagramArrivals(try address(url), allowed: [])
    }

    /// The middle of a picture is of no use to a demuxer yet, and what is no transport stream is not waited for.
    @Test func aReaderIsWokenForWhatItCanUse() throws {
        let sender = try Self.place("127.0.0.1")
        let middle = [0x47, 1, 0, 0x10] + [UInt8](repeating: 0x55, count: 184)
        let start = [0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0] + [UInt8](repeating: 0x55, count: 178)
        var prompt = DatagramArrivals(try address("udp://127.0.0.1:5000"), allowed: [], isPrompt: true)
        #expect(!prompt.isDue(at: 0))
        prompt.take(middle.span.bytes, from: sender, at: 0)
        #expect(!prompt.isDue(at: Self.second / 100))
        #expect(prompt.isDue(at: Self.second / 50), "it waits no longer than that of any feed")
        prompt.take(start.span.bytes, from: sender, at: 1)
        #expect(!prompt.isDue(at: 1), "nothing is whole yet")
        prompt.take(start.span.bytes, from: sender, at: 1)
        #expect(prompt.isDue(at: 1))
        prompt.take(middle.span.bytes, from: sender, at: 2)
        #expect(prompt.isDue(at: 2))
        var cursor = DatagramCursor()
        prompt.exchange(with: &cursor)
        prompt.take(middle.span.bytes, from: sender, at: 3)
        #expect(!prompt.isDue(at: 3))
        var usual = try arrivals()
        usual.take(middle.span.bytes, from: sender, at: 0)
        #expect(usual.isDue(at: 0))
    }

    @Test(arguments: [1, 7, 100, 1_000])
    func eachByteHasTheArrivalOfItsDatagram(step: Int) throws {
        var arrivals = try arrivals()
        let sender = try Self.place("127.0.0.1")
        let lengths = [1, 188, 1_316, 12, 400]
        for (index, length) in lengths.enumerated() {
            let bytes = [UInt8](repeating: UInt8(index), count: length)
            arrivals.take(bytes.span.bytes, from: sender, at: Int64(index))
        }
        var cursor = DatagramCursor()
        arrivals.exchange(with: &cursor)
        #expect(arrivals.batch.bytes.isEmpty)
        var marks = ArrivalMarks()
        var buffer = [UInt8](repeating: 0, count: step)
        var (place, seen) = (0, 0)
        while !cursor.isAtEnd {
            var pieces: [DatagramBatch.Datagram] = []
            let count = buffer.withUnsafeMutableBytes { cursor.read(into: $0, &pieces) }
            #expect(pieces.reduce(0) { $0 + $1.byteCount } == count)
            for piece in pieces { marks.pass(piece) }
            place += count
            seen += count
            #expect(marks.arrival(before: Int64(place)) == Int64(buffer[count - 1]))
        }
        #expect(seen == lengths.reduce(0, +))
    }

    @Test func bytesOfUnknownArrivalAreCounted() {
        var marks = ArrivalMarks()
        marks.pass(1_000)
        #expect(marks.arrival(before: 1_000) == nil)
        marks.pass(DatagramBatch.Datagram(byteCount: 10, arrival: 5))
        #expect(marks.arrival(before: 1_010) == 5)
        for index in 0..<50_000 { marks.pass(DatagramBatch.Datagram(byteCount: 1, arrival: Int64(index))) }
        #expect(marks.arrival(before: 51_010) == 49_999)
    }

    // MARK: Bounds and news

    @Test(arguments: [false, true])
    func aReaderThatFallsBehindLosesTheNewest(isFatal: Bool) throws {
        var arrivals = try arrivals("udp://127.0.0.1:5000?fifo_size=500\(isFatal ? "&overrun_nonfatal=0" : "")")
        let sender = try Self.place("127.0.0.1")
        let datagram = [UInt8](repeating: 0x47, count: 1_316)
        for index in 0..<100_000 { arrivals.take(datagram.span.bytes, from: sender, at: Int64(index)) }
        #expect(arrivals.batch.bytes.count <= 500 * 188 && arrivals.batch.bytes.count > 490 * 188)
        #expect(arrivals.hasOverflowed == isFatal)
        var losses = DatagramLosses()
        losses.reader = 100_000 - arrivals.batch.bytes.count / 1_316
        #expect(arrivals.takeNotices(at: 0) == [.datagramsLost(losses)])
        #expect(arrivals.takeNotices(at: Self.second).isEmpty)
    }

    /// Of datagrams with a byte each the records take more memory than the bytes.
    @Test(arguments: ["udp", "rtp"])
    func tinyDatagramsAreBoundedInTheirNumber(scheme: String) throws {
        var arrivals = try arrivals("\(scheme)://127.0.0.1:5000?fifo_size=500")
        let sender = try Self.place("127.0.0.1")
        for index in 0..<10_000 {
            let header: [UInt8] = [0x80, 33, UInt8(index >> 8), UInt8(index & 0xFF), 0, 0, 0, 0, 0, 0, 0, 1]
            let datagram = (scheme == "rtp" ? header : []) + [0x47]
            arrivals.take(datagram.span.bytes, from: sender, at: Int64(index))
        }
        #expect(arrivals.batch.datagrams.count == 500)
        var losses = DatagramLosses()
        losses.reader = 9_500
        #expect(arrivals.takeNotices(at: 0) == [.datagramsLost(losses)])
    }

    /// The longest datagram has room where nothing else waits, however small `fifo_size` is.
    @Test func aGiantDatagramIsWholeOrDropped() throws {
        var arrivals = try arrivals("udp://127.0.0.1:5000?fifo_size=0")
        let sender = try Self.place("127.0.0.1")
        for length in [65_507, 1_316] {
            let datagram = [UInt8](repeating: 0x47, count: length)
            arrivals.take(datagram.span.bytes, from: sender, at: 0)
        }
        #expect(arrivals.batch.datagrams.map(\.byteCount) == [65_507])
        var losses = DatagramLosses()
        losses.reader = 1
        #expect(arrivals.takeNotices(at: 0) == [.datagramsLost(losses)])
    }

    @Test func lossesAreToldAtIntervalsAndByTheirPlace() throws {
        var arrivals = try arrivals("rtp://127.0.0.1:5000?reorder_queue_size=0")
        let sender = try Self.place("127.0.0.1")
        func packet(_ number: UInt8) -> [UInt8] { [0x80, 33, 0, number, 0, 0, 0, 0, 0, 0, 0, 1, 0x47] }
        for number: UInt8 in [0, 1, 4] { arrivals.take(packet(number).span.bytes, from: sender, at: 0) }
        arrivals.socketDrops = 10
        var losses = DatagramLosses()
        (losses.network, losses.socket) = (2, 10)
        #expect(arrivals.takeNotices(at: 0) == [.datagramsLost(losses)])
        arrivals.socketDrops = 15
        #expect(arrivals.takeNotices(at: 9 * Self.second).isEmpty)
        losses = DatagramLosses()
        losses.socket = 5
        // A reader that ends does not wait for the interval.
        var ending = try self.arrivals("udp://127.0.0.1:5000")
        ending.socketDrops = 1
        _ = ending.takeNotices(at: 0)
        ending.socketDrops = 6
        #expect(ending.takeNotices(at: Self.second, isLast: true) == [.datagramsLost(losses)])
        #expect(arrivals.takeNotices(at: 10 * Self.second) == [.datagramsLost(losses)])
        // The kernel's count starts over at 2^32.
        arrivals.socketDrops = .max
        _ = arrivals.takeNotices(at: 30 * Self.second)
        arrivals.socketDrops = 2
        losses.socket = 3
        #expect(arrivals.takeNotices(at: 50 * Self.second) == [.datagramsLost(losses)])
    }

    /// A second encoder at the port of the first is left out, and told of; a second way of the same packets is not.
    @Test(arguments: [UInt8(1), 2])
    func anotherSourceOfRTPIsTold(source: UInt8) throws {
        var arrivals = try arrivals("rtp://127.0.0.1:5000")
        let (one, other) = (try Self.place("127.0.0.1", 1), try Self.place("127.0.0.1", 2))
        for number: UInt8 in 0..<20 {
            let time = Int64(number) * Self.second / 100
            let first: [UInt8] = [0x80, 33, 0, number, 0, 0, 0, 0, 0, 0, 0, 1, 0x47]
            let second: [UInt8] = [0x80, 33, 0, number, 0, 0, 0, 0, 0, 0, 0, source, 0x48]
            arrivals.take(first.span.bytes, from: one, at: time)
            arrivals.take(second.span.bytes, from: other, at: time)
        }
        #expect(arrivals.batch.bytes == [UInt8](repeating: 0x47, count: 20))
        let notices = arrivals.takeNotices(at: Self.second)
        #expect(notices == (source == 1 ? [] : [.severalSenders("127.0.0.1:1", "127.0.0.1:2")]))
    }

    /// A URL that a configuration would refuse opens nothing: libavformat would take what anybody sends.
    @Test func optionThatCannotBeKeptOpensNothing() throws {
        let allowed = ["192.0.2.1"].compactMap(AddressRange.init)
        #expect(throws: FFmpegError.self) {
            try OpenFeed(
                opening: "udp://127.0.0.1:5000?connect=1",
                options: .init(allowedPublishers: allowed)
            )
        }
    }

    @Test func newsOfManySendersIsBounded() throws {
        var arrivals = try arrivals()
        let datagram: [UInt8] = [0x47]
        for port in 1...1_000 {
            arrivals.take(
                datagram.span.bytes,
                from: try Self.place("127.0.0.1", port),
                at: Int64(port) * 2 * Self.second
            )
        }
        #expect(arrivals.takeNotices(at: 0).count <= 8)
    }
}
