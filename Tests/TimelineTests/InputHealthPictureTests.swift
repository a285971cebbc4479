import MediaCore
import TestSupport
import Testing
import Timeline

/// Frozen pictures, by the sizes that x264 gave them.
@Suite struct InputHealthPictureTests {
    /// One group of pictures; the first is the key frame.
    typealias Group = [Int]

    /// When the picture counts as frozen.
    static let limit: Int64 = 5_000

    /// A still picture of 640x360 at a constant quality.
    private static let constantQuality: [Group] =
        [[12_503, 60, 24, 25, 24] + repeated([30, 25, 23, 23], 11) + [30]]
        + [13_542, 13_572, 13_572, 13_572, 13_572, 13_572].map { key in
            [key, 24, 23, 23, 23] + repeated([30, 25, 23, 23], 11) + [30]
        }

    /// The same at an average rate.
    private static let averageRate: [Group] =
        [[27_018, 28, 25, 24, 24, 34, 27, 24, 25, 55, 27, 25, 25] + repeated([34, 27, 25, 25], 9) + [33]]
        + Array(repeating: [26_308, 45, 27, 27, 25] + repeated([34, 27, 25, 25], 11) + [33], count: 6)

    /// The same without delay.
    private static let zeroLatency: [Group] =
        [[10_923, 52, 98, 316, 336, 554, 280, 219, 167, 189] + repeated([60], 40)]
        + [13_632, 13_675, 13_676, 13_675, 13_675, 13_675].map { key in
            [key] + repeated([40], 8) + [44] + repeated([41], 40)
        }

    /// Colour bars with a number that counts the seconds.
    private static let counter: [Group] = Array(
        repeating: [
            [1_382, 33, 28, 28, 24] + repeated([34, 26, 24, 24], 5) + [145, 30, 28, 24]
                + repeated([34, 26, 24, 24], 5) + [32],
            [1_341, 28, 24, 24, 24] + repeated([34, 26, 24, 24], 5) + [154, 30, 28, 24]
                + repeated([34, 26, 24, 24], 5) + [32],
            [1_403, 28, 24, 24, 24] + repeated([34, 26, 24, 24], 5) + [122, 30, 28, 24]
                + repeated([34, 26, 24, 24], 5) + [32],
        ],
        count: 3
    ).flatMap(\.self)

    /// A slow zoom at a very low rate: most pictures are tiny.
    private static let slowZoom: [Group] = [
        [
            11_170, 126, 23, 22, 22, 244, 35, 22, 38, 438, 66, 44, 118, 360, 103, 85, 37, 300, 29, 73, 23, 175, 207, 29,
            22, 25, 256, 104, 25, 45, 234, 28, 41, 49, 354, 28, 25, 24, 305, 25, 518, 59, 48, 48, 241, 420, 68, 69, 24,
            117,
        ],
        [
            11_176, 426, 62, 28, 30, 295, 31, 22, 314, 29, 41, 63, 292, 28, 27, 29, 458, 57, 25, 55, 390, 31, 36, 519,
            28, 64, 41, 560, 84, 33, 54, 602, 29, 63, 39, 713, 57, 83, 52, 453, 48, 25, 436, 49, 454, 44, 30, 420, 40,
            223,
        ],
        [
            11_034, 484, 37, 34, 26, 594, 66, 33, 33, 421, 41, 26, 51, 412, 26, 42, 439, 42, 36, 257, 23, 605, 38, 38,
            510, 45, 54, 563, 40, 46, 403, 36, 713, 59, 55, 32, 732, 121, 34, 713, 45, 28, 48, 634, 35, 57, 56, 276, 25,
            38,
        ],
    ]

    /// The sample feed: a key frame every second.
    private static let sample: [Group] = [
        [
            9_511, 1_870, 923, 693, 2_377, 865, 657, 3_178, 1_359, 1_185, 3_862, 1_805, 1_794, 3_298, 2_115, 2_260,
            3_658, 2_236, 2_303, 3_779, 2_497, 2_152, 3_688, 2_457, 2_180,
        ],
        [
            10_569, 4_552, 2_256, 2_164, 3_904, 2_692, 2_032, 3_904, 2_542, 2_303, 3_705, 2_604, 2_301, 3_891, 2_705,
            2_349, 3_943, 2_843, 2_409, 3_999, 2_904, 2_281, 4_367, 2_755, 2_423,
        ],
        [
            11_885, 5_081, 2_362, 2_422, 3_532, 2_330, 2_118, 3_437, 2_174, 2_175, 3_811, 2_123, 2_292, 3_168, 1_970,
            2_208, 3_615, 2_182, 2_307, 3_664, 2_493, 2_005, 3_526, 2_498, 2_338,
        ],
    ]

    private static func repeated(_ sizes: [Int], _ count: Int) -> [Int] {
        Array(repeating: sizes, count: count).flatMap(\.self)
    }

    /// How fingerprints follow from pictures.
    enum Bytes: CaseIterable {
        /// A timecode or captions make every access unit another one.
        case allDiffer
        /// Access units of one place and size in the group are the same.
        case repeatWithTheGroup
        /// As above, but key frames alternate between two identifiers.
        case keyFramesAlternate
        /// Access units of one size are the same.
        case repeatWithTheSize
        case notTaken
    }

