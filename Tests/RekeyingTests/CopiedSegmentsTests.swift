import MediaCore
import Testing

@testable import Rekeying

/// The order in which playlists are copied, and what is remembered of their segments.
@Suite struct CopiedSegmentsTests {
    private static func outline(_ name: String, _ folders: Set<String>) -> PublishedDirectory.Outline {
        PublishedDirectory.Outline(
            path: "\(name).m3u8",
            isIFramesOnly: name.hasSuffix("-iframes"),
            folders: folders,
            textHash: 0
        )
    }

    private static func segment(_ path: String, pictureByteCount: Int? = nil) -> CopiedSegments.Segment {
        let subject = SegmentRekeyer.Subject(path: path, number: MediaSequenceNumber(1))
        return CopiedSegments.Segment(
            file: CopiedSegments.File(subject: subject, keys: [], map: nil),
            pictureByteCount: pictureByteCount
        )
    }

    private static func order(_ outlines: [PublishedDirectory.Outline]) -> [String] {
        var segments = CopiedSegments(outlines)
        var paths: [String] = []
        while let outline = segments.next() { paths.append(outline.path) }
        return paths
    }

    @Test func pictureListsFollowTheirRenditions() {
        let names = ["b-iframes", "a", "c", "a-iframes", "b"]
        let outlines = names.map { name in Self.outline(name, [String(name.prefix(1))]) }
        #expect(Self.order(outlines) == ["a", "a-iframes", "b", "b-iframes", "c"].map { "\($0).m3u8" })
    }

    /// However files are spread over directories, a list of parts of files comes behind all that list the files.
    @Test func partsOfFilesComeLast() {
        let outlines = [
            Self.outline("x-iframes", ["a", "c"]), Self.outline("z", ["c"]), Self.outline("y", ["a", "b"]),
            Self.outline("none", []), Self.outline("none-iframes", []),
        ]
        #expect(Self.order(outlines) == ["none", "none-iframes", "y", "z", "x-iframes"].map { "\($0).m3u8" })
    }

    /// Half a day of ten renditions, with pictures of each.
    @Test func theSegmentsOfOneRenditionAreRemembered() {
        let renditions = (0..<10).map { "video-\($0)" }
        var segments = CopiedSegments(
            renditions.flatMap { [Self.outline($0, [$0]), Self.outline("\($0)-iframes", [$0])] }
        )
        var (copied, again, most) = (0, 0, 0)
        while let outline = segments.next() {
            for path in outline.folders.flatMap({ folder in (0..<1000).map { "\(folder)/\($0).m4s" } }) {
                if segments[path] == nil {
                    segments.add(Self.segment(path))
                    copied += 1
                } else {
                    again += 1
                }
            }
            most = max(most, segments.count)
        }
        #expect(copied == 10_000 && again == 10_000)
        #expect(most == 1000 && segments.count == 0)
    }

    @Test func aSegmentIsRememberedUntilTheLastPlaylistThatMayListIt() {
        var segments = CopiedSegments([
            Self.outline("a", ["video"]), Self.outline("b", ["video", "other"]), Self.outline("c", ["zero"]),
        ])
        // The first directory of the second is another one.
        let first = segments.next()
        segments.add(Self.segment("video/1.ts", pictureByteCount: 7))
        segments.add(Self.segment("other/1.ts"))
        let second = segments.next()
        #expect(segments["video/1.ts"]?.pictureByteCount == 7 && segments["other/1.ts"] == nil)
        let third = segments.next()
        #expect(segments.count == 0)
        #expect([first, second, third].map { $0?.path } == ["b.m3u8", "a.m3u8", "c.m3u8"])
    }

    @Test(arguments: [("video/1.ts", "video"), ("a/b/1.ts", "a/b"), ("1.ts", ""), ("", ""), ("/1.ts", "")])
    func theDirectoryOfAPathIsAllButItsName(path: String, folder: String) {
        #expect(CopiedSegments.folder(of: path) == folder)
    }
}
