import MediaCore
import Testing

@testable import Codecs

struct SubsampleMapTests {
    @Test func clearRunsAddUpUntilProtectedBytesFollow() {
        var map = SubsampleMap()
        map.append(clear: 10)
        map.append(clear: 9)
        map.append(protected: 100)
        map.append(clear: 12)
        map.append(protected: 0)
        map.append(clear: 3)
        #expect(
            map.finish() == [
                Subsample(clearBytes: 19, protectedBytes: 100), Subsample(clearBytes: 15, protectedBytes: 0),
            ]
        )
    }

    @Test(arguments: [
        (65_535, [65_535]), (65_536, [65_535, 1]), (131_070, [65_535, 65_535]), (131_071, [65_535, 65_535, 1]),
    ])
    func longClearRunsTakeSeveralEntries(count: Int, clear: [UInt16]) {
        var map = SubsampleMap()
        map.append(clear: count)
        map.append(protected: 7)
        let expected = clear.dropLast().map { Subsample(clearBytes: $0, protectedBytes: 0) }
        #expect(map.finish() == expected + [Subsample(clearBytes: clear.last ?? 0, protectedBytes: 7)])
    }

    @Test func nothingHasNoEntries() {
        #expect(SubsampleMap().finish().isEmpty)
    }
}
