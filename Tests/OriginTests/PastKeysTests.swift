import Files
import HTTPServing
import KeyServing
import KeySources
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

@testable import ContentProtection
@testable import Origin

/// Keys of crypto periods that only the recording still needs; a period is two slots long.
@Suite struct PastKeysTests {
    private let schedule: KeySchedule

    init() throws {
        schedule = KeySchedule(secret: try MasterSecret.random(), channel: "live", slotsPerPeriod: 2)
    }

    private static func slot(_ slot: Int64) -> MediaSequenceNumber { MediaSequenceNumber(Fixture.first + slot) }

    private func key(_ slot: Int64) throws -> PeriodKey {
        try schedule.keys(for: schedule.periods.period(of: Self.slot(slot)), .video)
    }

    @Test func derivedKeysOfThePastAreMadeAgain() throws {
        let extent = Self.slot(-1000)..<Self.slot(10)
        let past = PastKeys(directory: schedule) { extent }
        for slot: Int64 in [-1000, -999, -500, 0, 9] {
            let key = try self.key(slot)
            #expect(try past.key(key.keyID)?.contentKey.secret == key.contentKey.secret, "slot \(slot)")
        }
        for slot: Int64 in [-1004, 10, 12, 5000] {
            #expect(try past.key(self.key(slot).keyID) == nil, "slot \(slot)")
        }
        #expect(try past.key(KeyID(Bytes16(high: 1, low: 2))) == nil)
        #expect(past.unknownPeriods(of: extent).isEmpty)
    }

    @Test func whatIsKnownFollowsTheRecording() throws {
        let extent = Movable(Self.slot(0)..<Self.slot(10))
        let past = PastKeys(directory: schedule) { extent.value }
        let (old, new) = (try key(0), try key(20))
        #expect(try past.key(old.keyID) != nil)
        #expect(try past.key(new.keyID) == nil)
        extent.value = Self.slot(10)..<Self.slot(30)
        #expect(try past.key(old.keyID) == nil)
        #expect(try past.key(new.keyID) != nil)
        extent.value = nil
        #expect(try past.key(new.keyID) == nil)
    }

    @Test func aRecordingOfAMillionPeriodsHasTheKeysOfTheNewest() throws {
        let extent = Self.slot(-3_000_000)..<Self.slot(0)
        let past = PastKeys(directory: schedule, mostKeys: 1000 * schedule.classes.all.count) { extent }
        let (recent, old) = (try key(-1900), try key(-2100))
        #expect(try past.key(recent.keyID) != nil)
        #expect(try past.key(old.keyID) == nil)
    }

    @Test func aChannelGivesThemOut() throws {
        let extent = Self.slot(-1000)..<Self.slot(10)
        var keys = ChannelKeys(
            directory: schedule,
            references: { key in
                [
                    KeyReference(
                        system: .identity,
                        keyID: key.keyID,
                        constantIV: key.constantIV,
                        uri: "keys/\(key.keyID)"
                    )
                ]
            },
            presentation: try Fixture.presentation(),
            currentSlot: { Self.slot(10) }
        )
        let key = try self.key(-500)
        #expect(try keys.contentKey(key.keyID) == nil)
        #expect(try keys.availability(of: key.keyID, for: [.identity]) == .unknown)
        keys.past = PastKeys(directory: schedule) { extent }
        #expect(try keys.contentKey(key.keyID)?.secret == key.contentKey.secret)
        #expect(try keys.availability(of: key.keyID, for: [.identity]) == .available(key))
        #expect(try keys.availability(of: self.key(-1010).keyID, for: [.identity]) == .unknown)
    }

