import MediaCore
import Operations
import Playlists
import Presentation
import Testing

@testable import Channels
@testable import Segmenting

@Suite struct MemoryWatchTests {
    private static func use(_ allBytes: Int, window: Int? = nil, dropped: Int = 0, shortened: Int64? = nil) -> MemoryUse
    {
        MemoryUse(
            bytes: min(allBytes, 100 << 20),
            limit: 100 << 20,
            windowBytes: window ?? allBytes / 2,
            allBytes: allBytes,
            droppedEarly: dropped,
            shortenedTo: shortened.map { MediaTime(seconds: $0) }
        )
    }

    @Test func eachStepFromBadToWorseIsSaidOnce() {
        var watch = MemoryWatch()
        let uses = [
            Self.use(90 << 20), Self.use(110 << 20), Self.use(120 << 20), Self.use(110 << 20, dropped: 1),
            Self.use(110 << 20, dropped: 9), Self.use(300 << 20, dropped: 9), Self.use(300 << 20, shortened: 48),
            Self.use(300 << 20, shortened: 40), Self.use(300 << 20, dropped: 9),
        ]
        let said = uses.map { watch.observe($0) }
        #expect(said.map { $0 != nil } == [false, true, false, true, false, true, true, false, false])
        let last = said[6]
        guard case .scarce(let problem) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(
            problem
                == "the 100M of maximum-memory are used up: the playlist is shortened to 48 s, and late players get 404; "
                + "raise maximum-memory to 330M, or shorten the window"
        )
    }

    @Test func theEndIsSaidOnceItIsClear() {
        var watch = MemoryWatch()
        #expect(watch.observe(Self.use(50 << 20)) == nil)
        #expect(watch.observe(Self.use(110 << 20)) != nil)
        #expect(watch.observe(Self.use(95 << 20)) == nil)
        #expect(watch.observe(Self.use(80 << 20)) == .enough)
        #expect(watch.observe(Self.use(80 << 20)) == nil)
        #expect(watch.observe(Self.use(110 << 20)) != nil)
    }
}
