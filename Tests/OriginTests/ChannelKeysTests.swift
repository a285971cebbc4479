import Foundation
import KeyServing
import Logging
import MediaCore
import NIOCore
import Origin
import Presentation
import Recording
import TestSupport
import Testing

@testable import ContentProtection

/// The fixture lists seven slots and keeps three more; here a crypto period is two slots long.
@Suite struct ChannelKeysTests {
    private let secret: MasterSecret
    private let schedule: KeySchedule

    init() throws {
        secret = try MasterSecret.random()
        schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2)
    }

    private func keys(_ presentation: Presentation, _ systems: [KeySystem] = [.identity]) -> ChannelKeys {
        let references = { @Sendable (key: PeriodKey) in
            systems.map {
                KeyReference(system: $0, keyID: key.keyID, constantIV: key.constantIV, uri: "keys/\(key.keyID)")
            }
        }
        return ChannelKeys(directory: schedule, references: references, presentation: presentation) {
            MediaSequenceNumber(Fixture.first + 20)
        }
    }

    /// The key of the period that a slot of the fixture is in.
    private func key(_ slot: Int64) throws -> PeriodKey {
        try schedule.keys(for: schedule.periods.period(of: MediaSequenceNumber(Fixture.first + slot)), .video)
    }

    @Test func whatIsListedOrKeptHasItsKeyAndSoHasTheNextPeriod() throws {
        let keys = self.keys(try Fixture.presentation())
        for slot: Int64 in [3, 5, 9, 10, 11] {
            let key = try self.key(slot)
            #expect(try keys.contentKey(key.keyID)?.secret == key.contentKey.secret, "slot \(slot)")
        }
    }

    @Test func nobodyGetsUnknownExpiredOrFutureKeys() throws {
        let presentation = try Fixture.presentation()
        let keys = self.keys(presentation)
        for slot: Int64 in [-2, 12, 14, 1000] {
            #expect(try keys.contentKey(self.key(slot).keyID) == nil, "slot \(slot)")
        }
        #expect(try keys.contentKey(KeyID(Bytes16(high: 1, low: 2))) == nil)
        let other = KeySchedule(secret: secret, channel: "other", slotsPerPeriod: 2)
        let key = try other.keys(for: other.periods.period(of: MediaSequenceNumber(Fixture.first + 5)), .video)
        #expect(try keys.contentKey(key.keyID) == nil, "a key of another channel")
    }

    @Test func aKeyGoesWithTheLastSegmentThatNeedsIt() throws {
        let presentation = try Fixture.presentation()
        let keys = self.keys(presentation)
        let key = try self.key(4)
        #expect(try keys.contentKey(key.keyID) != nil)
        try Fixture.publish(in: presentation, 10..<40)
        presentation.tick(now: MediaTime(seconds: (Fixture.first + 40) * 4))
        #expect(try keys.contentKey(key.keyID) == nil)
        #expect(try keys.contentKey(self.key(39).keyID) != nil)
    }

    /// Its asset may be gone at any time, and its source may be away.
    @Test func aFinishedRecordingHasItsKey() throws {
        var keys = self.keys(try Fixture.presentation())
        let key = try schedule.schedule(ofRecording: "a").keys(for: CryptoPeriod(0), .video)
        #expect(try keys.contentKey(key.keyID) == nil)
        keys.recordings = { $0 == key.keyID ? key : nil }
        #expect(try keys.contentKey(key.keyID) == key.contentKey)
        #expect(try keys.availability(of: key.keyID, for: [.identity]) == .available(key))
        let request = ByteBuffer(string: "{\"kids\":[\"\(key.keyID.bytes.base64URL)\"]}")
        #expect(String(buffer: try keys.license(for: request)).contains(key.keyID.bytes.base64URL))
        #expect(try keys.availability(of: KeyID(Bytes16(high: 1, low: 2)), for: [.identity]) == .unknown)
        keys.recordings = { _ in throw MissingKey() }
        #expect(throws: MissingKey.self) { try keys.availability(of: key.keyID, for: [.identity]) }
        let listed = try self.key(5)
        #expect(try keys.availability(of: listed.keyID, for: [.identity]) == .available(listed))
    }

    @Test func aLicenceHasWhatMayBeHadOfWhatIsAskedFor() throws {
        let keys = self.keys(try Fixture.presentation())
        let all = try [5, 9, 1000].map { try key($0).keyID.bytes.base64URL }
        let list = all.map { "\"\($0)\"" }.joined(separator: ",")
        let license = try keys.license(for: ByteBuffer(string: "{\"kids\":[\(list)],\"type\":\"temporary\"}"))
        #expect(all.map { String(buffer: license).contains($0) } == [true, true, false])
        #expect(throws: ClearKeyLicense.RequestError.malformed) { try keys.license(for: ByteBuffer(string: "?")) }
    }

    @Test(
        arguments: [
            ([.fairplay, .widevine], false, false), ([.widevine, .clearkey], false, true),
            ([.identity, .fairplay], true, true),
        ] as [([KeySystem], Bool, Bool)]
    )
    func whatHasALicenceServerHasNoKeysHere(systems: [KeySystem], givesKeys: Bool, givesLicenses: Bool) throws {
        let keys = self.keys(try Fixture.presentation(), systems)
        let keyID = try key(5).keyID
        #expect(try (keys.contentKey(keyID) != nil) == givesKeys)
        let request = ByteBuffer(string: "{\"kids\":[\"\(keyID.bytes.base64URL)\"]}")
        #expect(String(buffer: try keys.license(for: request)).contains(keyID.bytes.base64URL) == givesLicenses)
        // The same with a limit, a lease, an address of their own, or tokens.
        let responder = KeyResponder(
            tokens: nil,
            requestsPerMinute: 600,
            now: { Fixture.now },
            uptime: { .zero },
            logger: Logger(label: "keys") { _ in LogLines() }
        )
        func answer(_ subject: KeyRequest.Subject) -> KeyAnswer {
            responder.answer(KeyRequest(subject, channel: "live", token: nil, address: 1), from: keys)
        }
        for keyID in try [keyID, key(11).keyID] {
            #expect((answer(.key(keyID)).status == 200) == givesKeys)
            let request = ByteBuffer(string: "{\"kids\":[\"\(keyID.bytes.base64URL)\"]}")
            #expect((answer(.clearKey(request)).status == 200) == givesLicenses)
        }
        // The key after the next period's is early only to those who may have it then.
        #expect((answer(.key(try key(12).keyID)).status == 425) == givesKeys)
    }

    @Test func theScheduleBeginsAtTheLiveEdgeOrNow() throws {
        let presentation = Presentation(configuration: Fixture.configuration(name: "live"))
        let keys = self.keys(presentation)
        let now = String(buffer: try keys.schedule())
        #expect(now.contains("keys/\(try key(20).keyID)"))
        try Fixture.publish(in: presentation)
        let live = String(buffer: try keys.schedule())
        #expect(live.contains("keys/\(try key(9).keyID)"))
        #expect(live.contains("keys/\(try key(11).keyID)"))
        #expect(!live.contains("keys/\(try key(20).keyID)"))
        #expect(!live.contains(try key(9).contentKey.secret.hex), "keys themselves are never listed")
    }

    /// Viewers have slots up to 5 where they are kept four slots behind, whatever is published after them.
    @Test func viewersWhoAreKeptBehindHaveTheKeysOfTheirSlots() throws {
        var keys = self.keys(try Fixture.presentation())
        let delay = ViewerDelay(MediaTime(seconds: 16), segmentDuration: MediaTime(seconds: 4))
        keys.delay = (of: delay, now: { Fixture.now })
        let extent = MediaSequenceNumber(Fixture.first)..<MediaSequenceNumber(Fixture.first + 10)
        keys.past = PastKeys(directory: schedule) { delay.seen(of: extent, at: Fixture.now) }
        for slot: Int64 in [0, 3, 5, 6, 7] {
            let key = try self.key(slot)
            #expect(try keys.contentKey(key.keyID)?.secret == key.contentKey.secret, "slot \(slot)")
            #expect(try keys.availability(of: key.keyID, for: [.identity]) == .available(key), "slot \(slot)")
        }
        for slot: Int64 in [8, 9, 10, 12] {
            #expect(try keys.contentKey(self.key(slot).keyID) == nil, "slot \(slot)")
        }
        // It is one period early in four seconds.
        #expect(try keys.availability(of: key(8).keyID, for: [.identity]) == .early(seconds: 4))
        #expect(try keys.availability(of: key(12).keyID, for: [.identity]) == .unknown)
        let listed = String(buffer: try keys.schedule())
        for (slot, isListed) in [(3, false), (5, true), (6, true), (8, false)] as [(Int64, Bool)] {
            #expect(listed.contains("keys/\(try key(slot).keyID)") == isListed, "slot \(slot)")
        }
        let request = ByteBuffer(string: "{\"kids\":[\"\(try key(9).keyID.bytes.base64URL)\"]}")
        #expect(!String(buffer: try keys.license(for: request)).contains(try key(9).keyID.bytes.base64URL))
    }

    /// A channel that has stopped keeps the keys of its end, and one that has not begun has those of the time.
    @Test func viewersWhoAreKeptBehindReachTheEnd() throws {
        let delay = ViewerDelay(MediaTime(seconds: 16), segmentDuration: MediaTime(seconds: 4))
        var ended = self.keys(try Fixture.presentation())
        ended.delay = (of: delay, now: { Fixture.now + MediaTime(seconds: 400) })
        #expect(String(buffer: try ended.schedule()).contains("keys/\(try key(9).keyID)"))
        var empty = self.keys(Presentation(configuration: Fixture.configuration(name: "live")))
        empty.delay = (of: delay, now: { Fixture.now })
        #expect(String(buffer: try empty.schedule()).contains("keys/\(try key(5).keyID)"))
    }

    @Test func manyAtOnceGetTheSameWhileTheWindowMoves() async throws {
        let presentation = try Fixture.presentation()
        let keys = self.keys(presentation)
        let key = try self.key(9)
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<500).allSatisfy { _ in try keys.contentKey(key.keyID)?.secret == key.contentKey.secret }
                }
            }
            group.addTask {
                for slot: Int64 in 10..<14 { try Fixture.publish(in: presentation, slot..<slot + 1) }
                return true
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 9 && answers.allSatisfy(\.self))
    }
}
