import Control
import Foundation
import MediaCore
import Operations
import Testing

@Suite struct StatusCodingTests {
    @Test(arguments: [Fixture.live, Fixture.soon])
    func aStatusComesBackAsItWas(status: ChannelStatus) throws {
        #expect(try JSONDecoder().decode(ChannelStatus.self, from: JSONEncoder().encode(status)) == status)
    }

    @Test(arguments: [(0, "0"), (2500, "2.5"), (-40, "-0.04"), (1_795_262_400_001, "1795262400.001"), (12_000, "12")])
    func secondsAreExactToTheMillisecond(milliseconds: Int64, text: String) throws {
        let seconds = Seconds(MediaTime(milliseconds: milliseconds))
        #expect(String(decoding: try JSONEncoder().encode([seconds]), as: UTF8.self) == "[\(text)]")
        #expect(try JSONDecoder().decode([Seconds].self, from: Data("[\(text)]".utf8)) == [seconds])
    }

    @Test(arguments: ["[1e300]", "[-1e300]", "[\"1\"]", "[null]", "[9.3e15]"])
    func secondsBeyondAllMeasureAreRefused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Seconds].self, from: Data(text.utf8)) }
    }

    @Test(arguments: ["[\"yesterday\"]", "[1]", "[\"2026-11-21T12:00:00\"]"])
    func aTimestampIsAPointOfUTC(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Timestamp].self, from: Data(text.utf8)) }
    }
}
