import ContentProtection
import MediaCore
import Testing

@Suite struct KeyScheduleTests {
    private func makeSchedule(
        channel: String = "live",
        slotsPerPeriod: Int64? = nil,
        firstByte: UInt8 = 0
    ) throws -> KeySchedule {
        let secret = try #require(MasterSecret([firstByte] + Array(1...31)))
        return KeySchedule(secret: secret, channel: channel, slotsPerPeriod: slotsPerPeriod)
    }

    // Made by a second implementation, of HMAC-SHA256 in another language. Players hold keys of published segments, so
    // these never change.
    @Test(arguments: [
        (
            "live", 0, KeyClass.video,
            "aeff5e5192a6f730abe3438a30c6b146 6cfa414114db64a5ceb118f52ef97cad a38bbffd4b8140b0ba535184bedc5edc"
        ),
        (
            "live", 0, .audio,
            "c6387ec82bd527ed42a7fcc973240467 c8bed2ea6d0f4ff83574724dee6c3d85 090cc5f980e4d0d87c476c2f03ff862f"
        ),
        (
            "live", 7, .video,
            "46fa89ee6e97edeef6764e74342368d6 02c62f4d3e18b640d0aa3f5e65803dac f959ef32b967f3f20eacc586c78e99c2"
        ),
        (
            "live", -1, .video,
            "4abca96b906ea26730759882012721d1 f2386af27784cf3a29617874e6e7ea38 05b0d787fd438e2f2378644171fc86c0"
        ),
        (
            "größe", 7, .audio,
            "e2289879a8f0b97ebfd510713c78219c 2e640adde582c69be077e838b26cd52b 8b32e2a190daee2a2f6f86e2739f758a"
        ),
    ])
    func derivedValuesNeverChange(channel: String, period: Int64, keyClass: KeyClass, expected: String) throws {
        let key = try makeSchedule(channel: channel).keys(for: CryptoPeriod(period), keyClass)
        #expect("\(key.keyID) \(key.contentKey.secret.hex) \(key.constantIV.hex)" == expected)
        #expect(key.period == CryptoPeriod(period))
        #expect(key.keyClass == keyClass)
    }

    @Test func longKeysAreUnrelatedToShortOnes() throws {
        let secret = try #require(MasterSecret([0] + Array(1...31)))
        let short = try makeSchedule()
        let long = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil, keySize: .bits256)
        for keyClass in KeyClass.allCases {
            let keys = try [short, long].map { try $0.keys(for: CryptoPeriod(0), keyClass) }
            #expect(keys.map(\.contentKey.bytes.count) == [16, 32])
            #expect(keys[0].keyID != keys[1].keyID)
            #expect(!keys[1].contentKey.bytes.hex.contains(keys[0].contentKey.bytes.hex))
            #expect(Set(keys[1].contentKey.bytes).count > 16)
        }
        #expect(try long.secretName() == short.secretName())
        #expect(try short.secretName() == short.keys(for: CryptoPeriod(0), .video).keyID)
    }

    @Test func allValuesDifferBetweenSecretsChannelsPeriodsAndKinds() throws {
        var values: [Bytes16] = []
        for schedule in [try makeSchedule(), try makeSchedule(channel: "live2"), try makeSchedule(firstByte: 1)] {
            for period in Int64(0)..<3 {
                for keyClass in [KeyClass.video, .audio] {
                    let key = try schedule.keys(for: CryptoPeriod(period), keyClass)
                    values += [key.keyID.bytes, key.contentKey.secret, key.constantIV]
                }
            }
        }
        #expect(Set(values).count == values.count)
    }

    @Test(arguments: [(0, 0), (4, 0), (5, 1), (9, 1), (-1, -1), (-5, -1), (-6, -2), (425_000_003, 85_000_000)])
    func periodIsTheFloorOfSlotOverSlotsPerPeriod(slot: Int64, period: Int64) throws {
        let schedule = try makeSchedule(slotsPerPeriod: 5)
        #expect(schedule.periods.period(of: MediaSequenceNumber(slot)) == CryptoPeriod(period))
        let first = try #require(schedule.periods.firstSlot(of: CryptoPeriod(period)))
        #expect(schedule.periods.period(of: first) == CryptoPeriod(period))
        #expect(schedule.periods.period(of: first.previous) == CryptoPeriod(period - 1))
    }

    /// Numbers may come from a damaged playlist.
    @Test func periodBeginsWithItsFirstSlotAndNeverBeyondAllTimes() {
        let periods = CryptoPeriods(slotsPerPeriod: 5)
        let slotDuration = MediaTime(seconds: 4)
        #expect(periods.start(of: CryptoPeriod(3), slotDuration: slotDuration) == MediaTime(seconds: 60))
        #expect(periods.start(of: CryptoPeriod(-1), slotDuration: slotDuration) == MediaTime(seconds: -20))
        for number in [1 << 53, .max] as [Int64] {
            let period = periods.period(of: MediaSequenceNumber(number))
            #expect(periods.start(of: period, slotDuration: slotDuration) == nil)
        }
        #expect(CryptoPeriods(slotsPerPeriod: nil).start(of: CryptoPeriod(0), slotDuration: slotDuration) == nil)
    }

    @Test func withoutRotationAllTimeIsPeriodZero() throws {
        let schedule = try makeSchedule()
        #expect(schedule.periods.period(of: MediaSequenceNumber(425_000_000)) == CryptoPeriod(0))
        #expect(schedule.periods.period(of: MediaSequenceNumber(-1)) == CryptoPeriod(0))
        #expect(schedule.periods.firstSlot(of: CryptoPeriod(0)) == nil)
    }

    /// Slots 52 to 71 lie in periods 10 to 14.
    @Test(arguments: [(9, false), (10, true), (12, true), (14, true), (15, true), (16, false)])
    func keyIsAvailableWhileItsPeriodIsListedAndOnePeriodEarly(period: Int64, isAvailable: Bool) throws {
        let schedule = try makeSchedule(slotsPerPeriod: 5)
        for keyClass in [KeyClass.video, .audio] {
            let key = try schedule.keys(for: CryptoPeriod(period), keyClass)
            let found = try schedule.keys(availableFor: MediaSequenceNumber(52)...MediaSequenceNumber(71))[key.keyID]
            #expect(found == (isAvailable ? key : nil))
        }
    }

    @Test func keyThatNeverChangesIsAlwaysAvailableAndOthersAreNot() throws {
        let schedule = try makeSchedule()
        let slots = MediaSequenceNumber(52)...MediaSequenceNumber(71)
        let key = try schedule.keys(for: CryptoPeriod(0), .audio)
        #expect(try schedule.keys(availableFor: slots)[key.keyID] == key)
        let next = try schedule.keys(for: CryptoPeriod(1), .audio)
        #expect(try schedule.keys(availableFor: slots)[next.keyID] == nil)
        #expect(try schedule.keys(availableFor: slots)[KeyID(key.contentKey.secret)] == nil)
    }

    @Test func keysStayTheSameWhenTheCacheOverflows() throws {
        let schedule = try makeSchedule(slotsPerPeriod: 1)
        let before = try schedule.keys(for: CryptoPeriod(0), .video)
        for period in Int64(1)...1100 { _ = try schedule.keys(for: CryptoPeriod(period), .video) }
        #expect(try schedule.keys(for: CryptoPeriod(0), .video) == before)
    }
}
