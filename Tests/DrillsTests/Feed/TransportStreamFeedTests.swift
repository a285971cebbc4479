import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Drills
@testable import MPEGTS

@Suite struct TransportStreamFeedTests {
    private let sample = Result { try Array(Data(contentsOf: URL(filePath: Repository.feed))) }

    @Test func readsTheSample() throws {
        let feed = try Sample.feed()
        #expect(feed.period == MediaTime(seconds: 8))
        #expect(feed.reordering == MediaTime(ticks: 14_400))
        #expect(feed.streams.map(\.pid) == [0x100, 0x101, 0x102])
        #expect(feed.streams.map(\.type) == [0x1B, 0x0F, 0x0F])
        #expect(feed.streams.map(\.units.count) == [200, 375, 375])
        #expect(feed.streams.map(\.isVideo) == [true, false, false])
        #expect(feed.streams.map(\.isAudio) == [false, true, true])
        let video = feed.streams[0].units
        #expect(video[0].presentationTime == .zero)
        #expect(video[0].decodeTime == MediaTime(ticks: -7200))
        #expect(video[0].payload.count == 9511)
        #expect(video.indices.filter { video[$0].isKey } == Array(stride(from: 0, to: 200, by: 25)))
        let audio = feed.streams[1].units
        #expect(audio.prefix(6).map(\.payload.count) == [212, 206, 223, 196, 194, 267])
        #expect(zip(audio, audio.dropFirst()).allSatisfy { ($1.decodeTime - $0.decodeTime).ticks == 1920 })
    }

    @Test func readsTheTables() throws {
        let tables = try Sample.feed().tables
        #expect(tables.programNumber == 1)
        #expect(tables.mapPID == 0x1000)
        #expect(tables.map.clockPID == 0x100)
        // ISO_639_language_descriptor (ISO/IEC 13818-1 § 2.6.18).
        #expect(tables.map.streams[1].descriptors == [0x0A, 4] + Array("eng".utf8) + [0])
        #expect(tables.map.streams[2].descriptors == [0x0A, 4] + Array("deu".utf8) + [0])
    }

    @Test func tablesAreWrittenAsTheyWereRead() throws {
        let tables = try Sample.feed().tables
        var units: [UInt16: [TransportUnitCollector.Unit]] = [:]
        for (pid, section) in tables.sections(version: 3) {
            units[pid] = [.init(offset: 0, isRandomAccess: false, bytes: [0] + section.bytes)]
        }
        #expect(try ProgramTables(units) == tables)
    }

    @Test func unitsRepeatForEverInBothDirections() throws {
        let stream = try Sample.feed().streams[0]
        for index in [0, 1, 57, 199] as [Int64] {
            for round in [-3, -1, 1, 1_000_000] as [Int64] {
                let (unit, other) = (stream.unit(index), stream.unit(round * 200 + index))
                #expect(other.payload == unit.payload)
                #expect(other.decodeTime - unit.decodeTime == MediaTime(seconds: 8) * round)
                #expect(stream.index(decodedFrom: other.decodeTime) == round * 200 + index)
                #expect(stream.index(decodedFrom: other.decodeTime - MediaTime(ticks: 1)) == round * 200 + index)
                #expect(stream.index(decodedFrom: other.decodeTime + MediaTime(ticks: 1)) == round * 200 + index + 1)
            }
        }
    }

    @Test func readsWhatItWrites() throws {
        // A round and a bit, across the wrap.
        let received = try ReceivedFeed(
            clock: .starting(at: Timestamps.transportStreamModulus - 6 * 90_000),
            until: .seconds(10)
        )
        let feed = try TransportStreamFeed(received.bytes)
        let sample = try Sample.feed()
        #expect(feed.streams.map(\.pid) == sample.streams.map(\.pid))
        for (stream, original) in zip(feed.streams, sample.streams) {
            #expect(stream.units.count > original.units.count)
            for (index, unit) in stream.units.enumerated() {
                #expect(unit.payload == original.unit(Int64(index)).payload)
                #expect(unit.decodeTime == original.unit(Int64(index)).decodeTime)
                #expect(unit.presentationTime == original.unit(Int64(index)).presentationTime)
            }
        }
    }