    @Test func keysOfASourceAreAskedForAgain() async throws {
        let source = Source(schedule)
        let store = KeyStore()
        let directory = KnownKeys(store, periods: schedule.periods)
        let extent = Self.slot(-1000)..<Self.slot(10)
        let past = PastKeys(directory: directory, source: source) { extent }
        let key = try self.key(-500)
        #expect(try past.key(key.keyID) == nil)
        let periods = past.unknownPeriods(of: Self.slot(-500)..<Self.slot(-496))
        #expect(periods.count == 2)
        async let first: Void = past.ask(for: periods)
        async let second: Void = past.ask(for: periods)
        _ = await (first, second)
        #expect(source.asked == periods)
        #expect(past.unknownPeriods(of: Self.slot(-500)..<Self.slot(-496)).isEmpty)
        #expect(try past.key(key.keyID)?.contentKey.secret == key.contentKey.secret)
        #expect(store.keys(of: .video).isEmpty)
    }

    /// Whatever others have asked for before, and however old the period is.
    @Test func aKeyThatWasJustGivenIsKept() async throws {
        let directory = KnownKeys(KeyStore(), periods: schedule.periods)
        let extent = Self.slot(-1000)..<Self.slot(10)
        // A busy machine may take its time for the first of them.
        let patience = Duration.seconds(300)
        let past = PastKeys(directory: directory, source: Source(schedule), capacity: 64, patience: patience) { extent }
        await past.ask(for: past.unknownPeriods(of: Self.slot(-128)..<Self.slot(0)))
        let old = Self.slot(-1000)..<Self.slot(-996)
        await past.ask(for: past.unknownPeriods(of: old))
        #expect(past.unknownPeriods(of: old).isEmpty)
        let key = try self.key(-1000)
        #expect(try past.key(key.keyID)?.contentKey.secret == key.contentKey.secret)
        // Those that came first have gone.
        #expect(past.unknownPeriods(of: Self.slot(-128)..<Self.slot(0)).count == 2)
    }

    /// A document may be large, and is read once for all periods of a range.
    @Test func aDocumentIsReadOnceForARange() async throws {
        struct Empty: KeyDocument {
            func keys(of period: CryptoPeriod, _ classes: [KeyClass]) throws -> [PeriodKey] { throw MissingKey() }
        }
        let readings = Mutex(0)
        let source = DocumentKeySource(periods: schedule.periods) {
            readings.withLock { $0 += 1 }
            return Empty()
        }
        let past = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        await past.ask(for: past.unknownPeriods(of: Self.slot(0)..<Self.slot(192)))
        #expect(readings.withLock { $0 } <= 2)
    }

    @Test func aSourceThatRefusesIsNotAskedAtOnceAgain() async throws {
        let source = Source(schedule, refuses: true)
        let past = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        let periods = past.unknownPeriods(of: Self.slot(0)..<Self.slot(40))
        #expect(periods.count == 20)
        for _ in 0..<5 { await past.ask(for: periods) }
        #expect(Set(source.asked) == Set(periods))
        #expect(source.asked.count == 20)
        // A range with more periods than any source should be asked for is refused at once.
        await past.ask(for: past.unknownPeriods(of: Self.slot(1000)..<Self.slot(2000)))
        #expect(source.asked.count == 20)
        // However many ranges there are, the source is asked for some of them alone.
        for index: Int64 in 0..<100 {
            await past.ask(
                for: past.unknownPeriods(of: Self.slot(10_000 + index * 40)..<Self.slot(10_040 + index * 40))
            )
        }
        #expect(source.asked.count <= 400)
    }