    /// Sends groups of pictures at 25 a second.
    ///
    /// - Returns: When the input was first called frozen, in milliseconds; nil if never.
    private static func firstFrozen(_ groups: [Group], _ bytes: Bytes, check: Int64 = limit) -> Int64? {
        var generator = SeededGenerator(seed: 5)
        var health = InputHealth(checks: InputHealth.Checks(frozen: MediaTime(milliseconds: check)))
        health.opened(at: HealthDriver.start)
        var time: Int64 = 0
        for (number, group) in groups.enumerated() {
            for (place, size) in group.enumerated() {
                let identifier = bytes == .keyFramesAlternate && place == 0 ? number % 2 : 0
                let value = UInt64(size * 1_000 + place * 2 + identifier) &* 0x9E37_79B9_7F4A_7C15
                let fingerprint: UInt64? =
                    switch bytes {
                    case .allDiffer: generator.next()
                    case .repeatWithTheGroup, .keyFramesAlternate: value
                    case .repeatWithTheSize: UInt64(size) &* 0x9E37_79B9_7F4A_7C15
                    case .notTaken: nil
                    }
                let packet = InputHealth.Packet(
                    trackIndex: 0,
                    kind: .video,
                    byteCount: size,
                    isSync: place == 0,
                    fingerprint: fingerprint.map(Fingerprint.init(value:)),
                    mediaTime: MediaTime(milliseconds: time)
                )
                health.received(packet, at: HealthDriver.time(time))
                if health.report(at: HealthDriver.time(time)).isFrozen { return time }
                time += 40
            }
        }
        return nil
    }

    @Test(arguments: [constantQuality, averageRate, zeroLatency], Bytes.allCases)
    func aStillPictureIsFrozenOnceTheEncoderHasSettled(groups: [Group], bytes: Bytes) throws {
        // Two or three groups of two seconds until key frames are of one size.
        let found = try #require(Self.firstFrozen(groups, bytes))
        #expect(found >= Self.limit && found <= Self.limit + 6_000, "\(found)")
    }

    /// Bytes differ; in truth the number never comes back, as it does in this vector.
    @Test(arguments: [Bytes.allDiffer, .notTaken])
    func aCounterOfSecondsIsNotFrozen(bytes: Bytes) {
        #expect(Self.firstFrozen(Self.counter, bytes, check: 1_000) == nil)
    }

    @Test(arguments: [slowZoom, sample], [Bytes.allDiffer, .notTaken])
    func whatMovesIsNotFrozenHoweverLittle(groups: [Group], bytes: Bytes) {
        let long = Array(repeating: groups, count: 8).flatMap(\.self)
        #expect(Self.firstFrozen(long, bytes, check: 1_000) == nil)
    }

    @Test func aFeedInALoopIsNotFrozen() {
        let long = Array(repeating: Self.sample, count: 20).flatMap(\.self)
        #expect(Self.firstFrozen(long, .repeatWithTheGroup, check: 1_000) == nil)
    }

    @Test(arguments: [[9_511] + repeated([4_000], 24), [9_511]])
    func anEncoderThatRepeatsAccessUnitsIsFrozen(group: Group) throws {
        let groups = Array(repeating: group, count: 12 * 25 / group.count)
        let found = try #require(Self.firstFrozen(groups, .repeatWithTheGroup))
        #expect(found >= Self.limit && found <= Self.limit + 3_500, "\(found)")
    }

    @Test func anEncoderThatSendsOnePictureAgainAndAgainIsFrozen() throws {
        let found = try #require(Self.firstFrozen([Self.sample[0] + Self.repeated([4_000], 250)], .repeatWithTheSize))
        #expect(found >= Self.limit)
    }

    @Test(arguments: [[9_511] + repeated([4_000], 24), [9_511]])
    func oneSizeForAllIsNotFrozenAsLongAsBytesDiffer(group: Group) {
        let groups = Array(repeating: group, count: 12 * 25 / group.count)
        #expect(Self.firstFrozen(groups, .allDiffer, check: 1_000) == nil)
        #expect(Self.firstFrozen(groups, .notTaken, check: 1_000) == nil)
    }

    @Test func theSamplesPausesBetweenBeepsAreNotSilenceButALongerOneIs() throws {
        var health = InputHealth(checks: InputHealth.Checks(silence: MediaTime(seconds: 2)))
        health.opened(at: HealthDriver.start)
        var found: Int64?
        for frame in 0..<1_000 as Range<Int64> {
            // Six frames of a beep, 13 bytes until the next second; from ten seconds on nothing else.
            let isBeep = frame % 47 < 6 && frame < 470
            let size = isBeep ? 194 + Int(frame % 47) * 11 : 13
            let packet = InputHealth.Packet(
                trackIndex: 1,
                kind: .audio,
                byteCount: size,
                isSync: true,
                fingerprint: Fingerprint(value: UInt64(size)),
                mediaTime: MediaTime(milliseconds: frame * 64 / 3)
            )
            health.received(packet, at: HealthDriver.time(frame * 64 / 3))
            if health.report(at: HealthDriver.time(frame * 64 / 3)).isSilent { found = found ?? frame * 64 / 3 }
        }
        let time = try #require(found)
        // The last beep ends at 9.2 s.
        #expect((11_100...11_300).contains(time), "\(time)")
    }
}
