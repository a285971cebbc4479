import Files
import Glibc
import NIOCore
import TestSupport
import Testing

@testable import Archive
@testable import Presentation

@Suite struct MirrorPlanTests {
    /// A directory as a web server would see it after each step.
    private struct Disk {
        var files: [String: String] = [:]
        var capacity = Int.max
        var failures: Set<String> = []

        mutating func perform(_ step: MirrorPlan.Step) throws(FileError) {
            switch step {
            case .remove(let path): files[path] = nil
            case .write(let path, let body):
                if failures.contains(path) { throw FileError(operation: "write", path: path, code: EIO) }
                let others = files.filter { $0.key != path }.values.reduce(0) { $0 + $1.utf8.count }
                guard others + body.readableBytes <= capacity else {
                    throw FileError(operation: "write", path: path, code: ENOSPC)
                }
                files[path] = String(buffer: body)
            }
            let missing = named.subtracting(files.keys)
            #expect(missing.isEmpty, "after \(step.path): \(missing) are named and not there")
        }

        /// What is named by what can be found, from the multivariant playlist on or by its own name.
        var named: Set<String> {
            Set(
                files.filter { $0.key.hasSuffix(".m3u8") }.values.flatMap { text in
                    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
                }
            )
        }
    }

    /// Some slots of a channel with a window of 3, and one slot more that is only retained.
    private struct Origin {
        var number = 100
        var isFirst = true

        mutating func publish() -> [ResourceChange] {
            number += 1
            var changes = ["video-1p", "audio"].flatMap { rendition in
                let listed = (max(101, number - 2)...number).map { "\(rendition)/\($0).m4s" }
                let text =
                    "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n"
                    + listed.map { "#EXT-X-PROGRAM-DATE-TIME:2026-11-22T00:00:00Z\n#EXTINF:4,\n\($0)\n" }.joined()
                return [
                    Self.change(listed.last ?? "", String(repeating: "x", count: 100)),
                    Self.change("\(rendition).m3u8", text),
                    Self.change("\(rendition)/\(number - 4).m4s", nil),
                ]
            }
            if isFirst {
                let text =
                    "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1\"\nvideo-1p.m3u8\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a\"\naudio.m3u8\n"
                changes.append(Self.change("index.m3u8", text))
                isFirst = false
            }
            return changes
        }

        static func change(_ path: String, _ text: String?) -> ResourceChange {
            let resource = text.map {
                Resource(kind: .segment, body: .memory(ByteBuffer(string: $0)), contentType: "video/mp4", entityTag: "")
            }
            return ResourceChange(path: path, resource: resource)
        }
    }

    private var plan = MirrorPlan()
    private var disk = Disk()
    private var origin = Origin()

    @discardableResult
    private mutating func publish() -> MirrorPlan.Outcome {
        plan.take(origin.publish())
        return pass()
    }

    @discardableResult
    private mutating func pass() -> MirrorPlan.Outcome {
        plan.pass { step throws(FileError) in try disk.perform(step) }
    }

    @Test mutating func whatIsServedIsThere() {
        for _ in 0..<10 { #expect(publish().problem == nil) }
        #expect(disk.files.count == 3 + 2 * 4)
        #expect(!plan.isBehind)
    }

    @Test(arguments: ["index.m3u8", "index-imsc1.m3u8"])
    mutating func aMultivariantPlaylistWaitsForItsSubtitles(name: String) {
        let index =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",URI=\"text-en.m3u8\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1\",SUBTITLES=\"s\"\nvideo-1p.m3u8\n"
        publish()
        plan.take([Origin.change(name, index)])
        pass()
        #expect(disk.files[name]?.contains("text-en.m3u8") != true)
        plan.take([Origin.change("text-en.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n")])
        #expect(pass().problem == nil)
        #expect(disk.files[name]?.contains("text-en.m3u8") == true)
    }

    @Test mutating func aPlaylistWaitsForItsSegmentsAndItsSiblingsGoOn() {
        for _ in 0..<5 { publish() }
        let before = disk.files["video-1p.m3u8"]
        disk.failures = ["video-1p/106.m4s"]
        #expect(publish().problem?.code == EIO)
        #expect(disk.files["video-1p.m3u8"] == before)
        #expect(disk.files["audio.m3u8"]?.contains("106") == true)
        disk.failures = []
        #expect(pass().problem == nil)
        #expect(disk.files["video-1p.m3u8"]?.contains("106") == true)
    }

    @Test mutating func playlistsGoBeforeWhatTheyNameAndComeBack() {
        for _ in 0..<5 { publish() }
        disk.failures = ["video-1p/106.m4s"]
        var withdrawn: [String] = []
        for _ in 0..<2 { withdrawn += publish().withdrawn }
        // Its first segment, 103, has expired at the origin.
        #expect(withdrawn == ["index.m3u8", "video-1p.m3u8"])
        #expect(disk.files["video-1p.m3u8"] == nil)
        #expect(disk.files["audio.m3u8"] != nil)
        // The one that failed leaves the window.
        for _ in 0..<3 { publish() }
        #expect(pass().problem == nil)
        #expect(disk.files["index.m3u8"] != nil && disk.files["video-1p.m3u8"] != nil)
        #expect(!plan.isBehind)
    }

    /// The playlists that name new segments may be rendered a moment after them.
    @Test mutating func aSegmentWhosePlaylistsAreStillToComeMakesNoRoom() {
        for _ in 0..<5 { publish() }
        let changes = origin.publish()
        let media = changes.filter { $0.path.hasSuffix(".m4s") }
        disk.capacity = disk.files.values.reduce(0) { $0 + $1.utf8.count } + 50
        plan.take(media)
        pass()
        disk.capacity = .max
        plan.take(changes.filter { !$0.path.hasSuffix(".m4s") })
        #expect(pass().problem == nil)
        #expect(disk.files["video-1p.m3u8"]?.contains("106") == true)
        #expect(disk.files["audio.m3u8"]?.contains("106") == true)
        #expect(!plan.isBehind)
    }

    @Test mutating func whatIsNoLongerListedMakesRoomForWhatIs() {
        for _ in 0..<5 { publish() }
        // Room for the window and a slot that comes, and not for one that is retained besides.
        disk.capacity = disk.files.values.reduce(0) { $0 + $1.utf8.count } + 50
        for _ in 0..<10 { #expect(publish().problem == nil) }
        #expect(disk.files["video-1p.m3u8"]?.contains("\(origin.number)") == true)
    }

    @Test mutating func aDiskThatIsTooSmallOrFailsByChanceNeverShowsAPlaylistOfWhatIsMissing() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            disk.capacity = Int.random(in: 0..<3000, using: &generator)
            disk.failures = Set(
                ["index.m3u8", "audio.m3u8", "audio/\(origin.number)"].filter { _ in
                    Int.random(in: 0..<4, using: &generator) == 0
                }
            )
            publish()
        }
        (disk.capacity, disk.failures) = (.max, [])
        publish()
        #expect(disk.files.count == 3 + 2 * 4)
    }
}