    @Test(arguments: [(true, 404), (false, 200)])
    func aRangeWhoseKeysCannotBeHadIsRefusedInWords(refuses: Bool, status: UInt) async throws {
        let source = Source(schedule, refuses: refuses)
        let directory = KnownKeys(KeyStore(), periods: schedule.periods)
        let past = try PastFixture(slots: 0) { channel, recording in
            channel.past?.keys = PastKeys(directory: directory, source: source) { recording.extent }
        }
        for slot: Int64 in 0..<12 {
            let time = MediaTime(seconds: PastFixture.start + slot * 4)
            let segment = PublishedSegment(
                programDateTime: time,
                duration: SegmentDuration(MediaTime(seconds: 4)),
                content: .media(Fixture.segment),
                initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init")),
                // The first four are in the clear.
                keys: slot < 4 ? [] : [EncryptionKey(method: .aes128, uri: "keys/\(slot / 2)")]
            )
            try past.presentation.publish(
                PublishedSlot(number: Self.slot(slot), segments: ["video-1080p": segment, "audio-en": segment]),
                now: time + MediaTime(seconds: 4)
            )
        }
        past.presentation.finish()
        past.setTime(toEndOf: 11)
        func fetch(_ slots: Range<Int64>) async throws -> Answer {
            let request = Request(.GET, "\(PastFixture.range(slots))/video-1080p.m3u8")
            // Event loops look for no periods, and the disk is read by the threads that are for it.
            guard case .asking(let ask) = past.responder.reply(to: request), case .reading(_, let work) = await ask()
            else { throw NotAsked() }
            return work()
        }
        let encrypted = try await fetch(6..<10)
        #expect(encrypted.status.code == status)
        #expect(
            String(buffer: encrypted.body).contains(
                refuses ? "keys that the key source no longer gives" : "../../keys/3"
            )
        )
        #expect(try await fetch(0..<4).status == .ok)
        #expect(try await fetch(6..<10).status.code == status)
        #expect(source.asked.count == 4)
    }

    /// A finished recording may outlast the recording that it was made of.
    @Test func aSlotThatIsNoLongerRecordedHasItsKey() async throws {
        let derived = PastKeys(directory: schedule) { nil }
        let key = try self.key(-500)
        // Of its slots, and of the first ones after, which a late key leaves to it.
        for slot: Int64 in [-500, -499, -498] {
            #expect(try derived.key(key.keyID, of: Self.slot(slot)) == key, "slot \(slot)")
        }
        #expect(try derived.key(key.keyID, of: Self.slot(-496)) == nil)

        let source = Source(schedule)
        let past = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        #expect(throws: MissingKey.self) { try past.key(key.keyID, of: Self.slot(-498)) }
        // The period of the slot first, then the one before.
        let found = try await eventually(within: 10, "the key") { try past.key(key.keyID, of: Self.slot(-498)) }
        #expect(found == key)
        let period = schedule.periods.period(of: Self.slot(-498))
        #expect(source.asked == [CryptoPeriod(period.index - 1), period])
        // A source that gives others now has no such key.
        let other = KeyID(Bytes16(high: 1, low: 2))
        #expect(try past.key(other, of: Self.slot(-498)) == nil)
    }

    /// A source need not have a key for each class of tracks.
    @Test func aSourceWithoutSomeClassHasTheKeyBefore() async throws {
        let source = Source(schedule, classes: [.video])
        let past = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        let key = try self.key(-500)
        let found = try await eventually(within: 10, "the key") { try past.key(key.keyID, of: Self.slot(-498)) }
        #expect(found == key)
        #expect(try past.key(KeyID(Bytes16(high: 1, low: 2)), of: Self.slot(-498)) == nil)
    }

    @Test func aKeyThatNeverChangesIsRequestedOnce() async throws {
        let schedule = KeySchedule(secret: try MasterSecret.random(), channel: "live", slotsPerPeriod: nil)
        let source = Source(schedule)
        let past = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        let key = try schedule.keys(for: CryptoPeriod(0), .audio)
        let found = try await eventually(within: 10, "the key") { try past.key(key.keyID, of: Self.slot(7)) }
        #expect(found == key)
        #expect(try past.key(KeyID(Bytes16(high: 1, low: 2)), of: Self.slot(7)) == nil)
        #expect(source.asked == [CryptoPeriod(0)])
    }

    /// Viewers of a finished recording get its playlists once their keys are known.
    @Test func theKeysOfAFinishedRecordingAreRequestedWithItsPlaylist() async throws {
        struct Library: RecordingFiles {
            let slots: [MediaSequenceNumber]

            func expiry(of path: Substring) -> MediaTime? { nil }

            func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] { path.hasPrefix("a/") ? slots : [] }

            func holds(_ path: String) -> Bool? { nil }

            func byteCount(of path: Substring) throws(FileError) -> Int? { 8 }

            func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
                ByteBuffer(string: "#EXTM3U\n")
            }
        }
        let source = Source(schedule)
        let keys = PastKeys(directory: KnownKeys(KeyStore(), periods: schedule.periods), source: source) { nil }
        let past = try PastFixture(slots: 2) { channel, _ in
            channel.past?.keys = keys
            channel.recordings = Library(slots: [Self.slot(-500), Self.slot(-499), Self.slot(-400)])
        }
        func fetch(_ path: String) async throws -> Answer {
            switch past.responder.reply(to: Request(.GET, "/live/recordings/\(path)")) {
            case .asking(let ask):
                guard case .reading(_, let work) = await ask() else { throw NotAsked() }
                return work()
            case .reading(_, let work): return work()
            default: throw NotAsked()
            }
        }
        #expect(try await fetch("b/video.m3u8").status == .ok)
        #expect(try await fetch("a/video/7.m4s").status == .ok)
        #expect(source.asked.isEmpty)
        #expect(try await fetch("a/video.m3u8").status == .ok)
        #expect(source.asked == [-500, -400].map { schedule.periods.period(of: Self.slot($0)) })
        let key = try self.key(-400)
        #expect(try keys.key(key.keyID, of: Self.slot(-400)) == key)
        // A source is not asked for more than this at once.
        let many = (0..<1000).map { Self.slot($0 * 2) }
        #expect(keys.unknownPeriods(ofKeysAt: many).isEmpty)
    }

    /// Viewers wait meanwhile.
    @Test func aSilentSourceIsNotWaitedForTwice() async throws {
        struct Silence: KeySource {
            let periods: CryptoPeriods
            let asked = Asked()

            final class Asked: Sendable {
                let count = Atomic(0)
            }

            func requestKeys(
                of period: CryptoPeriod,
                _ classes: [KeyClass],
                answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
            ) { asked.count.add(1, ordering: .relaxed) }
        }
        let source = Silence(periods: schedule.periods)
        let recall = KeyRecall(source, classes: [.video], into: KeyStore(), patience: .milliseconds(10))
        await recall.ask(for: (0..<90).map { CryptoPeriod($0) })
        #expect(source.asked.count.load(ordering: .relaxed) == source.mostRequests)
    }

    private struct NotAsked: Error {}

    private final class Movable: Sendable {
        private let state: Mutex<Range<MediaSequenceNumber>?>

        init(_ value: Range<MediaSequenceNumber>?) { state = Mutex(value) }

        var value: Range<MediaSequenceNumber>? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// Gives derived keys, or none.
    private final class Source: KeySource {
        private struct Refusal: Error {}
        private let schedule: KeySchedule
        private let refuses: Bool
        private let classes: [KeyClass]
        private let requests = Mutex<[CryptoPeriod]>([])

        init(_ schedule: KeySchedule, refuses: Bool = false, classes: [KeyClass] = [.video, .audio]) {
            (self.schedule, self.refuses, self.classes) = (schedule, refuses, classes)
        }

        var periods: CryptoPeriods { schedule.periods }
        var asked: [CryptoPeriod] { requests.withLock { $0.sorted() } }

        func requestKeys(
            of period: CryptoPeriod,
            _ classes: [KeyClass],
            answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
        ) {
            requests.withLock { $0.append(period) }
            if refuses { return answer(.failure(Refusal())) }
            schedule.requestKeys(of: period, classes.filter(self.classes.contains), answer: answer)
        }
    }
}
