import Files
import Glibc
import NIOCore
import Playlists
import Synchronization
import Testing

@testable import Archive
@testable import Presentation

@Suite struct MirrorPlanTests {
    /// A directory as a web server would see it after each step.
    private struct Disk {
        var files: [String: String] = [:]
        var capacity = Int.max
        /// The beginnings of paths that cannot be written.
        var failures: [String] = []
        var byteCount: Int { files.values.reduce(0) { $0 + $1.utf8.count } }

        mutating func perform(_ step: MirrorPlan.Step) throws(FileError) {
            switch step {
            case .remove(let path): files[path] = nil
            case .create(let path, let body, _), .replace(let path, let body):
                if case .create(_, _, let old) = step {
                    #expect(files[path] == nil && !path.hasSuffix(".m3u8"))
                    if let old { #expect(files.removeValue(forKey: old) != nil, "\(old) is not there") }
                }
                if failures.contains(where: path.hasPrefix) {
                    throw FileError(operation: "write", path: path, code: EIO)
                }
                guard byteCount - (files[path]?.utf8.count ?? 0) + body.readableBytes <= capacity else {
                    throw FileError(operation: "write", path: path, code: ENOSPC)
                }
                files[path] = String(buffer: body)
            }
            let missing = missingFiles(in: files)
            #expect(missing.isEmpty, "after \(step.path): \(missing) are named and not there")
        }
    }

    /// Has what is published, until a test takes it.
    private final class Publications: PublicationConsumer {
        let name = "publications"
        let policy = ConsumerPolicy.observes
        let interest: Publication.Kinds = [.window, .slots, .playlists, .expired]
        private let waiting = Mutex<[Publication]>([])

        func take(_ batch: [Publication]) -> ConsumerResult {
            waiting.withLock { $0 += batch }
            return .done
        }

        func take() -> [Publication] {
            waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        }
    }

    private let publications = Publications()
    private var feed: Feed
    private var plan = MirrorPlan()
    private var disk = Disk()

    init() {
        feed = Feed(nil, padding: 1000, consumers: [publications])
    }

    private var newest: Int64 { feed.number - 1 }
    private func lists(_ rendition: String, _ number: Int64) -> Bool {
        disk.files["\(rendition).m3u8"]?.contains("/\(number).m4s") == true
    }

    @discardableResult
    private mutating func publish(lists: Bool = true) throws -> MirrorPlan.Outcome {
        try feed.publish(gaps: [])
        for publication in publications.take() { plan.take(publication) }
        return pass(lists: lists)
    }

    @discardableResult
    private mutating func pass(lists: Bool = true) -> MirrorPlan.Outcome {
        plan.pass(lists: lists) { step throws(FileError) in try disk.perform(step) }
    }

