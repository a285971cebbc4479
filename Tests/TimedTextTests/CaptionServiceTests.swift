import MediaCore
import TestSupport
import Testing

@testable import TimedText

/// Captions of CEA-708; times are milliseconds.
@Suite struct CaptionServiceTests {
    private struct Driver {
        var reader = CaptionServiceReader(service: 1, modulus: nil)
        var time: Int64 = 0
        private(set) var cues: [FeedCue] = []
        private var sequence: UInt8 = 0

        /// Service blocks of 31 bytes at most, in a packet each, all in one picture.
        mutating func send(_ bytes: [UInt8], service: UInt8 = 1) {
            var triplets: [CaptionTriplet] = []
            for start in stride(from: 0, to: bytes.count, by: 31) {
                let block = Array(bytes[start..<min(start + 31, bytes.count)])
                let header =
                    service < 7
                    ? [service << 5 | UInt8(block.count)] : [7 << 5 | UInt8(block.count), service]
                var packet = header + block
                if packet.count % 2 == 0 { packet.append(0) }
                packet = [sequence << 6 | UInt8((packet.count + 1) / 2)] + packet
                sequence = (sequence + 1) & 3
                for place in stride(from: 0, to: packet.count, by: 2) {
                    let kind: CaptionTriplet.Kind = place == 0 ? .packetStart : .packetData
                    triplets.append(CaptionTriplet(kind, packet[place], packet[place + 1]))
                }
            }
            cues += reader.read(triplets, at: time * 90)
        }

        mutating func wait(_ duration: Int64) {
            for _ in 0..<duration / 40 {
                time += 40
                cues += reader.read([], at: time * 90)
            }
        }

        var texts: [String] { cues.filter { $0.duration == nil }.map(\.content.text) }
    }

    /// DefineWindow 0 with two rows of 32 columns at the bottom.
    private static func window(isVisible: Bool, top: UInt8 = 0x80 | 90) -> [UInt8] {
        [0x98, isVisible ? 0x38 : 0x18, top, 50, 0x71, 31, 0x11]
    }

    @Test func windowsComeUpAndGo() {
        var driver = Driver()
        driver.send(Self.window(isVisible: false) + Array("Hello".utf8) + [0x0D] + Array("World".utf8))
        driver.wait(1_000)
        #expect(driver.cues.isEmpty)
        driver.send([0x89, 1])
        driver.wait(1_000)
        driver.send([0x8A, 1])
        #expect(driver.texts == ["Hello\nWorld"])
        #expect(driver.cues.map(\.start) == [90_000, 90_000] && driver.cues.last?.duration == 90_000)
        driver.send([0x8B, 1])
        #expect(driver.texts.count == 2)
        driver.send([0x8C, 1])
        #expect(driver.cues.last?.duration != nil)
    }

    @Test func rowsOfASeenWindowRollUp() {
        var driver = Driver()
        driver.send(Self.window(isVisible: true) + Array("ONE".utf8))
        driver.wait(600)
        driver.send([0x0D] + Array("TWO".utf8))
        driver.wait(600)
        driver.send([0x0D] + Array("THREE".utf8))
        driver.wait(600)
        #expect(driver.texts == ["ONE", "ONE\nTWO", "TWO\nTHREE"])
    }

    @Test func charactersOfAllSets() {
        var driver = Driver()
        let codes: [UInt8] = [0x7F, 0xE9, 0x10, 0x25, 0x10, 0x39, 0x18, 0x30, 0x42, 0x10, 0xA5, 0x3C]
        driver.send(Self.window(isVisible: false) + codes + [0x89, 1])
        #expect(driver.texts == ["♪é…™あ_&lt;"])
    }

    @Test func pensColourAndSlant() {
        var driver = Driver()
        driver.send(
            Self.window(isVisible: false) + [0x41, 0x90, 0, 0x80, 0x42, 0x90, 0, 0, 0x91, 0x3C, 0, 0, 0x43, 0x89, 1]
        )
        #expect(driver.texts == ["A<i>B</i><c.yellow>C</c>"])
    }

    @Test func whatStandsAboveStaysAbove() {
        var driver = Driver()
        driver.send(Self.window(isVisible: true, top: 0x80 | 10) + [0x41, 0x89, 1])
        driver.wait(600)
        #expect(driver.cues.first?.content.settings == "line:10%")
    }

    @Test func otherServicesAreOthers() {
        var driver = Driver()
        driver.send(Self.window(isVisible: false) + [0x41, 0x89, 1], service: 2)
        driver.send(Self.window(isVisible: false) + [0x42, 0x89, 1], service: 33)
        #expect(driver.cues.isEmpty)
        driver.reader = CaptionServiceReader(service: 33, modulus: nil)
        driver.send(Self.window(isVisible: false) + [0x42, 0x89, 1], service: 33)
        #expect(driver.texts == ["B"])
    }

    @Test func aDelayHoldsWhatFollows() {
        var driver = Driver()
        driver.send(Self.window(isVisible: false) + [0x41, 0x8D, 10, 0x89, 1])
        #expect(driver.cues.isEmpty)
        driver.wait(960)
        #expect(driver.cues.isEmpty)
        driver.wait(80)
        #expect(driver.texts == ["A"] && driver.cues.first?.start == 90_000)
        driver.send([0x8D, 255, 0x8A, 1])
        driver.send([0x8E])
        #expect(driver.cues.last?.duration != nil)
    }

    @Test func commandsMayLieAcrossBlocks() {
        var driver = Driver()
        let bytes = Self.window(isVisible: false) + [0x41, 0x92, 1, 0, 0x42, 0x89, 1]
        for byte in bytes { driver.send([byte]) }
        #expect(driver.texts == ["A\nB"])
    }

    @Test func anyBytesMakeCuesInOrder() {
        var generator = SeededGenerator(seed: 708)
        var reader = CaptionServiceReader(service: 1, modulus: nil)
        for picture in 0..<20_000 as Range<Int64> {
            let kind: CaptionTriplet.Kind = picture % 4 == 0 ? .packetStart : .packetData
            let first: UInt8 = kind == .packetStart ? 4 : .random(in: 0...255, using: &generator)
            let second: UInt8 = kind == .packetStart ? 0x26 : .random(in: 0x80...0xA0, using: &generator)
            for cue in reader.read([CaptionTriplet(kind, first, second)], at: picture * 3_600) {
                #expect(cue.start <= picture * 3_600 && cue.duration.map { $0 > 0 } ?? true)
            }
        }
    }
}