    @Test func audioThatOutlastsTheVideoIsLeftOut() throws {
        let received = try ReceivedFeed(until: .seconds(6))
        let sent = received.bytes
        var bytes: [UInt8] = []
        var pictureCount = 0
        for (packet, start) in zip(received.packets, stride(from: 0, to: .max, by: TransportPacket.byteCount)) {
            if packet.packet.pid == Sample.video, packet.packet.isUnitStart { pictureCount += 1 }
            if packet.packet.pid == Sample.video, packet.packet.payload != nil, pictureCount > 100 { continue }
            bytes += sent[start..<(start + TransportPacket.byteCount)]
        }
        let feed = try TransportStreamFeed(bytes)
        #expect(feed.period == MediaTime(seconds: 4))
        #expect(feed.streams.map(\.units.count) == [100, 187, 187])
    }

    @Test func emptyStreamHasNoTables() {
        #expect(throws: TransportStreamError.noTable(pid: 0)) { try TransportStreamFeed([UInt8]()) }
    }

    @Test func packetsMustBeWholeAndUndamaged() throws {
        let bytes = try sample.get()
        #expect(throws: TransportStreamError.noPacket(offset: 718_160)) { try TransportStreamFeed(bytes.dropLast()) }
        #expect(throws: TransportStreamError.noPacket(offset: 188)) {
            try TransportStreamFeed(Array(bytes[..<188] + bytes[189...]))
        }
        #expect(throws: TransportStreamError.damagedPacket(pid: 0x100, offset: 1880)) {
            try TransportStreamFeed(Array(bytes[..<1880] + bytes[2068...]))
        }
        #expect(throws: TransportStreamError.noPacket(offset: 0)) { try TransportStreamFeed(Array("no stream".utf8)) }
    }

    @Test func streamMustStartWithAKeyFrame() throws {
        var bytes = try ReceivedFeed(until: .seconds(3)).bytes
        // random_access_indicator of the first picture.
        let start = try #require(
            stride(from: 0, to: bytes.count, by: 188).first { ReceivedPacket(bytes[$0...])?.isRandomAccess == true }
        )
        bytes[start + 5] = 0
        #expect(throws: TransportStreamError.noKeyFrameAtStart) { try TransportStreamFeed(bytes) }
    }

    @Test func damagedStreamsAreReadOrRefusedButNeverTrap() throws {
        let whole = try sample.get()
        // A second of it is enough to be read.
        let bytes = Array(whole.prefix(200 * 188))
        var random = SeededGenerator(seed: 4711)
        var refused = 0
        for round in 0..<150 {
            var mutated = bytes
            for _ in 0...(round % 4) {
                // Mostly where headers are.
                let packet = Int.random(in: 0..<200, using: &random) * 188
                let place = packet + Int.random(in: 0..<(round % 3 == 0 ? 188 : 24), using: &random)
                mutated[place] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 5 == 0 { mutated.removeLast(Int.random(in: 0..<mutated.count, using: &random)) }
            do { _ = try TransportStreamFeed(mutated) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test func damagedPartsAreReadOrRefusedButNeverTrap() throws {
        var random = SeededGenerator(seed: 815)
        let packet = PESHeader(streamID: 0xE0, times: .init(presentation: 1, decode: 0)).bytes(payloadByteCount: 9)
        let frame = Array((try Sample.feed()).streams[1].units[0].payload)
        let sections = try Sample.feed().tables.sections(version: 0)
        for _ in 0..<2000 {
            let noise = random.bytes(Int.random(in: 0..<40, using: &random))
            var (header, adts) = (packet + noise, frame + noise)
            header[Int.random(in: 3..<header.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            adts[Int.random(in: 0..<9, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = PESHeader.read(header)
            _ = PESHeader.read(Array(header.prefix(noise.count)))
            _ = FeedStream.adtsFrames(of: adts[...])
            _ = FeedStream.adtsFrames(of: noise[...])
            _ = ReceivedPacket(([0x47] + random.bytes(187))[...])

            // Damage that the checksum does not see.
            var units: [UInt16: [TransportUnitCollector.Unit]] = [:]
            for (pid, section) in sections {
                var body = Array(section.bytes.dropLast(4))
                let place = Int.random(in: 3..<body.count, using: &random)
                body[place] = UInt8.random(in: 0...255, using: &random)
                let crc = SectionChecksum.value(body)
                body += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
                units[pid] = [.init(offset: 0, isRandomAccess: false, bytes: [0] + body)]
            }
            _ = try? ProgramTables(units)
        }
    }
}