    @Test mutating func whatIsServedIsThere() throws {
        for _ in 0..<20 { #expect(try publish().problem == nil) }
        expectServed()
    }

    /// Checks that the directory has what is served, and nothing else.
    private func expectServed() {
        for (path, text) in disk.files {
            guard case .found(let resource) = feed.presentation.resource(path, now: feed.now) else {
                Issue.record("\(path) is not served")
                continue
            }
            #expect(resource.body.memory == ByteBuffer(string: text))
        }
        #expect(Set(feed.presentation.saved.files.map(\.path)).isSubset(of: disk.files.keys))
        #expect(!plan.isBehind)
    }

    /// Expired segments are not removed one by one: the next ones of their rendition take their places.
    @Test mutating func segmentsOfAJobTakeThePlacesOfExpiredOnes() throws {
        plan = MirrorPlan(reusesFiles: true)
        for _ in 0..<20 { try publish() }
        let count = disk.files.count
        var removed: [String] = []
        for turn in 0..<12 {
            try feed.publish(gaps: [])
            for publication in publications.take() { plan.take(publication) }
            let outcome = plan.pass(lists: turn % 4 == 3) { step throws(FileError) in
                if case .remove(let path) = step { removed.append(path) }
                if case .create(let path, _, let old) = step, !path.contains("init") {
                    let rendition = path.prefix { $0 != "/" }
                    #expect(turn < 4 || old?.hasPrefix("\(rendition)/") == true, "\(path) in place of \(old ?? "none")")
                }
                try disk.perform(step)
            }
            #expect(outcome.problem == nil)
        }
        #expect(removed.isEmpty && disk.files.count <= count + 8 && !plan.isBehind)
        let last = plan.pass(isLast: true) { step throws(FileError) in try disk.perform(step) }
        #expect(last.problem == nil)
        expectServed()
    }

    @Test(arguments: ["index.m3u8", "index-imsc1.m3u8"])
    mutating func aMultivariantPlaylistWaitsForItsSubtitles(name: String) throws {
        try feed.publish(gaps: [])
        var playlists: [String: PlaylistsPublication.Playlist] = [:]
        for publication in publications.take() {
            plan.take(publication)
            if case .playlists(let newest) = publication { playlists = newest.playlists }
        }
        pass()
        func playlist(_ names: PlaylistsPublication.Names) -> PlaylistsPublication.Playlist {
            PlaylistsPublication.Playlist(text: "text", names: names)
        }
        playlists[name] = playlist(.playlists(["video-1080p.m3u8", "text-en.m3u8"]))
        plan.take(.playlists(PlaylistsPublication(playlists: playlists)))
        pass()
        #expect(disk.files[name] != "text" && plan.isBehind)
        playlists["text-en.m3u8"] = playlist(.slots("text-en", feed.presentation.saved.numbers))
        plan.take(.playlists(PlaylistsPublication(playlists: playlists)))
        #expect(pass().problem == nil)
        #expect(disk.files[name] == "text" && disk.files["text-en.m3u8"] == "text")
    }

    @Test mutating func aPlaylistWaitsForItsSegmentsAndItsSiblingsGoOn() throws {
        for _ in 0..<5 { try publish() }
        let before = disk.files["video-1080p.m3u8"]
        disk.failures = ["video-1080p/\(feed.number).m4s"]
        #expect(try publish().problem?.code == EIO)
        #expect(disk.files["video-1080p.m3u8"] == before)
        #expect(lists("audio-en", newest))
        disk.failures = []
        #expect(pass().problem == nil)
        #expect(lists("video-1080p", newest))
    }

    @Test mutating func playlistsGoBeforeWhatTheyNameAndComeBack() throws {
        for _ in 0..<8 { try publish() }
        disk.failures = ["video-1080p/"]
        var withdrawn: [String] = []
        for _ in 0..<30 where withdrawn.isEmpty { withdrawn = try publish().withdrawn }
        #expect(withdrawn == ["index.m3u8", "video-1080p.m3u8"])
        #expect(disk.files["video-1080p.m3u8"] == nil)
        #expect(lists("audio-en", newest))
        disk.failures = []
        try publish()
        #expect(pass().problem == nil)
        #expect(disk.files["index.m3u8"] != nil && lists("video-1080p", newest))
        #expect(!plan.isBehind)
    }

    /// The playlists that name new segments may be rendered a moment after them.
    @Test mutating func aSegmentWhosePlaylistsAreStillToComeMakesNoRoom() throws {
        for _ in 0..<5 { try publish() }
        try feed.publish(gaps: [])
        let all = publications.take()
        disk.capacity = disk.byteCount + 1500
        for publication in all where publication.kind == .slots { plan.take(publication) }
        #expect(pass().problem?.code == ENOSPC)
        disk.capacity = .max
        for publication in all where publication.kind != .slots { plan.take(publication) }
        #expect(pass().problem == nil)
        #expect(lists("video-1080p", newest) && lists("audio-en", newest))
        #expect(!plan.isBehind)
    }

    @Test mutating func whatIsNoLongerListedMakesRoomForWhatIs() throws {
        for _ in 0..<20 { try publish() }
        // Players may still want some 14 segments of 1000 bytes that have left the window.
        disk.capacity = disk.byteCount - 6000
        for _ in 0..<10 { #expect(try publish().problem == nil) }
        #expect(lists("video-1080p", newest) && lists("audio-en", newest))
    }

    @Test mutating func whatPlaylistsNameStaysUntilTheirTurn() throws {
        for _ in 0..<5 { try publish() }
        let before = disk.files["video-1080p.m3u8"]
        for _ in 0..<40 { #expect(try publish(lists: false).problem == nil) }
        #expect(disk.files["video-1080p.m3u8"] == before && plan.isBehind)
        #expect(disk.files["video-1080p/\(newest).m4s"] != nil)
        #expect(pass().problem == nil)
        #expect(lists("video-1080p", newest) && !plan.isBehind)
        #expect(disk.files["video-1080p/\(Feed.firstNumber).m4s"] == nil)
    }

    /// Another window, and what it serves, may come in place of all that was missed.
    @Test mutating func aSnapshotStandsForWhatWasMissed() throws {
        for _ in 0..<3 { try publish() }
        for _ in 0..<40 { try feed.publish(gaps: []) }
        _ = publications.take()
        feed.presentation.add(publications)
        for publication in publications.take() { plan.take(publication) }
        #expect(pass().problem == nil)
        #expect(lists("video-1080p", newest) && !plan.isBehind)
        for path in disk.files.keys {
            let isServed = if case .found = feed.presentation.resource(path, now: feed.now) { true } else { false }
            #expect(isServed, "\(path)")
        }
    }
}
